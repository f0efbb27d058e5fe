import type { Door } from "../../contract/permitted.ts";
import type { Principal } from "../../contract/principal.ts";
import type { ReviewHealth } from "../../contract/review-health.ts";
import type { Database, Tx } from "../../store/database.ts";
import type { StoreTime } from "../../store/time.ts";
import { type OthersRow, type OwnRow, readCapabilities, readLoadToday, readOthers, readOwn } from "./health-rows.ts";

/** What people are told of how reviewing goes: their own answers, and the load to whom that is open. */
export interface HealthBoard {
  /** Over the last `days` days; `forbidden` for whoever may not review and does not see the load either. */
  readonly reviewHealth: (asking: { principal: Principal; days: number }) => Promise<ReviewHealth>;
}

const dayMs = 24 * 60 * 60 * 1_000;
/** Fewer answers say nothing of how alike a queue is. */
const leastAnswers = 50;
/** So large a share signed as proposed, in so short a time, says that the queue may be too alike. */
const mostlyPpm = 980_000;
const quicklyMs = 20_000;

/** Opens the board. `seesLoad` says who sees capabilities and the load of people by name. */
export function healthBoard({
  database,
  door,
  seesLoad,
  storeTime,
}: {
  database: Database;
  door: Door;
  seesLoad: (principal: Principal) => boolean;
  storeTime: StoreTime;
}): HealthBoard {
  return {
    reviewHealth: async ({ principal, days }) => {
      door(principal);
      const { tenant, id } = principal;
      return database.inSnapshot(tenant, async (tx) => {
        const until = await storeTime(tx);
        const from = until - days * dayMs;
        const own = await readOwn(tx, { tenant, from, principal: id });
        const others = await othersOf(tx, { tenant, from, principal: id, own });
        const isLead = seesLoad(principal);
        return {
          ...{ from, until, own: own.map((row) => ownOf(row, others)) },
          capabilities: isLead ? (await readCapabilities(tx, { tenant, from })).map(withSecond) : null,
          loadToday: isLead ? await readLoadToday(tx, tenant) : null,
        };
      });
    },
  };
}

/** Of the capabilities of which the person may be warned. */
async function othersOf(
  tx: Tx,
  { own, ...of }: { tenant: string; from: number; principal: string; own: readonly OwnRow[] },
): Promise<ReadonlyMap<string, OthersRow>> {
  const capabilities = own.filter(mayBeTooAlike).map(({ capability }) => capability);
  const rows = capabilities.length === 0 ? [] : await readOthers(tx, { ...of, capabilities });
  return new Map(rows.map((row) => [row.capability, row]));
}

function ownOf(row: OwnRow, others: ReadonlyMap<string, OthersRow>): ReviewHealth["own"][number] {
  const { capability, answered, approved, rejected, edited, viewed, viewedAt, waitedAt } = row;
  return {
    ...{ capability, answered, approved, rejected, edited },
    ...{ viewed: spreadOf(viewedAt, viewed), waited: spreadOf(waitedAt, answered) },
    secondLooks: { of: row.secondOf, agreed: row.secondAgreed },
    mayBeTooAlike: mayBeTooAlike(row)
      ? { of: answered, approved, medianViewedMs: medianOf(row) ?? 0, others: togetherOf(others.get(capability)) }
      : null,
  };
}

/** Nearly all signed as proposed, quickly, and so many that it says something; without a time nothing is said. */
function mayBeTooAlike(row: OwnRow): boolean {
  const median = medianOf(row);
  if (median === null || row.viewed < leastAnswers || row.answered < leastAnswers) return false;
  return row.approved * 1_000_000 >= row.answered * mostlyPpm && median <= quicklyMs;
}

function medianOf({ viewedAt }: OwnRow): number | null {
  const median = viewedAt?.[2];
  return median === undefined ? null : Math.round(median);
}

/** Of one other person alone it would be that person's own figures. */
function togetherOf(row: OthersRow | undefined) {
  if (row === undefined || row.reviewers < 2) return null;
  const { reviewers, answered, approved } = row;
  return { reviewers, answered, approved };
}

function spreadOf(at: readonly number[] | null, of: number): ReviewHealth["own"][number]["viewed"] {
  if (at === null || of === 0) return null;
  const [least = 0, quarter = 0, median = 0, threeQuarters = 0, most = 0] = at.map((one) => Math.round(one));
  return { least, quarter, median, threeQuarters, most, of };
}

function withSecond({ secondOf: of, secondAgreed: agreed, ...row }: Awaited<ReturnType<typeof readCapabilities>>[number]) {
  return { ...row, secondLooks: { of, agreed } };
}
