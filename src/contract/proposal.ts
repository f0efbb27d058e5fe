import type { AnswerRules, ClaimDraft } from "./answer.ts";
import type { OperandSource } from "./calculation.ts";
import type { AnyEffect, Snapshot } from "./effect.ts";
import type { Json } from "./json.ts";
import type { Risk, Route, RoutingRule, SideEffect, SourceKind } from "./words.ts";

/** Where one value of a proposal comes from and who chose it; checked by code against what was loaded. */
export interface Source {
  readonly kind: SourceKind;
  readonly chosenBy: "code" | "principal" | "model";
  /** The context item, request part or calculation it was taken from. */
  readonly ref: string | null;
  /** RFC 6901 pointer within `ref`. */
  readonly at: string | null;
  /** Text that outsiders can write was in the context when the value was chosen. */
  readonly untrustedInContext: boolean;
}

/** A source as a capability declares it; `prepare_proposal` checks it and adds what it alone knows. */
export type SourceClaim = Omit<Source, "untrustedInContext">;

/** One statement with its source. */
export interface Claim {
  readonly text: string;
  /** The id of the context item behind it. */
  readonly source: string;
  /** What a person reads as the source, such as "Device policy 3.1, Replacement". */
  readonly citation: string;
  /** Further sources that it rests on; left out where there are none. */
  readonly also?: readonly { readonly source: string; readonly citation: string }[];
  /** What code calculated for its text; left out where nothing was. */
  readonly workings?: readonly Working[];
}

/** One value of a claim that code calculated, as a person is shown it. */
export interface Working {
  /** As the model named it, such as `percent_change(now.total, before.total)`. */
  readonly expression: string;
  /** As the claim says it. */
  readonly value: string;
  /** The calculations that were run, as `name@version`. */
  readonly by: readonly string[];
  /** Where each operand was taken from. */
  readonly sources: readonly OperandSource[];
}

/** A claim that was dropped because it did not trace to a source, named so that nobody wonders. */
export interface DroppedClaim {
  readonly text: string;
  readonly reason: string;
}

/** One effect of a proposal with everything that an approval binds to. */
export interface ProposedEffect {
  readonly index: number;
  readonly effect: string;
  readonly version: string;
  readonly sentence: string;
  readonly params: Json;
  readonly paramsDigest: string;
  readonly risk: Risk;
  readonly sideEffect: SideEffect;
  readonly reversible: boolean;
  readonly key: string;
  readonly before: Snapshot;
  readonly beforeDigest: string;
  readonly expected: Snapshot;
  /** JSON pointer of each leaf of the params → where it came from. Inside the digest from the first version on. */
  readonly sources: { readonly [pointer: string]: Source };
}

/** Which rule fixed the route, and which rule lowered it afterwards. */
export interface Routing {
  readonly route: Route;
  readonly rule: RoutingRule;
  readonly slice: string;
  readonly thresholdPpm: number;
  readonly loweredBy: readonly RoutingRule[];
}

/** The frozen output of a decision; nothing of it is applied yet. */
export interface Proposal {
  readonly version: 1;
  readonly decisionId: string;
  readonly tenant: string;
  readonly capability: string;
  readonly capabilityVersion: string;
  readonly requestedBy: string;
  readonly onBehalfOf: string | null;
  readonly environment: string;
  readonly summary: string;
  readonly confidencePpm: number;
  readonly routing: Routing;
  readonly effects: readonly ProposedEffect[];
  readonly claims: readonly Claim[];
  readonly droppedClaims: readonly DroppedClaim[];
  /** Why there is no answer, where the sources do not say. */
  readonly refusal: string | null;
  readonly reasoning: string | null;
  /** SHA-256 over the canonical form of everything above, in hex. */
  readonly digest: string;
}

/** What a capability returns from `propose`. */
export interface ProposalDraft extends AnswerRules {
  readonly summary: string;
  readonly effects?: readonly EffectDraft[];
  readonly claims?: readonly ClaimDraft[];
  readonly refusal?: string;
  readonly reasoning?: string;
}

/** One effect with its params; made by `effectDraft`, which checks the params' type. */
export interface EffectDraft {
  readonly effect: AnyEffect;
  readonly params: Json;
  readonly sources: { readonly [pointer: string]: SourceClaim };
}
