import { openAccounts } from "../approve/accounts.ts";
import { type Refusal, refusal } from "../approve/refusal.ts";
import { openStories } from "../approve/stories.ts";
import { unverifiable } from "../approve/unverifiable.ts";
import { isCountersignError } from "../contract/errors.ts";
import { stoppedScopes } from "../ledger/halts.ts";
import { readBegun } from "../ledger/read.ts";
import { isAboutContent } from "../store/attempt.ts";
import type { Tx } from "../store/database.ts";
import type { ApprovalRow } from "../store/tables.ts";
import type { Acting } from "./acting.ts";
import { closeApprovals, lockOpenApprovals, withdrawnOf } from "./approvals.ts";
import { type Beginning, type Begun, beginOperations } from "./begin-operations.ts";
import type { Sendable } from "./held.ts";
import { isLookedAt, type Judgement, judgeApproval } from "./judge-approval.ts";
import { meetHolder } from "./meet-holder.ts";
import { openSlice } from "./open-slice.ts";
import { holdersOf } from "./operations.ts";
import { recordOutcomes, type Settled } from "./outcomes.ts";
import { withinRates } from "./rates.ts";
import { type Turn, turnOf } from "./turn.ts";

/** What became of an open approval. */
export type Reserved =
  | { readonly kind: "reserved"; readonly approvalId: string; readonly sendable: Sendable }
  | { readonly kind: "refused" | "expired" | "joined" | "slice_set" | "withdrawn"; readonly approvalId: string }
  /**
   * As it was: an effect before it or under its key is not complete yet, a signature is missing, or a stop holds. `isKeyTaken`: the
   * same change is under way, and is met again when it has ended.
   */
  | { readonly kind: "left"; readonly approvalId: string; readonly isKeyTaken: boolean }
  /** The database refused what was to be written of it, and no other. Nothing of it was written. */
  | { readonly kind: "failed"; readonly approvalId: string; readonly thrown: unknown };

/** Open approvals of one tenant, in the order in which they are to be taken. */
export interface Approvals {
  readonly tenant: string;
  readonly ids: readonly string[];
}

/**
 * Takes open approvals: verifies each, and in one commit for all of them consumes it and the second one that high risk takes, inserts
 * the operations under their business keys with fence, lease and deadline, and writes `applying`. Everything that does not hold is
 * refused with an entry, and so is what fails while it is checked, unless the database is at fault. Nothing is sent here.
 */
export async function reserve(approvals: Approvals, acting: Acting): Promise<readonly Reserved[]> {
  const { ids } = approvals;
  try {
    return await reserveTogether({ tenant: approvals.tenant, hold: (tx) => lockOpenApprovals(tx, approvals) }, acting);
  } catch (thrown) {
    if (isCountersignError(thrown, "database_unavailable")) throw thrown;
    // One row spoils its group; by itself it is refused, so that it never holds up what comes after it.
    if (ids.length > 1) return reserveAlone(approvals, acting);
    if (!isAboutContent(thrown)) throw thrown;
    return refuseAlone(approvals, unverifiable(thrown), acting);
  }
}

async function reserveAlone({ tenant, ids }: Approvals, acting: Acting): Promise<readonly Reserved[]> {
  const reserved: Reserved[] = [];
  for (const id of ids) {
    try {
      reserved.push(...(await reserve({ tenant, ids: [id] }, acting)));
    } catch (thrown) {
      if (isCountersignError(thrown, "database_unavailable")) throw thrown;
      reserved.push({ kind: "failed", approvalId: id, thrown });
    }
  }
  return reserved;
}

/** Takes in one commit the approvals that `hold` locks in it; what fails undoes the whole. */
export async function reserveTogether(
  { tenant, hold }: { tenant: string; hold: (tx: Tx) => Promise<readonly ApprovalRow[]> },
  acting: Acting,
): Promise<readonly Reserved[]> {
  // Before the commit, so that the lease by this process's clock is never longer than the committed one.
  const heldSinceMs = acting.clock.monotonic();
  const reserved = await acting.database.inTenant(tenant, async (tx) => {
    const rows = await hold(tx);
    if (rows.length === 0) return [];
    const judged = await judgeAll({ tx, tenant, rows, acting });
    return carryThrough({ ...judged, tx, tenant, heldSinceMs, acting });
  });
  for (const one of reserved) if (one.kind === "reserved") acting.leases.watch(one.sendable.held, "unsent");
  return reserved;
}

/** One approval with what is to become of it. */
interface Judged {
  readonly row: ApprovalRow;
  readonly judgement: Judgement;
}

async function judgeAll({
  tx,
  tenant,
  rows,
  acting,
}: {
  tx: Tx;
  tenant: string;
  rows: readonly ApprovalRow[];
  acting: Acting;
}): Promise<{ readonly judged: readonly Judged[]; readonly now: number }> {
  const withdrawn = await withdrawnOf(tx, { tenant, ids: rows.map(({ id }) => id) });
  const stopped = await stoppedScopes(tx, tenant);
  const turns = await turnsOf(rows, { tx, tenant });
  // After all that may have been waited for, so that an approval expires by the time at which it is used.
  const now = await acting.storeTime(tx);
  const stories = openStories({ tx, tenant, keys: acting.measure.payloadKeys, standingRead: "to_verify" });
  const looking = rows.filter((row) => isLookedAt({ row, turn: turns.get(row.id) ?? "now", now }));
  await stories.load(looking.flatMap(({ decision_id: decisionId }) => decisionId ?? []));
  // Behind all that may have been waited for: what was taken from an account by then licenses nothing.
  const accounts = openAccounts({ tx, tenant, rolesFrom: acting.measure.rolesFrom });
  await accounts.load([
    ...stories.people(),
    ...looking.flatMap(({ granted_by: by, approver }) => (by === "person" ? [approver] : [])),
  ]);
  const judged: Judged[] = [];
  for (const row of rows) {
    const turn = turns.get(row.id) ?? "now";
    const judging = { tx, now, acting, stories, accounts, withdrawn, stopped, turn };
    judged.push({ row, judgement: await judgeApproval(row, judging) });
  }
  return { judged, now };
}

/** Whose turn it is, of those that are not the first of their proposals. Asked before the costly part: what waits is not verified. */
async function turnsOf(
  rows: readonly ApprovalRow[],
  { tx, tenant }: { tx: Tx; tenant: string },
): Promise<ReadonlyMap<string, Turn>> {
  const later = rows.filter(({ effect_index: index }) => index !== null && index > 0);
  if (later.length === 0) return new Map();
  const decisionIds = [...new Set(later.flatMap(({ decision_id: decisionId }) => decisionId ?? []))];
  const begun = await readBegun({ tx, tenant, decisionIds });
  return new Map(
    later.map(({ id, decision_id: decisionId, effect_index: index }) => {
      const standing = begun.get(decisionId ?? "");
      return [id, standing === undefined ? "now" : turnOf(standing, index ?? 0)];
    }),
  );
}

interface Carrying {
  readonly tx: Tx;
  readonly tenant: string;
  readonly now: number;
  readonly heldSinceMs: number;
  readonly acting: Acting;
}

async function carryThrough({ judged, ...carrying }: Carrying & { judged: readonly Judged[] }): Promise<readonly Reserved[]> {
  const { tx, tenant, now, acting } = carrying;
  const answered: Settled[] = [];
  for (const { row, judgement } of judged) {
    if (judgement.kind === "slice") answered.push(await setThreshold(carrying, row, judgement));
    else if (judgement.kind !== "begin") answered.push(settledBy(row, judgement));
  }
  const begins = judged.flatMap(({ row, judgement }) =>
    judgement.kind === "begin" ? [{ row, licence: judgement.licence }] : [],
  );
  const { begun, met } = await beginHeld(begins, judged, carrying);
  const isMet = new Set(met.map(({ row }) => row.id));
  const settled = [...answered.filter(({ row }) => !isMet.has(row.id)), ...met];
  const consumed = begun.flatMap(({ beginning: { approvalId, licence } }) => [
    approvalId,
    licence.second?.approvalId ?? approvalId,
  ]);
  const joined = settled.flatMap(({ consumes = [] }) => consumes);
  await closeApprovals(tx, tenant, [
    ...[...new Set([...consumed, ...joined])].map((id) => ({ id, state: "consumed" }) as const),
    ...settled.flatMap(({ row: { id }, ends }) => (ends === null ? [] : [{ id, state: ends }])),
  ]);
  await recordOutcomes({ tx, tenant, now, acting, settled, begun });
  return [
    ...begun.map(({ beginning, sendable }) => ({ kind: "reserved", approvalId: beginning.approvalId, sendable }) as const),
    ...settled.map(
      ({ row, outcome }): Reserved =>
        outcome.kind === "left"
          ? { kind: "left", approvalId: row.id, isKeyTaken: outcome.isKeyTaken }
          : { kind: outcome.kind, approvalId: row.id },
    ),
  ];
}

function settledBy(row: ApprovalRow, judgement: Exclude<Judgement, { kind: "begin" | "slice" }>): Settled {
  switch (judgement.kind) {
    case "refused":
      return { row, outcome: judgement, ends: "refused" };
    case "expired":
      return { row, outcome: { kind: "expired" }, ends: "expired" };
    case "withdrawn":
      // The entry was written with the withdrawal; only the row is left to close.
      return { row, outcome: { kind: "withdrawn" }, ends: "withdrawn" };
    default:
      return leftOf(row);
  }
}

async function setThreshold(
  { tx, acting }: Pick<Carrying, "tx" | "acting">,
  row: ApprovalRow,
  { licence }: Extract<Judgement, { kind: "slice" }>,
): Promise<Settled> {
  if (await openSlice(tx, licence, acting)) return { row, outcome: { kind: "slice_set" }, ends: "consumed" };
  const reason = refusal(
    "approval_used",
    "newer_threshold",
    "a threshold that was signed later stands, or the slice was taken back since",
  );
  return { row, outcome: { kind: "refused", reason }, ends: "refused" };
}

function leftOf(row: ApprovalRow): Settled {
  return { row, outcome: { kind: "left", isKeyTaken: false }, ends: null };
}

type Begin = { readonly row: ApprovalRow } & Pick<Beginning, "licence">;

/** One whose every signature is held; `second` is the row of the other person's, where it takes one. */
type Signed = Begin & { readonly second: ApprovalRow | null };

/** Begins what has every signature held and room within its rate; says of the rest what it met. */
async function beginHeld(
  begins: readonly Begin[],
  judged: readonly Judged[],
  { tx, tenant, now, heldSinceMs, acting }: Carrying,
): Promise<{ readonly begun: readonly Begun[]; readonly met: readonly Settled[] }> {
  const signed = await withSeconds(begins, judged, { tx, tenant });
  const timely = await withinRates(signed, { tx, tenant, now });
  const beginnings = timely.map(({ row, licence }) => ({ approvalId: row.id, licence }));
  const begun = await beginOperations({ tx, tenant, beginnings, now, heldSinceMs, acting });
  const byApproval = new Set(begun.map(({ beginning }) => beginning.approvalId));
  const blocked = timely.filter(({ row }) => !byApproval.has(row.id));
  const met = await meetAll(blocked, { tx, tenant });
  const answered = new Set([...timely, ...met].map(({ row }) => row.id));
  return { begun, met: [...begins.filter(({ row }) => !answered.has(row.id)).map(({ row }) => leftOf(row)), ...met] };
}

/**
 * Holds the second signatures, where there are any: each must be open and not withdrawn at the commit that consumes both. Of two
 * approvals that are each other's second, one begins and takes the other with it.
 */
async function withSeconds(
  begins: readonly Begin[],
  judged: readonly Judged[],
  { tx, tenant }: Pick<Carrying, "tx" | "tenant">,
): Promise<readonly Signed[]> {
  const held = new Map(
    judged.flatMap(({ row, judgement: { kind } }) => (kind === "begin" || kind === "left" ? [[row.id, row]] : [])),
  );
  const known = new Set(judged.map(({ row }) => row.id));
  const others = begins.flatMap(({ licence: { second } }) =>
    second === null || known.has(second.approvalId) ? [] : [second.approvalId],
  );
  const locked = await lockOpenApprovals(tx, { tenant, ids: others });
  const withdrawn = await withdrawnOf(tx, { tenant, ids: others });
  for (const row of locked) if (!withdrawn.has(row.id)) held.set(row.id, row);
  const used = new Set<string>();
  return begins.flatMap(({ row, licence }) => {
    const second = licence.second === null ? null : (held.get(licence.second.approvalId) ?? null);
    const ids = licence.second === null ? [row.id] : [row.id, licence.second.approvalId];
    if (ids.some((id) => used.has(id) || !held.has(id))) return [];
    for (const id of ids) used.add(id);
    return [{ row, licence, second }];
  });
}

/** Looks at who holds the business keys that were taken. A refusal answers both signatures: one alone would wait for ever. */
async function meetAll(blocked: readonly Signed[], { tx, tenant }: Pick<Carrying, "tx" | "tenant">): Promise<readonly Settled[]> {
  const keyOf = ({ effect, key }: { effect: string; key: string }) => `${effect}\n${key}`;
  const keys = blocked.map(({ licence: { task } }) => ({ effect: task.effect.name, key: task.proposed.key }));
  const holders = new Map((await holdersOf(tx, tenant, keys)).map((holder) => [keyOf(holder), holder]));
  return blocked.flatMap(({ row, second, licence: { task }, licence }): readonly Settled[] => {
    const both = second === null ? [row] : [row, second];
    const meeting = meetHolder(licence, holders.get(keyOf({ effect: task.effect.name, key: task.proposed.key })));
    if (meeting.kind === "left") return [{ row, outcome: { kind: "left", isKeyTaken: true }, ends: null }];
    if (meeting.kind === "refused") return both.map((one) => ({ row: one, outcome: meeting, ends: "refused" }));
    return [{ row, outcome: { ...meeting, task }, ends: null, consumes: both.map(({ id }) => id) }];
  });
}

async function refuseAlone({ tenant, ids }: Approvals, reason: Refusal, acting: Acting): Promise<readonly Reserved[]> {
  return acting.database.inTenant(tenant, async (tx) => {
    const rows = await lockOpenApprovals(tx, { tenant, ids });
    const now = await acting.storeTime(tx);
    const settled = rows.map((row): Settled => ({ row, outcome: { kind: "refused", reason }, ends: "refused" }));
    await closeApprovals(
      tx,
      tenant,
      rows.map(({ id }) => ({ id, state: "refused" }) as const),
    );
    await recordOutcomes({ tx, tenant, now, acting, settled, begun: [] });
    return rows.map(({ id }) => ({ kind: "refused", approvalId: id }) as const);
  });
}
