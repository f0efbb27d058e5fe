import type { Measure } from "../approve/licence.ts";
import type { EntryDraft } from "../contract/entry.ts";
import { CountersignError, isCountersignError } from "../contract/errors.ts";
import type { JsonObject } from "../contract/json.ts";
import type { Ids } from "../contract/ports.ts";
import type { EntryKind } from "../contract/words.ts";
import { writeEntries } from "../ledger/entries.ts";
import { openLane } from "../ledger/group.ts";
import { isCollision } from "../store/attempt.ts";
import type { Database, Tx } from "../store/database.ts";
import type { StoreTime } from "../store/time.ts";
import { demotionsBy } from "./autonomy/breach-of.ts";
import { demoteSlices } from "./autonomy/demote.ts";
import type { Held } from "./held.ts";
import { fencedOff, type Move, moveOperations } from "./operations.ts";
import { type Happened, tellSteps } from "./tell.ts";

/** One step of an operation as it stands in the ledger. */
export interface Step {
  readonly kind: EntryKind;
  readonly facts: JsonObject;
  readonly bodies?: EntryDraft["bodies"];
}

/** What a transaction writes: the steps, and where the operation stands after them; both depend on the store's time. */
export type Recording = (now: number) => { readonly steps: readonly Step[]; readonly move: Omit<Move, "lastEntryId"> };

/** What is reported of one operation that is held. */
export interface Report {
  readonly held: Held;
  readonly recording: Recording;
}

/** Writes what happened to operations; what comes together is written in one commit. */
export interface Recorder {
  /**
   * Writes steps that have no outside call between them and moves the operation on, in one commit. Throws `fenced_off`, with nothing
   * written, when another worker has taken the operation over. Returns the operation as it stands now.
   */
  readonly record: (report: Report) => Promise<Held>;
  /** Resolves when nothing is waiting to be written. */
  readonly idle: () => Promise<void>;
}

/** What a recorder works with. */
export interface RecorderParts {
  readonly database: Database;
  readonly measure: Pick<Measure, "payloadKeys" | "project">;
  readonly ids: Ids;
  readonly storeTime: StoreTime;
}

type Recorded = { readonly kind: "recorded"; readonly held: Held } | { readonly kind: "failed"; readonly thrown: unknown };

/** Opens a recorder. A group leaves as soon as one of two ways to the database is free, so a lone operation waits for nobody. */
export function openRecorder(parts: RecorderParts): Recorder {
  const lane = openLane<Report, Recorded>({
    write: (group) => writeGroup(group, parts),
    sizeOf: () => 1,
    keyOf: ({ held: { tenant, id } }) => `${tenant}\n${id}`,
    // Who is at fault is found within the group.
    isItemFault: () => false,
    maxItems: 256,
    maxBytes: Number.POSITIVE_INFINITY,
    maxGroups: 2,
  });
  return {
    async record(report) {
      const recorded = await lane.submit(report);
      if (recorded.kind === "failed") throw recorded.thrown;
      return recorded.held;
    },
    idle: lane.drain,
  };
}

async function writeGroup(group: readonly Report[], parts: RecorderParts): Promise<readonly Recorded[]> {
  const recorded = new Map<Report, Recorded>();
  for (const tenant of new Set(group.map(({ held }) => held.tenant))) {
    const ours = group.filter(({ held }) => held.tenant === tenant);
    for (const [report, outcome] of await writeTenant({ tenant, reports: ours, parts })) recorded.set(report, outcome);
  }
  return group.map((report) => recorded.get(report) ?? unrecorded);
}

/** One commit for a tenant's reports; where one of them is at fault, each has a commit of its own. */
async function writeTenant({
  tenant,
  reports,
  parts,
}: {
  tenant: string;
  reports: readonly Report[];
  parts: RecorderParts;
}): Promise<readonly (readonly [Report, Recorded])[]> {
  try {
    const written = await inTenant({ tenant, parts, work: (tx) => recordIn({ tx, reports, parts }) });
    return reports.map((report, i) => [report, outcomeOf(written[i])]);
  } catch (thrown) {
    if (reports.length === 1 || isCountersignError(thrown, "database_unavailable"))
      return reports.map((report) => [report, { kind: "failed", thrown }]);
    const alone: (readonly [Report, Recorded])[] = [];
    for (const report of reports) alone.push(...(await writeTenant({ tenant, reports: [report], parts })));
    return alone;
  }
}

const unrecorded: Recorded = { kind: "failed", thrown: new CountersignError("internal", "an operation was not recorded") };

/**
 * Runs a transaction that moves operations. Two of them may lock the same rows in another order, such as a renewal beside a record; the
 * server undoes one, which is made again.
 */
export async function inTenant<T>({
  tenant,
  parts,
  work,
}: {
  tenant: string;
  parts: Pick<RecorderParts, "database">;
  work: (tx: Tx) => Promise<T>;
}): Promise<T> {
  for (let triesLeft = 3; ; triesLeft -= 1) {
    try {
      return await parts.database.inTenant(tenant, work);
    } catch (thrown) {
      if (triesLeft === 0 || !isCollision(thrown)) throw thrown;
    }
  }
}

function outcomeOf(written: Held | CountersignError | undefined): Recorded {
  if (written === undefined) return unrecorded;
  return written instanceof CountersignError ? { kind: "failed", thrown: written } : { kind: "recorded", held: written };
}

/** Writes reports of one tenant in the caller's transaction; of one that was taken over nothing is written, and what to throw returned. */
export async function recordIn({
  tx,
  reports,
  parts,
}: {
  tx: Tx;
  reports: readonly Report[];
  parts: RecorderParts;
}): Promise<readonly (Held | CountersignError)[]> {
  const tenant = reports[0]?.held.tenant;
  if (tenant === undefined) return [];
  const now = await parts.storeTime(tx);
  const drawn = reports.map(({ held, recording }) => drawUp({ held, ids: parts.ids, ...recording(now), now }));
  // The rows first: whoever was overtaken learns it before an entry is written.
  const moves = drawn.map(({ held: { id, fence }, move, lastEntryId }) => ({ id, fence, ...move, lastEntryId }));
  const moved = await moveOperations(tx, tenant, moves);
  const standing = drawn.filter(({ held }) => moved.has(held.id));
  await writeEntries({ tx, drafts: standing.flatMap(({ drafts }) => drafts), keys: parts.measure.payloadKeys });
  await tellSteps(tx, standing);
  await demoteSlices({ tx, demotions: demotionsBy(standing), now }, parts);
  return drawn.map((one) => (moved.has(one.held.id) ? after(one) : fencedOff(one.held)));
}

/** One record with its entries made, before it is written. */
interface Drawn extends Happened {
  readonly move: Omit<Move, "lastEntryId">;
  readonly lastEntryId: string;
}

function drawUp({ held, ids, steps, move, now }: ReturnType<Recording> & { held: Held; ids: Ids; now: number }): Drawn {
  const { tenant, id: operationId, task } = held;
  let cause = held.lastEntryId;
  const drafts = steps.map(({ kind, facts, bodies = {} }) => {
    const id = ids.next();
    const frame = { id, tenant, kind, ts: now, writer: "acting", decisionId: task.decisionId, cause } as const;
    cause = id;
    return { ...frame, facts: { operationId, effectIndex: task.effectIndex, ...facts }, bodies };
  });
  return { held, move, drafts, lastEntryId: cause };
}

function after({ held, move, lastEntryId }: Drawn): Held {
  return {
    ...held,
    foundState: move.state,
    lastEntryId,
    attempts: move.attempts ?? held.attempts,
    lastSendAt: move.lastSendAt ?? held.lastSendAt,
    deadlineAt: move.deadlineAt ?? held.deadlineAt,
  };
}
