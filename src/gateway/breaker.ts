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
  /** Says whether a request may be sent now; whoever is told yes must tell how it ended. */
  readonly mayPass: () => boolean;
  /** Takes in how a request ended; `null` where a reply came. */
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
  let isTrying = false;
  const isResting = () => faults >= faultsToRest && (isTrying || clock.monotonic() < restsUntil);
  return {
    isResting,
    mayPass: () => {
      if (isResting()) return false;
      isTrying = faults >= faultsToRest;
      return true;
    },
    ended: (fault) => {
      isTrying = false;
      if (fault !== null && saysNothing.includes(fault)) return;
      faults = fault === null || saysUp.includes(fault) ? 0 : faults + 1;
      if (faults >= faultsToRest) restsUntil = clock.monotonic() + restMs;
    },
  };
}
