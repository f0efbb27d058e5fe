import { CountersignError } from "../../contract/errors.ts";
import { spendGroups } from "../../contract/spend.ts";
import type { Desk } from "../../desk.ts";
import { spendQuery } from "../requests.ts";
import type { Routes } from "../routes.ts";

const reads = { method: "GET", who: "overseer", scope: "read" } as const;

/** Adds what was spent and the budgets that are set: figures of the caller's own tenant. */
export function addSpendApi(routes: Routes, { desk }: { desk: Desk }): void {
  routes.bearer({ ...reads, path: "/v1/spend" }, async (context, { principal }) => {
    const read = spendQuery.safeParse(context.req.query());
    if (!read.success)
      throw new CountersignError(
        "bad_request",
        `ask \`/v1/spend\` by one of ${spendGroups.join(", ")}, \`from\` a day and \`before\` a day such as 2026-03-31`,
      );
    const { by, from = null, before = null } = read.data;
    return context.json(await desk.spend({ principal, by, from, before }));
  });
  routes.bearer({ ...reads, path: "/v1/budgets" }, async (context, { principal }) =>
    context.json({ items: await desk.budgets({ principal }) }),
  );
}
