/**
 * Moves cases: the course of work over days, step by step. It wants decisions and waits for them; it decides nothing, signs nothing and
 * applies nothing itself. Any number of workers may move cases side by side: a case is moved by whoever has its row.
 */
import type { RolesFrom } from "../../approve/accounts.ts";
import type { AnyCase } from "../../contract/case.ts";
import type { CaseRules } from "../../contract/case-view.ts";
import type { Ids } from "../../contract/ports.ts";
import type { PayloadKeys } from "../../ledger/payload.ts";
import type { Database } from "../../store/database.ts";
import { acrossTenants } from "../../store/every-tenant.ts";
import { type Loop, startLoop } from "../../store/loop.ts";
import type { StoreTime } from "../../store/time.ts";
import { indexCases } from "./definitions.ts";
import { dueCases, holdRun, mostDue } from "./due.ts";
import { moveCase } from "./move.ts";
import type { Casing } from "./run.ts";

/** Moves cases that can move. */
export interface CaseRunner {
  /** Moves what is due until nothing is, as far as one round goes; resolves with how many moves it made. */
  readonly round: () => Promise<number>;
  /** Goes round until the loop is stopped, which waits for the move that is being made and lets none begin after it. */
  readonly start: () => Loop;
}

/** What a runner is built from; the database is that of the role `acting`. */
export interface CaseRunnerParts {
  readonly cases: readonly AnyCase[];
  readonly rules: Pick<CaseRules, "mayStart">;
  readonly database: Database;
  readonly keys: PayloadKeys;
  readonly ids: Ids;
  readonly storeTime: StoreTime;
  readonly rolesFrom: RolesFrom;
  readonly onError: (thrown: unknown) => void;
}

/** How often cases that can move are looked for, in milliseconds. */
const lookMs = 200;
/** Most looks of one round, so that a case that always moves does not hold up a worker's other work. */
const mostLooks = 20;

/** Builds a runner. A project without cases still looks after the deadlines of those that were started. */
export function createCaseRunner({ cases, onError, ...parts }: CaseRunnerParts): CaseRunner {
  const { database, storeTime } = parts;
  const casing: Casing = { ...parts, definitions: indexCases(cases) };
  let isStopped = false;
  const moveAll = async (): Promise<{ readonly moves: number; readonly isMore: boolean }> => {
    const look = async (tx: Parameters<StoreTime>[0]) =>
      dueCases(tx, { now: await storeTime(tx), definitions: casing.definitions });
    const due = (await acrossTenants({ database, look })) ?? [];
    let moves = 0;
    for (const one of due) {
      if (isStopped) break;
      try {
        if (await moveCase(casing, one)) moves += 1;
      } catch (thrown) {
        onError(thrown);
        await rest(casing, one).catch(onError);
      }
    }
    return { moves, isMore: moves > 0 || due.length === mostDue };
  };
  const round = async (): Promise<number> => {
    let moves = 0;
    for (let looks = 0; looks < mostLooks && !isStopped; looks += 1) {
      const made = await moveAll();
      moves += made.moves;
      if (!made.isMore) break;
    }
    return moves;
  };
  return {
    round,
    start: () => {
      isStopped = false;
      const loop = startLoop({ work: round, everyMs: lookMs, onError });
      return {
        stop: async () => {
          isStopped = true;
          await loop.stop();
        },
      };
    },
  };
}

/** In a transaction of its own: that of the move is gone. */
function rest({ database, storeTime }: Casing, one: { readonly tenant: string; readonly id: string }): Promise<void> {
  return database.inTenant(one.tenant, async (tx) => holdRun(tx, { ...one, now: await storeTime(tx) }));
}
