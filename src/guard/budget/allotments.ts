/** Allotments in the database: what a process draws from a budget, counts, keeps alive and gives back. SQL of `migrations/0010_budgets.sql`. */
import { sql } from "kysely";
import type { Budget } from "../../contract/budget.ts";
import type { Database } from "../../store/database.ts";
import { acrossTenants } from "../../store/every-tenant.ts";

/** A budget in one period, for one subject. */
export interface BudgetPlace {
  readonly tenant: string;
  readonly budget: string;
  /** Empty for the tenant itself. */
  readonly subject: string;
  /** The first day of the period, in UTC. */
  readonly period: string;
}

/** What a draw gave, or how much of the budget is drawn and may come back. */
export type Drawn =
  | { readonly kind: "drawn"; readonly amount: number; readonly remaining: number }
  | { readonly kind: "refused"; readonly elsewhere: number; readonly remaining: number };

/** What is asked of a budget. */
export interface Drawing {
  readonly place: BudgetPlace;
  readonly id: string;
  /** Adds to the allotment of that id. */
  readonly isGrowth: boolean;
  readonly least: number;
  readonly wanted: number;
  readonly leaseMs: number;
}

/** Draws a new allotment, or adds to one that is there; one commit. */
export async function drawAllotment(
  database: Database,
  { place, id, isGrowth, least, wanted, leaseMs }: Drawing,
): Promise<Drawn> {
  const { tenant, budget, subject, period } = place;
  const { rows } = await database.untenanted((store) =>
    sql<{ granted: string | null; elsewhere: string; remaining: string }>`
      select * from countersign.draw_allotment(${tenant}, ${budget}, ${subject}, ${period}::date, ${id}::uuid, ${isGrowth}, ${least}, ${wanted}, ${leaseMs})`.execute(
      store,
    ),
  );
  const row = rows[0];
  const remaining = Number(row?.remaining ?? 0);
  return row === undefined || row.granted === null
    ? { kind: "refused", elsewhere: Number(row?.elsewhere ?? 0), remaining }
    : { kind: "drawn", amount: Number(row.granted), remaining };
}

/** Counts what was used, and gives back all but `kept`. `false` where the allotment is not this process's any more. */
export async function countAllotment(
  database: Database,
  { tenant, id, used, kept, isEnd }: { tenant: string; id: string; used: number; kept: number; isEnd: boolean },
): Promise<boolean> {
  const { rows } = await database.untenanted((store) =>
    sql<{
      counted: boolean;
    }>`select countersign.count_allotment(${tenant}, ${id}::uuid, ${used}, ${kept}, ${isEnd}) as counted`.execute(store),
  );
  return rows[0]?.counted === true;
}

/** Keeps allotments alive; returns those that still are. */
export async function renewAllotments(
  database: Database,
  { tenant, ids, leaseMs }: { tenant: string; ids: readonly string[]; leaseMs: number },
): Promise<ReadonlySet<string>> {
  const { rows } = await database.untenanted((store) =>
    sql<{ id: string }>`select * from countersign.renew_allotments(${tenant}, ${[...ids]}::uuid[], ${leaseMs}) as id`.execute(
      store,
    ),
  );
  return new Set(rows.map(({ id }) => id));
}

/** Takes back what dead processes had drawn, in every tenant; returns how many allotments were closed. `prunes`: closed ones of days ago go. */
export async function takeBackAllotments(database: Database, { prunes = false }: { prunes?: boolean } = {}): Promise<number> {
  const look = `select distinct tenant from countersign.allotment
    where state <> 'closed' and (state = 'closing' or lease_until < clock_timestamp()) order by tenant`;
  const due =
    (await acrossTenants({ database, look: async (tx) => (await sql<{ tenant: string }>`${sql.raw(look)}`.execute(tx)).rows })) ??
    [];
  let closed = 0;
  for (const { tenant } of due) {
    const { rows } = await database.untenanted((store) =>
      sql<{ id: string }>`select * from countersign.mark_allotments(${tenant}) as id`.execute(store),
    );
    for (const { id } of rows) {
      const taken = await database.untenanted((store) =>
        sql<{ taken: boolean }>`select countersign.take_back_allotment(${tenant}, ${id}::uuid) as taken`.execute(store),
      );
      if (taken.rows[0]?.taken === true) closed += 1;
    }
    if (prunes) await database.untenanted((store) => sql`select countersign.prune_allotments(${tenant})`.execute(store));
  }
  return closed;
}

/** The budgets of a tenant. */
export async function readBudgets(database: Database, tenant: string): Promise<readonly Budget[]> {
  return database.inTenant(tenant, async (tx) => {
    const { rows } = await sql<Omit<Budget, "cap"> & { cap: string }>`
      select id, scope, name, unit, period, cap from countersign.budget where tenant = ${tenant} and removed_at is null order by id`.execute(
      tx,
    );
    return rows.map((row) => ({ ...row, cap: Number(row.cap) }));
  });
}
