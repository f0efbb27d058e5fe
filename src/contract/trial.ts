import { CountersignError } from "./errors.ts";

/** One request as a model's provider was handed it. */
export interface SentRequest {
  /** The digest by which the call's record names the request. */
  readonly digest: string;
  /** What left the boundary, as text. */
  readonly text: string;
}

/** A scratch installation in which eval cases are played; no other has one. */
export interface Trial {
  /** Told of each request before it is sent. */
  readonly onSent: (sent: SentRequest) => void;
}

/**
 * The reference time of a request that names one, in milliseconds since the epoch. Only in a trial may it: elsewhere the clock is the
 * reference time, and a request that names another is refused with `bad_request`.
 */
export function namedTime(trial: Trial | null | undefined, at: number | null | undefined): number | null {
  if (at == null || trial != null) return at ?? null;
  throw new CountersignError(
    "bad_request",
    "a request names its reference time in a trial alone; leave `Countersign-Reference-Time` out",
  );
}
