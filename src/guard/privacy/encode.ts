// The privacy boundary: the only maker of `Encoded<T>`, which is all that a provider accepts. Pure; it must never send anything.
// `openBoundary` in `boundary.ts` encodes; here is the way of a payload whose provider may be handed what was said as it was said.
import { deepFreeze } from "../../contract/json.ts";
import type { Encoded } from "../../contract/model.ts";
import type { Replaced } from "../../contract/privacy.ts";

/** What may be sent, with the word for what was done to it. */
export interface Outgoing<T> {
  readonly payload: Encoded<T>;
  /** `off`: nothing was looked at, and nothing was replaced. */
  readonly boundary: "on" | "off";
  /** What was replaced: kinds, stand-ins and counts, never values. */
  readonly replaced: readonly Replaced[];
}

/** Passes a payload on as it is, frozen with all that is below it; hand it a fresh value. The boundary is off, and the result says so. */
export function encodeOff<T extends object>(payload: T): Outgoing<T> {
  return { payload: markEncoded(payload), boundary: "off", replaced: [] };
}

/** Freezes what passed the boundary and gives it its brand. */
export function markEncoded<T extends object>(payload: T): Encoded<T> {
  // The brand has no run-time part; this folder is the one place where it is given.
  return deepFreeze(payload) as Encoded<T>;
}
