import type pg from "pg";
import type { Budget } from "../../contract/budget.ts";
import { CountersignError } from "../../contract/errors.ts";
import { asOwner } from "../../store/owner.ts";

/** A budget with what is used of it in the period that runs now, over all its subjects. */
export interface ListedBudget extends Budget {
  readonly tenant: string;
  readonly uses: readonly {
    readonly subject: string;
    readonly used: number;
    /** Drawn by processes and not used yet. */
    readonly drawn: number;
  }[];
}

/** Sets a budget, or its cap anew; in force within seconds. Throws `not_found` where there is no such tenant. */
export function setBudget(adminUrl: string, { tenant, ...budget }: Budget & { tenant: string }): Promise<void> {
  return asOwner(adminUrl, async (client) => {
    const { id, scope, name, unit, period, cap } = budget;
    const known = await client.query("select from tenant where id = $1 and state <> 'closed'", [tenant]);
    if (known.rowCount === 0) throw new CountersignError("not_found", `there is no tenant \`${tenant}\``);
    const put = await client.query(
      `insert into budget (tenant, id, scope, name, unit, period, cap) values ($1, $2, $3, $4, $5, $6, $7)
       on conflict (tenant, id) do update set cap = excluded.cap, set_at = clock_timestamp(), removed_at = null
       where (budget.scope, budget.name, budget.unit, budget.period) = (excluded.scope, excluded.name, excluded.unit, excluded.period)`,
      [tenant, id, scope, name, unit, period, cap],
    );
    if (put.rowCount === 0) {
      const message = `budget \`${id}\` counts something else; of a budget only the cap is changed: take another id`;
      throw new CountersignError("bad_request", message);
    }
  });
}

/** Removes a budget; what is used of it is kept, so setting it again does not begin anew. What runs have taken of it by now is theirs. Throws `not_found`. */
export function removeBudget(adminUrl: string, { tenant, id }: { tenant: string; id: string }): Promise<void> {
  return asOwner(adminUrl, async (client) => {
    const removed = await client.query(
      "update budget set removed_at = clock_timestamp() where tenant = $1 and id = $2 and removed_at is null",
      [tenant, id],
    );
    if (removed.rowCount === 0) throw new CountersignError("not_found", `tenant \`${tenant}\` has no budget \`${id}\``);
  });
}

/** Lists budgets with what is used of them; of all tenants where none is named. */
export function listBudgets(adminUrl: string, tenant: string | null): Promise<readonly ListedBudget[]> {
  return asOwner(adminUrl, async (client) => {
    const { rows } = await client.query<Omit<ListedBudget, "uses" | "cap"> & { cap: string }>(
      `select tenant, id, scope, name, unit, period, cap from budget where ($1::text is null or tenant = $1) and removed_at is null order by tenant, id`,
      [tenant],
    );
    return Promise.all(rows.map(async (row) => ({ ...row, cap: Number(row.cap), uses: await usesOf(client, row) })));
  });
}

async function usesOf(client: pg.Client, { tenant, id }: { tenant: string; id: string }): Promise<ListedBudget["uses"]> {
  const { rows } = await client.query(
    `select u.subject, u.used::float8, u.drawn::float8 from budget_use u join budget b on b.tenant = u.tenant and b.id = u.budget
     where u.tenant = $1 and u.budget = $2 and u.period = case b.period when 'ever' then '1970-01-01'
       else date_trunc(b.period, clock_timestamp() at time zone 'UTC')::date end order by u.subject`,
    [tenant, id],
  );
  return rows;
}
