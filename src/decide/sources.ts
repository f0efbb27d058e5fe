import { holdsUntrustedText, type LoadedContext, labelOf } from "../contract/context.ts";
import { atPointer, canonicalJson, type Json, leavesOf } from "../contract/json.ts";
import type { Principal } from "../contract/principal.ts";
import type { EffectDraft, Source, SourceClaim } from "../contract/proposal.ts";
import { standsIn } from "./stands-in.ts";

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
    const source: SourceClaim = holds ? claimed(claim, context) : written;
    return [pointer, { ...source, untrustedInContext }] as const;
  });
  return Object.fromEntries(leaves);
}

const written: SourceClaim = { kind: "model", chosenBy: "model", ref: null, at: null };

type Known = { inputs: unknown; principal: Principal; context: LoadedContext };

function valueBehind(claim: SourceClaim, value: Json, { inputs, principal, context }: Known): boolean {
  switch (claim.kind) {
    case "constant":
    case "calculation":
    case "model":
      return true;
    case "principal":
      // A part of what the principal wrote counts as the principal's: the span must stand in it, word for word.
      if (claim.ref === "inputs") return stands(value, atPointer(inputs as Json, claim.at ?? "")); // inputs are plain data
      return claim.ref === "principal" && equals(value, atPointer(principal as unknown as Json, claim.at ?? "")); // so is a principal
    case "record":
    case "directory":
    case "fact":
    case "passage":
    case "third_party": {
      const item = context.items.find((one) => one.id === claim.ref);
      if (item?.kind === "fact") return claim.at === "/object" && value === item.object;
      return item?.kind === "record" && equals(value, atPointer(item.row, claim.at ?? ""));
    }
  }
}

function stands(value: Json, part: Json | undefined): boolean {
  if (typeof value === "string" && typeof part === "string") return standsIn(part, value);
  return equals(value, part);
}

function equals(value: Json, other: Json | undefined): boolean {
  return other !== undefined && canonicalJson(value) === canonicalJson(other);
}

/** A claim that held, with the kind that the record's labels say: a capability cannot claim a better one. */
function claimed(claim: SourceClaim, context: LoadedContext): SourceClaim {
  if (claim.kind === "model") return { ...claim, chosenBy: "model" };
  if (claim.kind === "principal" || claim.kind === "constant" || claim.kind === "calculation") return claim;
  const item = context.items.find((one) => one.id === claim.ref);
  if (item?.kind === "fact")
    return { ...claim, kind: item.label === "third" || item.label === "shared" ? "third_party" : "fact" };
  if (item === undefined || item.kind !== "record") return written;
  const label = labelOf(item, fieldAt(claim.at ?? ""));
  if (claim.kind === "third_party" || label === "third" || label === "shared") return { ...claim, kind: "third_party" };
  return { ...claim, kind: label === "directory" ? "directory" : "record" };
}

/** The field of the row that a pointer leads into. */
function fieldAt(pointer: string): string {
  return (pointer.split("/")[1] ?? "").replaceAll("~1", "/").replaceAll("~0", "~");
}
