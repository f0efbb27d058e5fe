import type { Context } from "hono";
import type { Identify } from "../../contract/identity.ts";
import type { Principal } from "../../contract/principal.ts";
import type { DecisionView } from "../../contract/views.ts";
import type { Decider } from "../../decider.ts";
import { readBody } from "../body.ts";
import type { FaultLog } from "../problem.ts";
import { askBody, askKeyOf, decideBody, editBody, idempotencyKeyOf, referenceTimeOf, sessionOf, waitMsOf } from "../requests.ts";
import { createRoutes, idOf, type Routes } from "../routes.ts";
import { addKnowledge } from "./knowledge-routes.ts";
import { createWaiting } from "./wait.ts";

/**
 * The decider's HTTP side: asks, decisions, one decision. Every route but `/healthz` needs an assertion of a desk, which says on whose
 * behalf it calls; it listens on a private address. At most `mostWaiting` callers wait for a verdict at once.
 */
export function deciderRoutes({
  decider,
  identify,
  log,
  mostWaiting,
  mostAtOnce,
}: {
  decider: Decider;
  /** Reads assertions. */
  identify: Identify;
  log: FaultLog;
  mostWaiting?: number;
  /** Requests in work at once; as many as usual where it is left out. */
  mostAtOnce?: number;
}): Routes {
  const routes = createRoutes({ log, identify, ...(mostAtOnce === undefined ? {} : { mostAtOnce }) });
  const waitForEnd = createWaiting(decider, mostWaiting);
  const seen = async (context: Context, principal: Principal, view: DecisionView): Promise<DecisionView> => {
    const ms = waitMsOf(context.req.header("prefer"));
    return ms === 0 ? view : waitForEnd({ principal, view, ms, signal: context.req.raw.signal });
  };
  routes.bearer({ method: "POST", path: "/v1/decisions", who: "account", scope: "ask" }, async (context, { principal }) => {
    const { capability, inputs } = await readBody(context, decideBody);
    const idempotencyKey = idempotencyKeyOf(context.req.header("idempotency-key"));
    const view = await decider.decide({ principal, capability, inputs, idempotencyKey, ...aroundOf(context) });
    return context.json(await seen(context, principal, view), 201);
  });
  // A person at the desk decides in a model's place; the desk then puts the new decision in the place of the old one.
  const edit = { method: "POST", path: "/v1/decisions/:id/edit", who: "approver", scope: "review" } as const;
  routes.bearer(edit, async (context, { principal }) => {
    const { decision } = await readBody(context, editBody);
    return context.json(await decider.edit({ principal, decisionId: idOf(context), decision }), 201);
  });
  routes.bearer({ method: "POST", path: "/v1/ask", who: "account", scope: "ask" }, async (context, { principal }) => {
    const { text } = await readBody(context, askBody);
    const idempotencyKey = askKeyOf(context.req.header("idempotency-key"));
    const asked = await decider.ask({ principal, text, idempotencyKey, ...aroundOf(context) });
    if (asked.kind === "asked_back") return context.json(asked, 201);
    return context.json({ ...asked, decision: await seen(context, principal, asked.decision) }, 201);
  });
  routes.bearer({ method: "GET", path: "/v1/decisions/:id", who: "account", scope: "read" }, async (context, { principal }) =>
    context.json(await decider.decision({ principal, decisionId: idOf(context) })),
  );
  const story = { method: "GET", path: "/v1/decisions/:id/story", who: "account", scope: "read" } as const;
  routes.bearer(story, async (context, { principal }) =>
    context.json({ items: await decider.story({ principal, decisionId: idOf(context) }) }),
  );
  addKnowledge(routes, decider);
  return routes;
}

/** The session of which the request is a turn, and the reference time that one of a trial names. */
function aroundOf({ req }: Context): { readonly session: string | null; readonly at: number | null } {
  return {
    session: sessionOf(req.header("countersign-session")),
    at: referenceTimeOf(req.header("countersign-reference-time")),
  };
}
