import type { Desk } from "../../desk.ts";
import { operationsQuery, statesIn } from "../board-requests.ts";
import { pageAt, pageOf } from "../paging.ts";
import { questionOf } from "../requests.ts";
import { idOf, type Routes } from "../routes.ts";

const reads = { method: "GET", who: "overseer", scope: "read" } as const;

/** Adds what is being carried out and what became of it. */
export function addOperationApi(routes: Routes, { desk }: { desk: Desk }): void {
  routes.bearer({ ...reads, path: "/v1/operations" }, async (context, { principal }) => {
    const { state, ...asked } = questionOf(context, operationsQuery);
    return context.json(pageOf(await desk.operations({ principal, ...pageAt(context), states: statesIn(state), ...asked })));
  });
  routes.bearer({ ...reads, path: "/v1/operations/summary" }, async (context, { principal }) =>
    context.json(await desk.operationSummary({ principal })),
  );
  routes.bearer({ ...reads, path: "/v1/operations/:id" }, async (context, { principal }) =>
    context.json(await desk.operation({ principal, id: idOf(context) })),
  );
}
