import type { Node } from "../state.ts";

/**
 * Node 1: who asks, with which scopes, what was received, the one clock reading that is this decision's time unless the request of a trial
 * names another, and what the request stands in the middle of: looked up here, handed down to every call, and kept for no other request.
 */
export const entry: Node<"request", "received" | "envelope"> = async ({ request }, { clock, environment, permit, runtime }) => {
  const at = request.at ?? clock.now();
  const around = (await runtime?.of(request)) ?? null;
  return {
    received: request.inputs,
    envelope: {
      principal: request.principal,
      scopes: permit.scopes(request.principal),
      environment,
      at,
      ...(around === null ? {} : { runtime: around }),
    },
  };
};
