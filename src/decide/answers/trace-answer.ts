import type { Claim, DroppedClaim, ProposalDraft } from "../../contract/proposal.ts";
import { type Settled, settleConflicts } from "./settle-conflicts.ts";
import { type Tracing, traceClaims } from "./trace-claims.ts";

/** What is left of an answer once every claim was held against its sources. */
export interface TracedAnswer {
  readonly claims: readonly Claim[];
  readonly droppedClaims: readonly DroppedClaim[];
  /** Why there is no answer; `null` where there is one, or nothing was to be answered. */
  readonly refusal: string | null;
  /** Sources contradict each other, and which is right is for a person to say. */
  readonly isInConflict: boolean;
}

const notSaid = "The sources do not say.";

/**
 * Holds every claim of a draft against the sources that it names: each must have been retrieved, every binding must resolve, and each number,
 * date, time, identifier and name outside of bindings must stand in one of them. What does not is dropped and named. Where nothing is left, or
 * a part that must be answered is not, it is a refusal, and that lists no sources.
 */
export function traceAnswer({ draft, ...tracing }: Tracing & { readonly draft: ProposalDraft }): TracedAnswer {
  const traced = traceClaims({ claims: draft.claims ?? [], ...tracing });
  const settled = settleConflicts(traced.flatMap((one) => (one.kind === "claim" ? [one] : [])));
  const droppedClaims = [...traced.flatMap((one) => (one.kind === "dropped" ? [one.dropped] : [])), ...settled.dropped];
  const isInConflict = settled.isInConflict || (draft.inConflict ?? []).length > 0;
  const refusal = refusalOf({ draft, left: settled.left, dropped: droppedClaims.length });
  if (refusal === null || isInConflict)
    return { claims: settled.left.map(({ claim }) => claim), droppedClaims, refusal, isInConflict };
  const unused = settled.left.map(({ claim }): DroppedClaim => ({ text: claim.text, reason: "what is left is no answer" }));
  return { claims: [], droppedClaims: [...droppedClaims, ...unused], refusal, isInConflict };
}

function refusalOf({
  draft: { refusal, mustAnswer = [] },
  left,
  dropped,
}: {
  draft: ProposalDraft;
  left: Settled["left"];
  dropped: number;
}): string | null {
  if (refusal !== undefined) return refusal;
  if (left.length === 0 && dropped > 0) return notSaid;
  return mustAnswer.some((part) => !left.some(({ draft }) => draft.answers === part)) ? notSaid : null;
}
