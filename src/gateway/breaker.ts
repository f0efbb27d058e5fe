import type { ModelFault } from "../contract/model.ts";
import type { Clock } from "../contract/ports.ts";

/** Faults in a row after which a provider is left alone: more than one call brings alone. */
export const faultsToRest = 10;
/** How long it is left alone before one request is let through, in milliseconds. */
export const restMs = 30_000;

/** Leaves a provider alone that fails again and again, so that decisions fail at once instead of waiting for it. */
export interface Breaker {
  /** Says whether the provider is left alone now. */
  readonly isResting: () => boolean;
  /** Leave to send one request now; `null` where the provider is left alone. Whoever gets a pass must tell how the request ended. */
  readonly pass: () => Pass | null;
}

/** Leave to send one request. */
export interface Pass {
  /** Takes in how the request ended; `null` where a reply came, `cancelled` where nobody knows. */
  readonly ended: (fault: ModelFault | null) => void;
}

/** Says nothing of the provider: whoever asked gave up. */
const saysNothing: readonly ModelFault[] = ["cancelled"];
/** The provider is up, and this one request was at fault. */
const saysUp: readonly ModelFault[] = ["refused_request"];

/**
 * Makes the breaker of one provider. Of our own: the libraries for it count thrown errors under their own timers, and here faults are
 * values and the clock is handed in.
 */
export function createBreaker(clock: Clock): Breaker {
  let faults = 0;
  let restsUntil = 0;
  /** The pass of the one request that tries a provider after its rest. An older request that ends meanwhile is not that one. */
  let trial: Pass | null = null;
  const isResting = () => faults >= faultsToRest && (trial !== null || clock.monotonic() < restsUntil);
  const count = (fault: ModelFault | null) => {
    if (fault !== null && saysNothing.includes(fault)) return;
    faults = fault === null || saysUp.includes(fault) ? 0 : faults + 1;
    if (faults >= faultsToRest) restsUntil = clock.monotonic() + restMs;
  };
  return {
    isResting,
    pass: () => {
      if (isResting()) return null;
      const pass: Pass = {
        ended: (fault) => {
          if (trial === pass) trial = null;
          count(fault);
        },
      };
      if (faults >= faultsToRest) trial = pass;
      return pass;
    },
  };
}
