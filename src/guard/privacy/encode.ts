// The privacy boundary: the only maker of `Encoded<T>`, which is all that a provider accepts. Pure; it must never send anything.
// Its first form is OFF: nothing is replaced by stand-ins yet, and every call record says so.
import { deepFreeze } from "../../contract/json.ts";
import type { Encoded } from "../../contract/model.ts";

/** What may be sent, with the word for what was done to it. */
export interface Outgoing<T> {
  readonly payload: Encoded<T>;
  readonly boundary: "off";
}

/** Passes a payload on as it is, frozen with all that is below it; hand it a fresh value. The boundary is off, and the result says so. */
export function encodeOff<T extends object>(payload: T): Outgoing<T> {
  // The brand has no run-time part; this folder is the one place where it is given.
  return { payload: deepFreeze(payload) as Encoded<T>, boundary: "off" };
}
