import { admitProposals } from "../approve/admit.ts";
import type { Admitting } from "../approve/policy-grant.ts";
import { isCountersignError } from "../contract/errors.ts";
import { acrossTenants } from "../ledger/every-tenant.ts";
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
import { tenantsWithWork } from "./tenants-with-work.ts";

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

/** How many approvals or operations one commit takes in hand. */
const pageSize = 128;

/** What a round is given. */
export interface Round {
  readonly acting: Acting;
  readonly admitting: Admitting;
  readonly lanes: Lanes;
  readonly pauses: Pauses;
  readonly counts: RoundCounts;
  /** Told of what failed for one tenant; the others get their turn. */
  readonly onError: (thrown: unknown) => void;
}

/**
 * One round over every tenant that has something to do. Thresholds that owners signed come first, so that one that was revoked holds
 * for all that follows. Then what people found, and operations whose lease is over, those of all tenants, else recovery would starve
 * behind new work; then what policy may sign, then what is signed. Several workers may run rounds side by side.
 */
export async function workRound(round: Round): Promise<void> {
  const { acting } = round;
  const tenants = (await acrossTenants({ database: acting.database, look: (tx) => tenantsWithWork(tx, acting) })) ?? [];
  for (const step of [setThresholds, resolveAll, reconcileDue, admitAll, takeApprovals]) {
    for (const tenant of tenants) await apart(() => step(tenant, round), round);
  }
}

/** Keeps a fault of one tenant from the others. A database that cannot be reached ends the round: it would fail for all of them. */
async function apart(work: () => Promise<void>, { onError }: Round): Promise<void> {
  try {
    await work();
  } catch (thrown) {
    if (isCountersignError(thrown, "database_unavailable")) throw thrown;
    onError(thrown);
  }
}

async function resolveAll(tenant: string, { acting, lanes, counts, pauses }: Round): Promise<void> {
  await lanes.run(async () => {
    const resolved = await carryOutResolutions(tenant, acting);
    counts.resolved += resolved;
    if (resolved > 0) pauses.end();
  });
}

async function reconcileDue(tenant: string, { acting, lanes, pauses, counts }: Round): Promise<void> {
  for (let found = pageSize; found === pageSize; ) {
    // What is taken over is held: no more is taken than there are hands for.
    await lanes.free(pageSize);
    const ids = await acting.database.inTenant(tenant, async (tx) =>
      dueOperations(tx, { tenant, now: await acting.storeTime(tx), limit: pageSize }),
    );
    found = ids.length;
    if (found === 0) return;
    const { held, lost } = await hold({ tenant, ids }, acting);
    counts.reconciled += held.length + lost;
    for (const one of held) {
      await lanes.run(async () => {
        await reconcile(one, acting);
        pauses.end();
      });
    }
  }
}

async function admitAll(tenant: string, { acting, admitting, lanes, counts }: Round): Promise<void> {
  await lanes.run(async () => {
    for (let batch = pageSize; batch === pageSize; ) {
      batch = await acting.database.inTenant(tenant, async (tx) =>
        admitProposals({ tx, tenant, now: await acting.storeTime(tx), limit: pageSize }, admitting),
      );
      counts.admitted += batch;
    }
  });
}

/** In order and one by one: nothing is sent for them. */
async function setThresholds(tenant: string, round: Round): Promise<void> {
  await eachPage({
    tenant,
    of: "slices",
    round,
    work: async (page) => {
      for (const place of page) await apart(async () => void (await take({ tenant, places: [place], round })), round);
    },
  });
}

/**
 * Takes what is signed, page by page. While a page brought something under way and left something else, such as the next effect of the
 * same proposal, the pages are looked at again.
 */
async function takeApprovals(tenant: string, round: Round): Promise<void> {
  const { lanes, pauses } = round;
  for (let isMoving = true; isMoving; ) {
    const pass: Reserved[] = [];
    const decisions = new Map<string, string>();
    await eachPage({
      tenant,
      of: "effects",
      round,
      work: async (page) => {
        const places = page.filter(({ decisionId }) => decisionId === null || !pauses.isPaused(decisionId));
        if (places.length === 0) return;
        // What is begun is held: no more is begun than there are hands for.
        await lanes.free(places.length);
        for (const { id, decisionId } of places) decisions.set(id, decisionId ?? "");
        pass.push(...(await take({ tenant, places, round })));
      },
    });
    isMoving = leavesMore(pass, decisions);
    if (isMoving) await lanes.idle();
  }
}

/** Says whether what was begun is what something else waits for: an effect before it, or the same change under the same key. */
function leavesMore(pass: readonly Reserved[], decisions: ReadonlyMap<string, string>): boolean {
  const begun = pass.filter(({ kind }) => kind === "reserved" || kind === "joined");
  const moved = new Set(begun.map(({ approvalId }) => decisions.get(approvalId)));
  return pass.some(
    (one) => one.kind === "left" && ((one.isKeyTaken && begun.length > 0) || moved.has(decisions.get(one.approvalId))),
  );
}

async function eachPage({
  tenant,
  of,
  round: { acting },
  work,
}: {
  tenant: string;
  of: "slices" | "effects";
  round: Round;
  work: (page: readonly ApprovalPlace[]) => Promise<void>;
}): Promise<void> {
  let after: ApprovalPlace | null = null;
  for (let found = pageSize; found === pageSize; ) {
    const page: readonly ApprovalPlace[] = await acting.database.inTenant(tenant, (tx) =>
      openApprovals(tx, { tenant, of, after, limit: pageSize }),
    );
    if (page.length > 0) await work(page);
    after = page.at(-1) ?? null;
    found = page.length;
  }
}

/** Takes approvals in one commit and sets what was begun under way. What is left is left alone for a while. */
async function take({
  tenant,
  places,
  round,
}: {
  tenant: string;
  places: readonly ApprovalPlace[];
  round: Round;
}): Promise<readonly Reserved[]> {
  const { acting, lanes, pauses, counts } = round;
  const taken = await reserve({ tenant, ids: places.map(({ id }) => id) }, acting);
  for (const one of taken) count(one, counts);
  if (taken.some(({ kind }) => kind !== "left")) pauses.end();
  const left = new Set(taken.flatMap(({ kind, approvalId }) => (kind === "left" ? [approvalId] : [])));
  for (const { id, decisionId } of places) if (left.has(id) && decisionId !== null) pauses.pause(decisionId);
  for (const one of taken) {
    if (one.kind !== "reserved") continue;
    await lanes.run(async () => {
      await carryOut(one.sendable, acting);
      pauses.end();
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
