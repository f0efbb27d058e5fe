import type { Measure } from "../approve/licence.ts";
import type { EntryDraft } from "../contract/entry.ts";
import { CountersignError } from "../contract/errors.ts";
import type { JsonObject } from "../contract/json.ts";
import type { Ids } from "../contract/ports.ts";
import type { EntryKind } from "../contract/words.ts";
import { writeEntries } from "../ledger/entries.ts";
import { openLane } from "../ledger/group.ts";
import { isRowRefused } from "../ledger/pipe.ts";
import { isCollision } from "../store/attempt.ts";
import type { Database, Tx } from "../store/database.ts";
import type { StoreTime } from "../store/time.ts";
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

/** What is recorded of one operation that is held. */
export interface Record {
  readonly held: Held;
  readonly recording: Recording;
}

/** Writes what happened to operations; what comes together is written in one commit. */
export interface Recorder {
  /**
   * Writes steps that have no outside call between them and moves the operation on, in one commit. Throws `fenced_off`, with nothing
   * written, when another worker has taken the operation over. Returns the operation as it stands now.
   */
  readonly record: (record: Record) => Promise<Held>;
  /** Resolves when nothing is waiting to be written. */
  readonly idle: () => Promise<void>;
}

/** What a recorder works with. */
export interface RecorderParts {
  readonly database: Database;
  readonly measure: Pick<Measure, "payloadKeys">;
  readonly ids: Ids;
  readonly storeTime: StoreTime;
}

type Recorded = { readonly kind: "recorded"; readonly held: Held } | { readonly kind: "failed"; readonly thrown: unknown };

/** Opens a recorder. A group leaves when the one before has committed, so a lone operation waits for nobody. */
export function openRecorder(acting: RecorderParts): Recorder {
  const lane = openLane<Record, Recorded>({
    write: (group) => writeGroup(group, acting),
    sizeOf: () => 1,
    keyOf: ({ held: { tenant, id } }) => `${tenant}\n${id}`,
    isItemFault: isRowRefused,
    maxItems: 128,
    maxBytes: Number.POSITIVE_INFINITY,
    maxGroups: 2,
  });
  return {
    async record(record) {
      const recorded = await lane.submit(record);
      if (recorded.kind === "failed") throw recorded.thrown;
      return recorded.held;
    },
    idle: lane.drain,
  };
}

async function writeGroup(group: readonly Record[], acting: RecorderParts): Promise<readonly Recorded[]> {
  const recorded = new Map<Record, Recorded>();
  for (const tenant of new Set(group.map(({ held }) => held.tenant))) {
    const ours = group.filter(({ held }) => held.tenant === tenant);
    try {
      const written = await unlessCollided(() =>
        acting.database.inTenant(tenant, (tx) => recordIn({ tx, records: ours, acting })),
      );
      for (const [i, record] of ours.entries()) recorded.set(record, outcomeOf(written[i]));
    } catch (thrown) {
      // Of one tenant alone this is a group that failed, and the lane tries each by itself.
      if (ours.length === group.length) throw thrown;
      for (const record of ours) recorded.set(record, { kind: "failed", thrown });
    }
  }
  return group.map((record) => recorded.get(record) ?? outcomeOf(undefined));
}

/** Two groups may lock the same rows in another order, such as a renewal beside this one; the server undoes one of them. */
async function unlessCollided<T>(write: () => Promise<T>, triesLeft = 3): Promise<T> {
  try {
    return await write();
  } catch (thrown) {
    if (triesLeft === 0 || !isCollision(thrown)) throw thrown;
    return unlessCollided(write, triesLeft - 1);
  }
}

function outcomeOf(written: Held | CountersignError | undefined): Recorded {
  if (written === undefined) return { kind: "failed", thrown: new CountersignError("internal", "an operation was not recorded") };
  return written instanceof CountersignError ? { kind: "failed", thrown: written } : { kind: "recorded", held: written };
}

/** Writes records of one tenant in the caller's transaction; of one that was taken over nothing is written, and what to throw returned. */
export async function recordIn({
  tx,
  records,
  acting,
}: {
  tx: Tx;
  records: readonly Record[];
  acting: RecorderParts;
}): Promise<readonly (Held | CountersignError)[]> {
  const tenant = records[0]?.held.tenant;
  if (tenant === undefined) return [];
  const now = await acting.storeTime(tx);
  const drawn = records.map(({ held, recording }) => drawUp({ held, acting, ...recording(now), now }));
  // The rows first: whoever was overtaken learns it before an entry is written.
  const moves = drawn.map(({ held: { id, fence }, move, lastEntryId }) => ({ id, fence, ...move, lastEntryId }));
  const moved = await moveOperations(tx, tenant, moves);
  const standing = drawn.filter(({ held }) => moved.has(held.id));
  await writeEntries({ tx, drafts: standing.flatMap(({ drafts }) => drafts), keys: acting.measure.payloadKeys });
  await tellSteps(tx, standing);
  return drawn.map((one) => (moved.has(one.held.id) ? after(one) : fencedOff(one.held)));
}

/** One record with its entries made, before it is written. */
interface Drawn extends Happened {
  readonly move: Omit<Move, "lastEntryId">;
  readonly lastEntryId: string;
}

function drawUp({
  held,
  acting,
  steps,
  move,
  now,
}: ReturnType<Recording> & { held: Held; acting: Pick<RecorderParts, "ids">; now: number }): Drawn {
  const { tenant, id: operationId, task } = held;
  let cause = held.lastEntryId;
  const drafts = steps.map(({ kind, facts, bodies = {} }) => {
    const id = acting.ids.next();
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
