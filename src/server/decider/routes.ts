import type { Context, Hono } from "hono";
import type { Principal } from "../../contract/principal.ts";
import type { DecisionView } from "../../contract/views.ts";
import type { Decider } from "../../decider.ts";
import { readBody } from "../body.ts";
import { authenticate, type Identify } from "../identity.ts";
import type { FaultLog } from "../problem.ts";
import { askBody, askKeyOf, decideBody, editBody, idempotencyKeyOf, waitMsOf } from "../requests.ts";
import { createRoutes } from "../routes.ts";
import { createWaiting } from "./wait.ts";

/**
 * The decider's HTTP side: asks, decisions, one decision. Every route but `/healthz` needs a key of the decider's own audience
 * (`decider-key.ts`); it listens on a private address. At most `mostWaiting` callers wait for a verdict at once.
 */
export function deciderRoutes({
  decider,
  identify,
  log,
  mostWaiting,
}: {
  decider: Decider;
  identify: Identify;
  log: FaultLog;
  mostWaiting?: number;
}): Hono {
  const app = createRoutes({ log });
  const waitForEnd = createWaiting(decider, mostWaiting);
  const seen = async (context: Context, principal: Principal, view: DecisionView): Promise<DecisionView> => {
    const ms = waitMsOf(context.req.header("prefer"));
    return ms === 0 ? view : waitForEnd({ principal, view, ms, signal: context.req.raw.signal });
  };
  app.post("/v1/decisions", async (context) => {
    const { principal } = authenticate(context, identify);
    const { capability, inputs } = await readBody(context, decideBody);
    const idempotencyKey = idempotencyKeyOf(context.req.header("idempotency-key"));
    const view = await decider.decide({ principal, capability, inputs, idempotencyKey });
    return context.json(await seen(context, principal, view), 201);
  });
  // A person at the desk decides in a model's place; the desk then puts the new decision in the place of the old one.
  app.post("/v1/decisions/:id/edit", async (context) => {
    const { principal } = authenticate(context, identify);
    const { decision } = await readBody(context, editBody);
    return context.json(await decider.edit({ principal, decisionId: context.req.param("id"), decision }), 201);
  });
  app.post("/v1/ask", async (context) => {
    const { principal } = authenticate(context, identify);
    const { text } = await readBody(context, askBody);
    const idempotencyKey = askKeyOf(context.req.header("idempotency-key"));
    const asked = await decider.ask({ principal, text, idempotencyKey });
    if (asked.kind === "asked_back") return context.json(asked, 201);
    return context.json({ ...asked, decision: await seen(context, principal, asked.decision) }, 201);
  });
  app.get("/v1/decisions/:id", async (context) => {
    const { principal } = authenticate(context, identify);
    return context.json(await decider.decision({ principal, decisionId: context.req.param("id") }));
  });
  app.get("/v1/decisions/:id/story", async (context) => {
    const { principal } = authenticate(context, identify);
    return context.json({ items: await decider.story({ principal, decisionId: context.req.param("id") }) });
  });
  return app;
}
