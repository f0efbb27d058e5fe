import { admitProposals } from "../approve/admit.ts";
import type { Admitting } from "../approve/policy-grant.ts";
import { isCountersignError } from "../contract/errors.ts";
import { acrossTenants } from "../store/every-tenant.ts";
import type { Acting } from "./acting.ts";
import { carryOut } from "./apply.ts";
import { type ApprovalPlace, openApprovals } from "./approvals.ts";
import { hold } from "./hold.ts";
import type { Lanes } from "./lanes.ts";
import { dueOperations } from "./operations.ts";
import type { Pauses } from "./pauses.ts";
import { reconcile } from "./reconcile.ts";
import { type Reserved, reserve } from "./reserve.ts";
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
const pageSize = 128;
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
  const found = (await acrossTenants({ database: acting.database, look: (tx) => tenantsWithWork(tx, acting) })) ?? [];
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

/** In order and one by one: nothing is sent for them. */
async function setThresholds(tenant: string, round: Round): Promise<void> {
  let after: ApprovalPlace | null = null;
  for (let page = 0; page < pagesInRound; page += 1) {
    const places: readonly ApprovalPlace[] = await openPage({ tenant, of: "slices", after, limit: pageSize }, round);
    for (const place of places) await apart(async () => void (await take({ tenant, places: [place], round })), round);
    after = places.at(-1) ?? null;
    if (places.length < pageSize) return;
  }
}

/** Takes what is signed, page by page. Says whether what was begun is what something else waits for, or more pages are there. */
async function takeApprovals(tenant: string, round: Round): Promise<boolean> {
  const { lanes, pauses, places: cursors } = round;
  const pass: Reserved[] = [];
  const decisions = new Map<string, string>();
  for (let page = 0; page < pagesInRound; page += 1) {
    // What is begun is held: no more is begun than there are hands for.
    const limit = Math.min(pageSize, lanes.room(tenant));
    if (limit === 0) break;
    const places = await openPage({ tenant, of: "effects", after: cursors.get(tenant) ?? null, limit }, round);
    const last = places.at(-1);
    if (last === undefined || places.length < limit) cursors.delete(tenant);
    else cursors.set(tenant, last);
    const looking = places.filter(({ decisionId }) => decisionId === null || !pauses.isPaused(decisionId));
    for (const { id, decisionId } of looking) decisions.set(id, decisionId ?? "");
    if (looking.length > 0) pass.push(...(await take({ tenant, places: looking, round })));
    if (places.length < limit) break;
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

function openPage(
  page: { tenant: string; of: "slices" | "effects"; after: ApprovalPlace | null; limit: number },
  { acting }: Round,
): Promise<readonly ApprovalPlace[]> {
  return acting.database.inTenant(page.tenant, (tx) => openApprovals(tx, page));
}

/** Takes approvals in one commit and sets what was begun under way. What is left or failed is left alone for a while. */
async function take({
  tenant,
  places,
  round,
}: {
  tenant: string;
  places: readonly ApprovalPlace[];
  round: Round;
}): Promise<readonly Reserved[]> {
  const { acting, lanes, pauses, counts, onError } = round;
  const taken = await reserve({ tenant, ids: places.map(({ id }) => id) }, acting);
  for (const one of taken) count(one, counts);
  if (taken.some(({ kind }) => kind !== "left" && kind !== "failed")) pauses.end(tenant);
  const resting = new Set(taken.flatMap(({ kind, approvalId }) => (kind === "left" || kind === "failed" ? [approvalId] : [])));
  for (const { id, decisionId } of places) if (resting.has(id) && decisionId !== null) pauses.pause(tenant, decisionId);
  for (const one of taken) {
    if (one.kind === "failed") onError(one.thrown);
    if (one.kind !== "reserved") continue;
    await lanes.run(tenant, async () => {
      await carryOut(one.sendable, acting);
      pauses.end(tenant);
    });
  }
  return taken;
}

function count({ kind }: Reserved, counts: RoundCounts): void {
  if (kind === "reserved") counts.reserved += 1;
  else if (kind === "refused") counts.refused += 1;
  else if (kind === "expired") counts.expired += 1;
  else if (kind === "joined") counts.joined += 1;
  else if (kind === "slice_set") counts.slices += 1;
}
