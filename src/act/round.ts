import { admitProposals } from "../approve/admit.ts";
import type { Admitting } from "../approve/policy-grant.ts";
import { isCountersignError } from "../contract/errors.ts";
import { acrossTenants } from "../ledger/every-tenant.ts";
import type { Acting } from "./acting.ts";
import { carryOut } from "./apply.ts";
import { type ApprovalPlace, openApprovals } from "./approvals.ts";
import type { Lanes } from "./lanes.ts";
import { dueOperations } from "./operations.ts";
import type { Pauses } from "./pauses.ts";
import { reconcile } from "./reconcile.ts";
import { type Reserved, reserve } from "./reserve.ts";
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
}

/** How many rows one query of a round brings. */
const pageSize = 64;

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
 * for all that follows. Then operations whose lease is over, those of all tenants, else recovery would starve behind new work; then
 * what policy may sign, then what is signed. Several workers may run rounds side by side.
 */
export async function workRound(round: Round): Promise<void> {
  const { acting } = round;
  const tenants = (await acrossTenants({ database: acting.database, look: (tx) => tenantsWithWork(tx, acting) })) ?? [];
  for (const step of [setThresholds, reconcileDue, admitAll, takeApprovals]) {
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

async function reconcileDue(tenant: string, { acting, lanes, pauses, counts }: Round): Promise<void> {
  const ids = await acting.database.inTenant(tenant, async (tx) =>
    dueOperations(tx, { tenant, now: await acting.storeTime(tx), limit: pageSize }),
  );
  for (const id of ids) {
    await lanes.run(async () => {
      if (!(await reconcile({ tenant, id }, acting))) return;
      counts.reconciled += 1;
      pauses.end();
    });
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
  await eachOpen({ tenant, of: "slices", round, work: (place) => apart(() => take({ tenant, place, round }), round) });
}

async function takeApprovals(tenant: string, round: Round): Promise<void> {
  const { lanes, pauses } = round;
  await eachOpen({
    tenant,
    of: "effects",
    round,
    work: async (place) => {
      if (place.decisionId !== null && pauses.isPaused(place.decisionId)) return;
      await lanes.run(() => take({ tenant, place, round }));
    },
  });
}

async function eachOpen({
  tenant,
  of,
  round: { acting },
  work,
}: {
  tenant: string;
  of: "slices" | "effects";
  round: Round;
  work: (place: ApprovalPlace) => Promise<void>;
}): Promise<void> {
  let after: ApprovalPlace | null = null;
  for (let found = pageSize; found === pageSize; ) {
    const page: readonly ApprovalPlace[] = await acting.database.inTenant(tenant, (tx) =>
      openApprovals(tx, { tenant, of, after, limit: pageSize }),
    );
    for (const place of page) await work(place);
    after = page.at(-1) ?? null;
    found = page.length;
  }
}

async function take({ tenant, place, round }: { tenant: string; place: ApprovalPlace; round: Round }): Promise<void> {
  const { acting, pauses, counts } = round;
  const reserved = await reserve({ tenant, approvalId: place.id }, acting);
  count(reserved, counts);
  if (reserved.kind === "left") {
    if (place.decisionId !== null) pauses.pause(place.decisionId);
    return;
  }
  if (reserved.kind === "reserved") await carryOut(reserved.sendable, acting);
  pauses.end();
}

function count({ kind }: Reserved, counts: RoundCounts): void {
  if (kind === "reserved") counts.reserved += 1;
  else if (kind === "refused") counts.refused += 1;
  else if (kind === "expired") counts.expired += 1;
  else if (kind === "joined") counts.joined += 1;
  else if (kind === "slice_set") counts.slices += 1;
}
