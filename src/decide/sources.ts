import { holdsUntrustedText, type LoadedContext } from "../contract/context.ts";
import { atPointer, canonicalJson, type Json, leavesOf } from "../contract/json.ts";
import type { Principal } from "../contract/principal.ts";
import type { EffectDraft, Source, SourceClaim } from "../contract/proposal.ts";

/**
 * Where each leaf of an effect's params comes from. What the capability claims is checked: a value that is not what the named record
 * or request holds counts as the model's own, and so does a leaf without a claim. A record that outsiders can write into is `third_party`.
 */
export function sourcesOf({
  draft,
  inputs,
  principal,
  context,
}: {
  draft: EffectDraft;
  inputs: unknown;
  principal: Principal;
  context: LoadedContext;
}): { readonly [pointer: string]: Source } {
  const untrustedInContext = holdsUntrustedText(context);
  const leaves = leavesOf(draft.params).map(({ pointer, value }) => {
    const claim = draft.sources[pointer];
    const holds = claim !== undefined && valueBehind(claim, value, { inputs, principal, context });
    const source: SourceClaim = holds ? claimed(claim, context) : { kind: "model", chosenBy: "model", ref: null, at: null };
    return [pointer, { ...source, untrustedInContext }] as const;
  });
  return Object.fromEntries(leaves);
}

type Known = { inputs: unknown; principal: Principal; context: LoadedContext };

function valueBehind(claim: SourceClaim, value: Json, { inputs, principal, context }: Known): boolean {
  switch (claim.kind) {
    case "constant":
    case "calculation":
    case "model":
      return true;
    case "principal":
      // A part of what the principal wrote counts as the principal's: the span must stand in it, word for word.
      return stands(value, claim.ref === "principal" ? (principal as unknown as Json) : (inputs as Json), claim.at); // both are plain data
    case "record":
    case "directory":
    case "fact":
    case "passage":
    case "third_party": {
      const item = context.items.find((one) => one.id === claim.ref);
      return item !== undefined && item.kind === "record" && equals(value, atPointer(item.row, claim.at ?? ""));
    }
  }
}

function stands(value: Json, whole: Json, at: string | null): boolean {
  const part = atPointer(whole, at ?? "");
  if (typeof value === "string" && typeof part === "string") return value !== "" && part.includes(value);
  return equals(value, part);
}

function equals(value: Json, other: Json | undefined): boolean {
  return other !== undefined && canonicalJson(value) === canonicalJson(other);
}

function claimed(claim: SourceClaim, context: LoadedContext): SourceClaim {
  const item = context.items.find((one) => one.id === claim.ref);
  if (claim.kind !== "record" || item === undefined || item.kind !== "record") return claim;
  const label = item.labels[(claim.at ?? "").split("/")[1] ?? ""] ?? "third";
  if (label === "third" || label === "shared") return { ...claim, kind: "third_party" };
  return label === "directory" ? { ...claim, kind: "directory" } : claim;
}
