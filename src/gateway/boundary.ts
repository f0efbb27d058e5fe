import { isCountersignError } from "../contract/errors.ts";
import type { ModelRequest, ProviderRequest } from "../contract/model.ts";
import type { Deadline, StandInKey } from "../contract/ports.ts";
import type { Cancel } from "../contract/principal.ts";
import type { Finding, KnownData, Recogniser } from "../contract/privacy.ts";
import { type Boundary, openBoundary } from "../guard/privacy/boundary.ts";
import { encodeOff, type Outgoing } from "../guard/privacy/encode.ts";
import type { PrivacyPolicy } from "../guard/privacy/policy.ts";
import { underDeadline } from "./deadline.ts";
import type { Line } from "./lines.ts";

/** What the privacy boundary is made of; a fresh one is opened for each payload. */
export interface PrivacyParts {
  readonly policy: PrivacyPolicy;
  /** SHA-256 over the policy's canonical form, in hex. */
  readonly policyDigest: string;
  /** `null` finds no names and addresses: what has a form and what is known is found all the same. */
  readonly recogniser: Recogniser | null;
  /** What has a form, and what is known to be somebody's, in one text. */
  readonly structured: (known: KnownData | null) => (text: string) => readonly Finding[];
  /** A key of fresh random bytes, each time. */
  readonly newKey: () => StandInKey;
}

/** A request that may be sent, with the boundary that it passed, which alone can read the reply; or why nothing may be sent. */
export type Passed =
  | { readonly kind: "passed"; readonly outgoing: Outgoing<ProviderRequest>; readonly boundary: Boundary | null }
  | { readonly kind: "failed"; readonly fault: "boundary_failed" | "cancelled"; readonly problem: string };

/**
 * Takes one request through a boundary of its own, or marks it as not bounded where its provider is a script or was switched off. Where
 * the boundary cannot look it through in time, nothing may be sent.
 */
export async function passBoundary({
  parts,
  line,
  payload,
  request: { cancel, known },
  deadline,
  ms,
}: {
  parts: PrivacyParts | null;
  line: Pick<Line, "isBounded" | "region">;
  payload: ProviderRequest;
  request: Pick<ModelRequest<unknown>, "cancel" | "known">;
  deadline: Deadline;
  ms: number;
}): Promise<Passed> {
  if (!line.isBounded) return { kind: "passed", outgoing: encodeOff(payload), boundary: null };
  // The start refuses this; whoever comes here all the same sends nothing.
  if (parts === null) return failed("there is no privacy boundary");
  const boundary = openBoundary({
    rules: parts.policy.rules,
    region: line.region,
    key: parts.newKey(),
    structured: parts.structured(known ?? null),
    recogniser: parts.recogniser,
    dates: parts.policy.dates,
  });
  const work = (inner: Cancel) => boundary.encode(payload, inner);
  const ended = await underDeadline({ cancel, deadline, ms, work });
  switch (ended.kind) {
    case "done":
      return { kind: "passed", outgoing: ended.value, boundary };
    case "cancelled":
      return { kind: "failed", fault: "cancelled", problem: "the call was cancelled" };
    case "timed_out":
      return failed(`it took longer than ${Math.round(ms)} ms`);
    case "threw":
      return failed(isCountersignError(ended.thrown) ? ended.thrown.message : "it failed with a fault of its own");
  }
}

/** Only the words of our own errors are told: those of any other may quote what was looked through. */
function failed(why: string): Passed {
  const problem = `nothing was sent, since the privacy boundary could not look it through: ${why}`;
  return { kind: "failed", fault: "boundary_failed", problem };
}
