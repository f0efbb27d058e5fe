import type { Node } from "../state.ts";

/** Node 1: who asks, with which scopes, what was received, and the one clock reading that is this decision's time. */
export const entry: Node<"request", "received" | "envelope"> = async ({ request }, { clock, environment, permit }) => ({
  received: request.inputs,
  envelope: {
    principal: request.principal,
    scopes: permit.scopes(request.principal),
    environment,
    at: clock.now(),
  },
});
