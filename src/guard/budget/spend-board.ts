import type { Door } from "../../contract/permitted.ts";
import type { Principal } from "../../contract/principal.ts";
import type { BudgetView, SpendGroup, SpendView } from "../../contract/spend.ts";
import type { Database } from "../../store/database.ts";
import type { StoreTime } from "../../store/time.ts";
import { readBudgetUse } from "./manage-budgets.ts";
import { spendView } from "./spend-report.ts";

/** What people are told of money; `forbidden` for whoever that board is not open to. */
export interface SpendBoard {
  /** What the tenant spent, from one day to before another, with a forecast of the month. */
  readonly spend: (asking: {
    principal: Principal;
    by: SpendGroup;
    from: string | null;
    before: string | null;
  }) => Promise<SpendView>;
  /** The tenant's budgets, and what is used of each now. */
  readonly budgets: (asking: { principal: Principal }) => Promise<readonly BudgetView[]>;
}

/** Opens the board. */
export function spendBoard({ database, door, storeTime }: { database: Database; door: Door; storeTime: StoreTime }): SpendBoard {
  return {
    spend: async ({ principal, by, from, before }) => {
      door(principal);
      const { tenant } = principal;
      return database.inTenant(tenant, async (tx) => spendView({ tx, tenant, by, from, before, now: await storeTime(tx) }));
    },
    budgets: async ({ principal }) => {
      door(principal);
      return database.inTenant(principal.tenant, (tx) => readBudgetUse(tx, principal.tenant));
    },
  };
}
