import type { Context, Hono } from "hono";
import { z } from "zod";
import { CountersignError } from "../../contract/errors.ts";
import { limits } from "../../contract/limits.ts";
import { neverAutoPpm } from "../../contract/words.ts";

import type { Desk } from "../../desk.ts";
import { readBody } from "../body.ts";
import { authenticate, type Identify } from "../identity.ts";
import { askBody, decideBody, editBody, emptyBody, rejectBody } from "../requests.ts";
import { type Forward, passBack, passedOn } from "./forward.ts";

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
  app.get("/v1/reviews", async (context) => {
    const { principal } = asker(context);
    return context.json({ items: await desk.reviews({ principal }) });
  });
  app.post("/v1/reviews/:id/approve", async (context) => {
    const { principal } = asker(context);
    await readBody(context, emptyBody);
    const { decisionId } = await desk.approve({ principal, decisionId: context.req.param("id") });
    return context.json(await desk.decision({ principal, decisionId }));
  });
  app.post("/v1/reviews/:id/reject", async (context) => {
    const { principal } = asker(context);
    const { reason } = await readBody(context, rejectBody);
    const { decisionId } = await desk.reject({ principal, decisionId: context.req.param("id"), reason });
    return context.json(await desk.decision({ principal, decisionId }));
  });
  app.post("/v1/reviews/:id/withdraw", async (context) => {
    const { principal } = asker(context);
    await readBody(context, emptyBody);
    const { decisionId } = await desk.withdraw({ principal, decisionId: context.req.param("id") });
    return context.json(await desk.decision({ principal, decisionId }));
  });
  app.post("/v1/reviews/:id/edit", async (context) => {
    const { principal, key } = asker(context);
    const body = await readBody(context, editBody);
    const decisionId = context.req.param("id");
    // Nobody else answers it while the decider is at it. Where the edit is not accepted, it stays with whoever edits.
    await desk.take({ principal, decisionId });
    const { signal } = context.req.raw;
    const answer = await forward({ method: "POST", path: `/v1/decisions/${decisionId}/edit`, key, body, signal });
    if (answer.status >= 300) return passBack(context, answer);
    const successor = idOf(answer.text);
    await desk.supersede({ principal, decisionId, successor });
    return context.json(await desk.decision({ principal, decisionId: successor }), 201);
  });
  for (const verb of ["take", "release"] as const) {
    app.post(`/v1/reviews/:id/${verb}`, async (context) => {
      const { principal } = asker(context);
      await readBody(context, emptyBody);
      const decisionId = context.req.param("id");
      await desk[verb]({ principal, decisionId });
      return context.json(await desk.decision({ principal, decisionId }));
    });
  }
  app.post("/v1/slices", async (context) => {
    const { principal } = asker(context);
    const { approvalIds, entryIds } = await desk.openSlice({ principal, ...(await readBody(context, sliceBody)) });
    return context.json({ approvalId: approvalIds[0], entryId: entryIds[0] }, 201);
  });
}

/** The id of the decision that the decider answered with. Throws `service_unavailable` where there is none. */
function idOf(text: string): string {
  const fit = z.looseObject({ id: z.string() }).safeParse(JSON.parse(text));
  if (fit.success) return fit.data.id;
  const message = "the decider gave an answer that is not understood; see that the versions agree";
  throw new CountersignError("service_unavailable", message);
}

const mostListed = 100;

function limitOf(asked: string | undefined): number {
  return asked !== undefined && /^[1-9][0-9]{0,3}$/.test(asked) ? Math.min(mostListed, Number(asked)) : 20;
}
