import type { Context } from "hono";
import type { z } from "zod";
import type { Identity } from "../../contract/identity.ts";
import type { Desk } from "../../desk.ts";
import { readBody } from "../body.ts";
import { pageAt, pageOf } from "../paging.ts";
import { askBody, decideBody, decisionsQuery, questionOf } from "../requests.ts";
import { idOf, type Routes } from "../routes.ts";
import { addAutonomyApi } from "./autonomy-api.ts";
import { addBoardApi } from "./board-api.ts";
import { addCaseApi } from "./case-api.ts";
import { type Forward, passBack, passedOn } from "./forward.ts";
import { addHaltApi } from "./halt-api.ts";
import { addKnowledgeApi } from "./knowledge-api.ts";
import { addLedgerApi } from "./ledger-api.ts";
import { addOperationApi } from "./operation-api.ts";
import { addReviewApi } from "./review-api.ts";
import { addSpendApi } from "./spend-api.ts";

const asks = { method: "POST", who: "account", scope: "ask" } as const;
const reads = { method: "GET", who: "account", scope: "read" } as const;

/** Adds the JSON API to the desk's routes. What decides is forwarded in the caller's name; what signs happens here. */
export function addApi(routes: Routes, { desk, forward }: { desk: Desk; forward: Forward }): void {
  const begin = (path: string, schema: z.ZodType) => async (context: Context, identity: Identity) => {
    const body = await readBody(context, schema);
    const { signal } = context.req.raw;
    return passBack(
      context,
      await forward({ method: "POST", path, identity, body, headers: passedOn(context), begins: true, signal }),
    );
  };
  routes.bearer({ ...asks, path: "/v1/decisions" }, begin("/v1/decisions", decideBody));
  routes.bearer({ ...asks, path: "/v1/ask" }, begin("/v1/ask", askBody));
  routes.bearer({ ...reads, path: "/v1/decisions" }, async (context, { principal }) =>
    context.json(pageOf(await desk.decisions({ principal, ...pageAt(context), ...questionOf(context, decisionsQuery) }))),
  );
  routes.bearer({ ...reads, path: "/v1/decisions/:id" }, async (context, { principal }) =>
    context.json(await desk.decision({ principal, decisionId: idOf(context) })),
  );
  routes.bearer({ ...reads, path: "/v1/decisions/:id/story" }, async (context, { principal }) =>
    context.json({ items: await desk.story({ principal, decisionId: idOf(context) }) }),
  );
  routes.bearer({ ...reads, path: "/v1/decisions/:id/explanation" }, async (context, { principal }) =>
    context.json(await desk.explanation({ principal, decisionId: idOf(context) })),
  );
  addBoardApi(routes, { desk });
  addOperationApi(routes, { desk });
  addLedgerApi(routes, { desk });
  addReviewApi(routes, { desk, forward });
  addHaltApi(routes, { desk });
  addSpendApi(routes, { desk });
  addCaseApi(routes, { desk });
  addKnowledgeApi(routes, { forward });
  addAutonomyApi(routes, { desk });
}
