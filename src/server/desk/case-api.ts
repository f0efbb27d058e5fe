import type { Desk } from "../../desk.ts";
import { readBody } from "../body.ts";
import { pageAt, pageOf } from "../paging.ts";
import { caseEventBody, caseStartBody, casesQuery, idempotencyKeyOf, questionOf } from "../requests.ts";
import { idOf, type Routes } from "../routes.ts";

const asks = { method: "POST", who: "account", scope: "ask" } as const;
const reads = { method: "GET", who: "account", scope: "read" } as const;

/** Adds cases: starting one, telling it what happened, and looking how far it is. Each answers with the case as it stands then. */
export function addCaseApi(routes: Routes, { desk }: { desk: Desk }): void {
  routes.bearer({ ...asks, path: "/v1/cases" }, async (context, { principal }) => {
    const { case: name, key = null, input } = await readBody(context, caseStartBody);
    const { view, isNew } = await desk.cases.start({ principal, case: name, key, input });
    return context.json(view, isNew ? 201 : 200);
  });
  routes.bearer({ ...reads, path: "/v1/cases" }, async (context, { principal }) => {
    const asked = questionOf(context, casesQuery);
    return context.json(pageOf(await desk.cases.list({ principal, ...pageAt(context), ...asked })));
  });
  routes.bearer({ ...reads, path: "/v1/cases/:id" }, async (context, { principal }) =>
    context.json(await desk.cases.one({ principal, id: idOf(context) })),
  );
  routes.bearer({ ...asks, path: "/v1/cases/:id/events" }, async (context, { principal }) => {
    const { event, body } = await readBody(context, caseEventBody);
    const key = idempotencyKeyOf(context.req.header("idempotency-key"));
    const { view, isNew } = await desk.cases.tell({ principal, id: idOf(context), event, body, key });
    return context.json(view, isNew ? 201 : 200);
  });
}
