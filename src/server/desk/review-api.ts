import type { Context, Hono } from "hono";
import { z } from "zod";
import { CountersignError } from "../../contract/errors.ts";
import type { Principal } from "../../contract/principal.ts";
import type { Desk } from "../../desk.ts";
import { readBody } from "../body.ts";
import { editBody, emptyBody, rejectBody, resolveBody } from "../requests.ts";
import { type Forward, passBack } from "./forward.ts";

/** Adds what people do with a decision that waits, that they signed or that was left to them: each answers with the decision as it stands then. */
export function addReviewApi(
  app: Hono,
  {
    desk,
    forward,
    asker,
  }: { desk: Desk; forward: Forward; asker: (context: Context) => { readonly principal: Principal; readonly key: string } },
): void {
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
  app.post("/v1/decisions/:id/resolve", async (context) => {
    const { principal } = asker(context);
    const finding = await readBody(context, resolveBody);
    const { decisionId } = await desk.resolve({ principal, decisionId: context.req.param("id"), ...finding });
    return context.json(await desk.decision({ principal, decisionId }));
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
}

/** The id of the decision that the decider answered with. Throws `service_unavailable` where there is none. */
function idOf(text: string): string {
  const fit = z.looseObject({ id: z.string() }).safeParse(JSON.parse(text));
  if (fit.success) return fit.data.id;
  const message = "the decider gave an answer that is not understood; see that the versions agree";
  throw new CountersignError("service_unavailable", message);
}
