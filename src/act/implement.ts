import type { Connector, ConnectorSide } from "../contract/connector.ts";
import type { Snapshot } from "../contract/effect.ts";
import type { Json } from "../contract/json.ts";
import type { DefinedEffect } from "../define/effect.ts";
import type { Clients } from "./clients.ts";
import type { Applied, ApplyOptions, FenceOptions, Hand, ObserveOptions, Through } from "./hands.ts";

/**
 * Gives an effect its hands: `apply` through a writing connector, `observe` through an observing one. An effect with `dedupe: "fence"`
 * needs `raiseFence` besides: it tells the target a fence without changing anything else, and from then on the target refuses older ones.
 * @example
 * implementEffect(closeTicket, {
 *   apply: through(writer, async (pool, params, { idempotencyKey }) => ({ targetId: await close(pool, params, idempotencyKey) })),
 *   observe: through(observer, async (pool, params) => readTicket(pool, params.ticket)),
 * });
 */
export function implementEffect<P extends Json>(
  effect: DefinedEffect<P>,
  {
    apply,
    observe,
    raiseFence,
  }: {
    readonly apply: Through<"writes", [params: P, options: ApplyOptions], Applied>;
    readonly observe: Through<"observes", [params: P, options: ObserveOptions], Snapshot>;
    readonly raiseFence?: Through<"writes", [params: P, options: FenceOptions], void>;
  },
): Hand {
  // The params' type ends here on purpose: the acting half parses params with this effect's own schema before it calls either.
  return Object.freeze({ effect: effect.erased, apply, observe, ...(raiseFence && { raiseFence }) } as unknown as Hand);
}

/** Binds a function to the connector whose client it gets. The client is opened once, under that connector's credential. */
export function through<S extends ConnectorSide, Client, Rest extends readonly unknown[], Result>(
  connector: Connector<S, Client>,
  run: (client: Client, ...rest: Rest) => Promise<Result>,
): Through<S, Rest, Result> {
  const { name, side, secret } = connector;
  return Object.freeze({
    connector: { name, side, secret },
    bind: async (clients: Clients) => {
      const client = await clients.of(connector);
      return (...rest: Rest) => run(client, ...rest);
    },
  });
}
