import type { ClaimDraft } from "../../contract/answer.ts";
import type { ContextItem, LoadedContext } from "../../contract/context.ts";
import type { Claim, DroppedClaim } from "../../contract/proposal.ts";
import type { Calculations } from "../../guard/provenance/calculations.ts";
import { renderClaim } from "../render.ts";
import { plainText } from "./details.ts";
import { type Known, knownOf, namesElsewhere } from "./known-details.ts";
import { strayDetails } from "./stray-details.ts";

/** A claim that traces, with the source that it rests on, or one that was dropped. */
export type TracedClaim =
  | {
      readonly kind: "claim";
      readonly claim: Claim;
      readonly draft: ClaimDraft;
      readonly source: ContextItem;
      /** Its value with bindings rendered; `null` where it gives none. */
      readonly value: string | null;
    }
  | { readonly kind: "dropped"; readonly dropped: DroppedClaim };

/** Where claims are traced: what was loaded, and what code can calculate. */
export interface Tracing {
  readonly context: LoadedContext;
  readonly calculations: Calculations;
}

/** Traces each claim by itself. */
export function traceClaims({
  claims,
  context,
  calculations,
}: Tracing & { readonly claims: readonly ClaimDraft[] }): readonly TracedClaim[] {
  const named = namesElsewhere(context);
  const known = new Map<string, Known>();
  const knownBy = (item: ContextItem): Known => {
    const before = known.get(item.id);
    const made = before ?? knownOf(item);
    if (before === undefined) known.set(item.id, made);
    return made;
  };
  return claims.map((draft) => traceClaim(draft, { context, calculations, knownBy, named }));
}

interface Tracer extends Tracing {
  readonly knownBy: (item: ContextItem) => Known;
  readonly named: ReadonlySet<string>;
}

function traceClaim(draft: ClaimDraft, { context, calculations, knownBy, named }: Tracer): TracedClaim {
  const drop = (reason: string): TracedClaim => ({ kind: "dropped", dropped: { text: draft.text, reason } });
  const rendered = renderClaim(draft, context, calculations);
  if (rendered.kind === "dropped") return rendered;
  const cited = [draft.source, ...(draft.alsoFrom ?? [])];
  const sources = cited.flatMap((id) => context.items.find((item) => item.id === id) ?? []);
  const [source] = sources;
  if (source === undefined) return drop("its source was not retrieved");
  const stray = strayDetails(draft.text, { known: sources.map(knownBy), named });
  const [first] = stray;
  if (first !== undefined) return drop(`\`${first.text.trim()}\` does not stand in its source`);
  const value = draft.value === undefined ? null : renderClaim({ ...draft, text: draft.value }, context, calculations);
  if (value === null) return { ...rendered, draft, source, value: null };
  const said = value.kind === "claim" ? value.claim.text : null;
  if (said === null || !folded(rendered.claim.text).includes(folded(said))) return drop("its value does not stand in it");
  return { ...rendered, draft, source, value: said };
}

function folded(text: string): string {
  return plainText(text).toLowerCase().replace(/\s+/g, " ");
}
