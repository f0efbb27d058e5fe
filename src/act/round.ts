import { sql } from "kysely";
import { admitProposals } from "../approve/admit.ts";
import type { Admitting } from "../approve/policy-grant.ts";
import { acrossTenants } from "../ledger/everyTenant.ts";
import type { Tx } from "../store/database.ts";
import type { Acting } from "./acting.ts";
import { carryOut } from "./apply.ts";
import { type ApprovalPlace, openApprovals } from "./approvals.ts";
import type { Lanes } from "./lanes.ts";
import { dueOperations, openStates } from "./operations.ts";
import { reconcile } from "./reconcile.ts";
import { type Reserved, reserve } from "./reserve.ts";

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
  /** Approvals whose change had been made under the same business key. */
  joined: number;
  /** Thresholds that were set. */
  slices: number;
}

/** How many rows one query of a round brings. */
const pageSize = 64;

/**
 * One round over every tenant that has something to do. Operations whose lease is over come first, else recovery would starve behind
 * new work; then what policy may sign, then what is signed. Several workers may run rounds side by side.
 */
export async function workRound({
  acting,
  admitting,
  lanes,
  counts,
}: {
  acting: Acting;
  admitting: Admitting;
  lanes: Lanes;
  counts: RoundCounts;
}): Promise<void> {
  const tenants = (await acrossTenants({ database: acting.database, look: (tx) => tenantsWithWork(tx, acting) })) ?? [];
  for (const tenant of tenants) {
    await reconcileDue({ tenant, acting, lanes, counts });
    await lanes.run(async () => {
      counts.admitted += await admitAll({ tenant, acting, admitting });
    });
    await takeApprovals({ tenant, acting, lanes, counts });
  }
}

async function tenantsWithWork(tx: Tx, acting: Acting): Promise<readonly string[]> {
  const now = new Date(await acting.storeTime(tx));
  const { rows } = await sql<{ id: string }>`
    select id from tenant t
    where exists (select from approval a where a.tenant = t.id and a.state = 'granted')
      or exists (select from operation o where o.tenant = t.id and o.state in (${sql.join([...openStates])})
        and o.due_at <= ${now} and o.lease_until <= ${now})
      or exists (select from entry e where e.tenant = t.id and e.kind = 'decided' and e.route = 'auto' and e.effects > 0
        and (e.xid, e.n) > (select coalesce(max(p.xid), '0'::xid8), coalesce(max(p.n), 0) from progress p
          where p.tenant = t.id and p.reader = 'admit'))
    order by id`.execute(tx);
  return rows.map((row) => row.id);
}

async function reconcileDue({
  tenant,
  acting,
  lanes,
  counts,
}: {
  tenant: string;
  acting: Acting;
  lanes: Lanes;
  counts: RoundCounts;
}): Promise<void> {
  const ids = await acting.database.inTenant(tenant, async (tx) =>
    dueOperations(tx, { tenant, now: await acting.storeTime(tx), limit: pageSize }),
  );
  for (const id of ids) {
    await lanes.run(async () => {
      if (await reconcile({ tenant, id }, acting)) counts.reconciled += 1;
    });
  }
}

async function admitAll({
  tenant,
  acting,
  admitting,
}: {
  tenant: string;
  acting: Acting;
  admitting: Admitting;
}): Promise<number> {
  let admitted = 0;
  for (let batch = pageSize; batch === pageSize; ) {
    batch = await acting.database.inTenant(tenant, async (tx) =>
      admitProposals({ tx, tenant, now: await acting.storeTime(tx), limit: pageSize }, admitting),
    );
    admitted += batch;
  }
  return admitted;
}

async function takeApprovals({
  tenant,
  acting,
  lanes,
  counts,
}: {
  tenant: string;
  acting: Acting;
  lanes: Lanes;
  counts: RoundCounts;
}): Promise<void> {
  let after: ApprovalPlace | null = null;
  for (let found = pageSize; found === pageSize; ) {
    const page: readonly ApprovalPlace[] = await acting.database.inTenant(tenant, (tx) =>
      openApprovals(tx, { tenant, after, limit: pageSize }),
    );
    for (const { id } of page) await lanes.run(() => take({ tenant, approvalId: id, acting, counts }));
    after = page.at(-1) ?? null;
    found = page.length;
  }
}

async function take({
  tenant,
  approvalId,
  acting,
  counts,
}: {
  tenant: string;
  approvalId: string;
  acting: Acting;
  counts: RoundCounts;
}): Promise<void> {
  const reserved = await reserve({ tenant, approvalId }, acting);
  count(reserved, counts);
  if (reserved.kind === "reserved") await carryOut(reserved.sendable, acting);
}

function count({ kind }: Reserved, counts: RoundCounts): void {
  if (kind === "reserved") counts.reserved += 1;
  else if (kind === "refused") counts.refused += 1;
  else if (kind === "joined") counts.joined += 1;
  else if (kind === "slice_set") counts.slices += 1;
}
