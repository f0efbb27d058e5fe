import { CompiledQuery } from "kysely";
import type { Budget } from "../../contract/budget.ts";
import { CountersignError } from "../../contract/errors.ts";
import type { BudgetView } from "../../contract/spend.ts";
import type { Tx } from "../../store/database.ts";
import { asOwner } from "../../store/owner.ts";

/** A budget of one tenant of several. */
export interface ListedBudget extends BudgetView {
  readonly tenant: string;
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
  return asOwner(adminUrl, async (client) => (await client.query<BudgetRow>(budgetQuery, [tenant])).rows.map(listed));
}

/** The budgets of one tenant, for whoever may see them there. */
export async function readBudgetUse(tx: Tx, tenant: string): Promise<readonly BudgetView[]> {
  const { rows } = await tx.executeQuery<BudgetRow>(CompiledQuery.raw(budgetQuery, [tenant]));
  return rows.map(listed).map(({ tenant: _, ...budget }) => budget);
}

type BudgetRow = Omit<ListedBudget, "cap"> & { readonly cap: string };

const budgetQuery = `
  select b.tenant, b.id, b.scope, b.name, b.unit, b.period, b.cap,
    coalesce((select json_agg(json_build_object('subject', u.subject, 'used', u.used, 'drawn', u.drawn) order by u.subject)
      from budget_use u where u.tenant = b.tenant and u.budget = b.id and u.period = case b.period when 'ever' then '1970-01-01'
        else date_trunc(b.period, clock_timestamp() at time zone 'UTC')::date end), '[]') as uses
  from budget b where ($1::text is null or b.tenant = $1) and b.removed_at is null order by b.tenant, b.id`;

function listed({ cap, ...row }: BudgetRow): ListedBudget {
  return { ...row, cap: Number(cap) };
}
