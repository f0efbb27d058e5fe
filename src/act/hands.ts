import type { Connector, ConnectorSide, RecordSource } from "../contract/connector.ts";
import type { AnyEffect, Snapshot } from "../contract/effect.ts";
import type { Json } from "../contract/json.ts";
import type { EffectDecision } from "../contract/keeping.ts";
import type { Clients } from "./clients.ts";
import type { Channel } from "./notify/channel.ts";
import type { ViewRefresh } from "./refresh-views.ts";

/** What `observe` is given beside the params. */
export interface ObserveOptions {
  /** Whose world it is; params hold no tenant, so that no model can name one. */
  readonly tenant: string;
}

/** What `apply` is given beside the params, so that the target can tell a repeat and an old sender. */
export interface ApplyOptions extends ObserveOptions {
  /** The same for every send of one operation, however often and from whichever worker. */
  readonly idempotencyKey: string;
  /** Aborts when the time limit of the effect is over; what happened is then unknown. */
  readonly signal: AbortSignal;
  /** Grows with each take-over; a target that keeps the highest one that it was told refuses a sender that was overtaken. */
  readonly fence: number;
  /** The field `version` of the state that was approved, for targets that change only that version; else `null`. */
  readonly expectedVersion: string | null;
  /** The decision that it is carried out for; left out where hands are tried without one. */
  readonly decision?: EffectDecision;
}

/** What `raiseFence` is given beside the params. */
export type FenceOptions = Pick<ApplyOptions, "tenant" | "idempotencyKey" | "signal" | "fence">;

/** What the target said about a change that it accepted. This is not yet "done". */
export interface Applied {
  readonly targetId: string | null;
}

/** A function that runs through one connector. */
export interface Through<S extends ConnectorSide, Rest extends readonly unknown[], Result> {
  readonly connector: Pick<Connector<S, never>, "name" | "side" | "secret">;
  readonly bind: (clients: Clients) => Promise<(...rest: Rest) => Promise<Result>>;
}

/** The code that applies and observes one effect, each through a connector and credential of its own. Made by `implementEffect`. */
export interface Hand {
  readonly effect: AnyEffect;
  readonly apply: Through<"writes", [params: Json, options: ApplyOptions], Applied>;
  readonly observe: Through<"observes", [params: Json, options: ObserveOptions], Snapshot>;
  /** For effects with `dedupe: "fence"`, which need it; through the same connector as `apply`. */
  readonly raiseFence?: Through<"writes", [params: Json, options: FenceOptions], void>;
}

/** What only the acting process loads. The default export of `hands.ts`. */
export interface Hands {
  readonly records: readonly RecordSource[];
  readonly hands: readonly Hand[];
  /** By which ways people are told of what concerns them; without any, notices wait in the outbox. */
  readonly notify?: readonly Channel[];
  /** Materialised views that are kept fresh, each under a credential that may do nothing else. */
  readonly refreshes?: readonly ViewRefresh[];
}

/** Collects the acting half's own parts of a project: observing record sources, the hands of every effect, channels for notices. */
export function defineHands(hands: Hands): Hands {
  return Object.freeze({ ...hands });
}
