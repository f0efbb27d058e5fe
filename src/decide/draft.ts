import type { Capability, Decided } from "../contract/capability.ts";
import type { LoadedContext } from "../contract/context.ts";
import type { AnyEffect } from "../contract/effect.ts";
import type { Json } from "../contract/json.ts";
import type { ProposalDraft } from "../contract/proposal.ts";
import { onePpm, type Risk, risks } from "../contract/words.ts";
import type { Calculations } from "../guard/provenance/calculations.ts";
import { traceClaims } from "./answers/trace-claims.ts";

/** What the capability would propose. Pure by law 2, so the nodes that need to look ahead may ask again. */
export function draftOf(capability: Capability, decided: Decided<unknown, unknown>): ProposalDraft {
  return capability.propose(decided);
}

/** The highest risk among the effects of a draft; `low` for one without effects. */
export function riskOf(draft: ProposalDraft): Risk {
  const found = (draft.effects ?? []).map(({ effect, params }) => effectRisk(effect, params));
  return found.reduce((highest, risk) => (risks.indexOf(risk) > risks.indexOf(highest) ? risk : highest), "low");
}

/** The risk of an effect's params; what is no word of the list counts as `high`. */
export function effectRisk(effect: AnyEffect, params: Json): Risk {
  const risk = effect.risk(params);
  return risks.includes(risk) ? risk : "high";
}

/** Share of a draft's claims that trace to their sources, in parts per million; `null` for a draft without claims. */
export function evidenceSupportPpm(
  draft: ProposalDraft,
  { capability, context }: { capability: Capability; context: LoadedContext },
): number | null {
  const claims = draft.claims ?? [];
  if (claims.length === 0) return null;
  const traced = traceClaims({ claims, context, calculations: calculationsOf(capability) });
  return Math.floor((traced.filter(({ kind }) => kind === "claim").length * onePpm) / claims.length);
}

/** The calculations that a capability's claims may name. */
export function calculationsOf({ calculations }: Capability): Calculations {
  return new Map(calculations.map((one) => [one.name, one]));
}
