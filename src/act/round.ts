import { admitProposals } from "../approve/admit.ts";
import type { Admitting } from "../approve/policy-grant.ts";
import { isCountersignError } from "../contract/errors.ts";
import type { Tx } from "../store/database.ts";
import { acrossTenants } from "../store/every-tenant.ts";
import type { Acting } from "./acting.ts";
import { carryOut } from "./apply.ts";
import { type ApprovalPlace, openSliceApprovals } from "./approvals.ts";
import { hold } from "./hold.ts";
import type { Lanes } from "./lanes.ts";
import { dueOperations } from "./operations.ts";
import type { Pauses } from "./pauses.ts";
import { reconcile } from "./reconcile.ts";
import { type Reserved, reserve } from "./reserve.ts";
import { reserveNext } from "./reserve-next.ts";
import { carryOutResolutions } from "./resolve.ts";
import { type TenantWork, tenantsWithWork } from "./tenants-with-work.ts";

/** What a round did, counted. */
export interface RoundCounts {
  /** Proposals that policy looked at. */
  admitted: number;
  /** Operations that were taken over and looked at. */
  reconciled: number;
  /** Operations that were begun. */
  reserved: number;
  /** Approvals that were refused. */
  refused: number;
  /** Approvals that had expired before anything was begun under them. */
  expired: number;
  /** Approvals whose change had been made under the same business key. */
  joined: number;
  /** Thresholds that were set. */
  slices: number;
  /** Findings of people that were carried out. */
  resolved: number;
}

/** How many approvals or operations one commit takes in hand, and how many such commits a tenant has in one round. */
const pageSize = 256;
const pagesInRound = 4;

/** What a round is given. */
export interface Round {
  readonly acting: Acting;
  readonly admitting: Admitting;
  readonly lanes: Lanes;
  /** It has one lane, and is to bring what is signed as far as it goes. */
  readonly isAlone: boolean;
  readonly pauses: Pauses;
  /** After which approval of a tenant the next round goes on; a tenant whose pages are through begins anew. */
  readonly places: Map<string, ApprovalPlace>;
  readonly counts: RoundCounts;
  /** Told of what failed for one tenant; the others get their turn. */
  readonly onError: (thrown: unknown) => void;
}

/** Counts of a round that has not begun. */
export function noCounts(): RoundCounts {
  return { admitted: 0, reconciled: 0, reserved: 0, refused: 0, expired: 0, joined: 0, slices: 0, resolved: 0 };
}

/** Says whether a round did anything. */
export function hasDone(counts: RoundCounts): boolean {
  return Object.values(counts).some((count) => count > 0);
}

interface RoundStep {
  readonly of: Exclude<keyof TenantWork, "tenant" | "effects">;
  readonly step: (tenant: string, round: Round) => Promise<void>;
}

/** In this order, each for the tenants that have something of it. */
const steps: readonly RoundStep[] = [
  { of: "slices", step: setThresholds },
  { of: "findings", step: resolveAll },
  { of: "due", step: reconcileDue },
  { of: "autos", step: admitAll },
];

/**
 * One round over every tenant that has something to do; a tenant with much has its share and goes on in the next. Thresholds that owners
 * signed come first, so that one that was revoked holds for all that follows. Then what people found, and operations whose lease is over,
 * those of all tenants, else recovery would starve behind new work; then what policy may sign, then what is signed. Several workers may
 * run rounds side by side. Says whether another round has something to do at once.
 */
export async function workRound(round: Round): Promise<boolean> {
  const { acting } = round;
  const busy = [...round.places.keys()];
  const look = (tx: Tx) => tenantsWithWork(tx, { storeTime: acting.storeTime, busy });
  const found = (await acrossTenants({ database: acting.database, look })) ?? [];
  for (const { of, step } of steps) for (const work of found) if (work[of]) await apart(() => step(work.tenant, round), round);
  // What policy signed in this round is signed too.
  return takeSigned(
    found.filter(({ effects, autos }) => effects || autos).map(({ tenant }) => tenant),
    round,
  );
}

/** Takes what is signed of these tenants; with one lane until nothing follows from what was done. */
async function takeSigned(tenants: readonly string[], round: Round): Promise<boolean> {
  let isMore = false;
  do {
    isMore = false;
    for (const tenant of tenants) {
      await apart(async () => {
        isMore = (await takeApprovals(tenant, round)) || isMore;
      }, round);
    }
  } while (isMore && round.isAlone);
  return isMore;
}

/**
 * Keeps a fault of one tenant from the others. A database that cannot be reached ends the round: it would fail for all of them; one that
 * ended a statement for taking too long has said something of this tenant alone.
 */
async function apart(work: () => Promise<void>, { onError }: Round): Promise<void> {
  try {
    await work();
  } catch (thrown) {
    if (isCountersignError(thrown, "database_unavailable") && thrown.facts["sqlState"] === undefined) throw thrown;
    onError(thrown);
  }
}

async function resolveAll(tenant: string, { acting, lanes, counts, pauses }: Round): Promise<void> {
  if (lanes.room(tenant) === 0) return;
  await lanes.run(tenant, async () => {
    const resolved = await carryOutResolutions(tenant, acting);
    counts.resolved += resolved;
    if (resolved > 0) pauses.end(tenant);
  });
}

async function reconcileDue(tenant: string, { acting, lanes, pauses, counts, onError }: Round): Promise<void> {
  for (let page = 0; page < pagesInRound; page += 1) {
    // What is taken over is held: no more is taken than there are hands for.
    const limit = Math.min(pageSize, lanes.room(tenant));
    if (limit === 0) return;
    const ids = await acting.database.inTenant(tenant, async (tx) =>
      dueOperations(tx, { tenant, now: await acting.storeTime(tx), limit }),
    );
    if (ids.length === 0) return;
    const { held, lost, faults } = await hold({ tenant, ids }, acting);
    for (const fault of faults) onError(fault);
    counts.reconciled += held.length + lost;
    for (const one of held) {
      await lanes.run(tenant, async () => {
        await reconcile(one, acting);
        pauses.end(tenant);
      });
    }
    if (ids.length < limit) return;
  }
}

async function admitAll(tenant: string, { acting, admitting, counts }: Round): Promise<void> {
  let batch = pageSize;
  for (let page = 0; page < pagesInRound && batch === pageSize; page += 1) {
    batch = await acting.database.inTenant(tenant, async (tx) =>
      admitProposals({ tx, tenant, now: await acting.storeTime(tx), limit: pageSize }, admitting),
    );
    counts.admitted += batch;
  }
}

/** What sets a threshold is of no decision. */
const none: ReadonlyMap<string, string> = new Map();

/** In order and one by one: nothing is sent for them. */
async function setThresholds(tenant: string, round: Round): Promise<void> {
  const { acting } = round;
  let after: ApprovalPlace | null = null;
  for (let page = 0; page < pagesInRound; page += 1) {
    const next = { tenant, after, limit: pageSize };
    const places: readonly ApprovalPlace[] = await acting.database.inTenant(tenant, (tx) => openSliceApprovals(tx, next));
    for (const { id } of places)
      await apart(
        async () => begin({ tenant, reserved: await reserve({ tenant, ids: [id] }, acting), decisions: none, round }),
        round,
      );
    after = places.at(-1) ?? null;
    if (places.length < pageSize) return;
  }
}

/** Takes what is signed, page by page. Says whether what was begun is what something else waits for, or more pages are there. */
async function takeApprovals(tenant: string, round: Round): Promise<boolean> {
  const { acting, lanes, pauses, places: cursors } = round;
  const pass: Reserved[] = [];
  const decisions = new Map<string, string>();
  for (let page = 0; page < pagesInRound; page += 1) {
    // What is begun is held: no more is begun than there are hands for.
    const limit = Math.min(pageSize, lanes.room(tenant));
    if (limit === 0) break;
    const next = { tenant, after: cursors.get(tenant) ?? null, butOf: pauses.of(tenant), limit };
    const { held, reserved } = await reserveNext(next, acting);
    const last = held.at(-1);
    if (last === undefined || held.length < limit) cursors.delete(tenant);
    else cursors.set(tenant, { id: last.id, at: last.at });
    for (const { id, decision_id: decisionId } of held) if (decisionId !== null) decisions.set(id, decisionId);
    pass.push(...reserved);
    await begin({ tenant, reserved, decisions, round });
    if (held.length < limit) break;
  }
  return cursors.has(tenant) || leavesMore(pass, decisions);
}

/** Says whether what was begun is what something else waits for: an effect before it, or the same change under the same key. */
function leavesMore(pass: readonly Reserved[], decisions: ReadonlyMap<string, string>): boolean {
  const begun = pass.filter(({ kind }) => kind === "reserved" || kind === "joined");
  const moved = new Set(begun.map(({ approvalId }) => decisions.get(approvalId)));
  return pass.some(
    (one) => one.kind === "left" && ((one.isKeyTaken && begun.length > 0) || moved.has(decisions.get(one.approvalId))),
  );
}

/** Sets what was begun under way. What is left or failed is left alone for a while. */
async function begin({
  tenant,
  reserved,
  decisions,
  round,
}: {
  tenant: string;
  reserved: readonly Reserved[];
  /** The decisions of approvals, by the approvals' ids. */
  decisions: ReadonlyMap<string, string>;
  round: Round;
}): Promise<void> {
  const { acting, lanes, pauses, counts, onError } = round;
  for (const one of reserved) count(one, counts);
  if (reserved.some(({ kind }) => kind !== "left" && kind !== "failed")) pauses.end(tenant);
  for (const { kind, approvalId } of reserved) {
    const decisionId = decisions.get(approvalId);
    if (decisionId !== undefined && (kind === "left" || kind === "failed")) pauses.pause(tenant, decisionId);
  }
  for (const one of reserved) {
    if (one.kind === "failed") onError(one.thrown);
    if (one.kind !== "reserved") continue;
    await lanes.run(tenant, async () => {
      await carryOut(one.sendable, acting);
      pauses.end(tenant);
    });
  }
}

function count({ kind }: Reserved, counts: RoundCounts): void {
  if (kind === "reserved") counts.reserved += 1;
  else if (kind === "refused") counts.refused += 1;
  else if (kind === "expired") counts.expired += 1;
  else if (kind === "joined") counts.joined += 1;
  else if (kind === "slice_set") counts.slices += 1;
}
