import type { Context, Hono } from "hono";
import { z } from "zod";
import { limits } from "../../contract/limits.ts";
import { neverAutoPpm } from "../../contract/words.ts";

import type { Desk } from "../../desk.ts";
import { readBody } from "../body.ts";
import { authenticate, type Identify } from "../identity.ts";
import { askBody, decideBody } from "../requests.ts";
import { addCaseApi } from "./case-api.ts";
import { type Forward, passBack, passedOn } from "./forward.ts";
import { addHaltApi } from "./halt-api.ts";
import { addReviewApi } from "./review-api.ts";

const sliceBody = z.strictObject({
  capability: z.string().min(1).max(limits.idLength),
  slice: z.string().min(1).max(limits.idLength),
  thresholdPpm: z.int().min(0).max(neverAutoPpm),
});

/** Adds the JSON API to the desk's app. What decides is forwarded in the caller's name; what signs happens here. */
export function addApi(app: Hono, { desk, identify, forward }: { desk: Desk; identify: Identify; forward: Forward }): void {
  const asker = (context: Context) => authenticate(context, identify);
  const begin = async (context: Context, path: string, schema: z.ZodType): Promise<Response> => {
    const { key } = asker(context);
    const body = await readBody(context, schema);
    const { signal } = context.req.raw;
    return passBack(context, await forward({ method: "POST", path, key, body, headers: passedOn(context), signal }));
  };
  app.post("/v1/decisions", (context) => begin(context, "/v1/decisions", decideBody));
  app.post("/v1/ask", (context) => begin(context, "/v1/ask", askBody));
  app.get("/v1/decisions", async (context) => {
    const { principal } = asker(context);
    return context.json({ items: await desk.mine({ principal, limit: limitOf(context.req.query("limit")) }) });
  });
  app.get("/v1/decisions/:id", async (context) => {
    const { principal } = asker(context);
    return context.json(await desk.decision({ principal, decisionId: context.req.param("id") }));
  });
  app.get("/v1/decisions/:id/story", async (context) => {
    const { principal } = asker(context);
    return context.json({ items: await desk.story({ principal, decisionId: context.req.param("id") }) });
  });
  app.get("/v1/decisions/:id/explanation", async (context) => {
    const { principal } = asker(context);
    return context.json(await desk.explanation({ principal, decisionId: context.req.param("id") }));
  });
  addReviewApi(app, { desk, forward, asker });
  addHaltApi(app, { desk, asker });
  addCaseApi(app, { desk, asker });
  app.post("/v1/slices", async (context) => {
    const { principal } = asker(context);
    const { approvalIds, entryIds } = await desk.openSlice({ principal, ...(await readBody(context, sliceBody)) });
    return context.json({ approvalId: approvalIds[0], entryId: entryIds[0] }, 201);
  });
}

const mostListed = 100;

function limitOf(asked: string | undefined): number {
  return asked !== undefined && /^[1-9][0-9]{0,3}$/.test(asked) ? Math.min(mostListed, Number(asked)) : 20;
}
