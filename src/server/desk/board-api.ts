import { z } from "zod";
import type { Desk } from "../../desk.ts";
import { evalsQuery, explainBody, healthQuery, routingQuery } from "../board-requests.ts";
import { readBody } from "../body.ts";
import { pageOf, pagingOf } from "../paging.ts";
import { questionOf } from "../requests.ts";
import { idOf, type Routes } from "../routes.ts";

const reads = { method: "GET", who: "overseer", scope: "read" } as const;
const orderKey = z.tuple([z.int().min(1)]);

/** Adds how the project goes: its eval runs, models, policies and document sources, how decisions are routed, and how reviewing goes. */
export function addBoardApi(routes: Routes, { desk }: { desk: Desk }): void {
  routes.bearer({ ...reads, path: "/v1/evals" }, async (context, { principal }) => {
    const { limit, after } = pagingOf(context, orderKey);
    const asked = questionOf(context, evalsQuery);
    return context.json(pageOf(await desk.evalRuns({ principal, limit, after: after?.[0] ?? null, ...asked })));
  });
  routes.bearer({ ...reads, path: "/v1/evals/:id" }, async (context, { principal }) =>
    context.json(await desk.evalRun({ principal, id: idOf(context) })),
  );
  routes.bearer({ ...reads, path: "/v1/models" }, async (context, { principal }) =>
    context.json(await desk.models({ principal })),
  );
  routes.bearer({ ...reads, path: "/v1/policies", who: "auditor" }, async (context, { principal }) =>
    context.json(await desk.policies({ principal })),
  );
  routes.bearer({ method: "POST", path: "/v1/policies/explain", who: "auditor", scope: "read" }, async (context, { principal }) =>
    context.json(await desk.explainPolicy({ principal, question: await readBody(context, explainBody) })),
  );
  routes.bearer({ ...reads, path: "/v1/reviews/health" }, async (context, { principal }) =>
    context.json(await desk.reviewHealth({ principal, ...questionOf(context, healthQuery) })),
  );
  routes.bearer({ ...reads, path: "/v1/knowledge/sources" }, async (context, { principal }) =>
    context.json({ items: await desk.sources({ principal }), next: null }),
  );
  routes.bearer({ ...reads, path: "/v1/routing" }, async (context, { principal }) =>
    context.json(await desk.routing({ principal, ...questionOf(context, routingQuery) })),
  );
}
