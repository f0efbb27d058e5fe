import { type ContextItem, type LoadedContext, labelOf, type RecordRow } from "../contract/context.ts";
import type { Json } from "../contract/json.ts";
import type { Claim, ClaimDraft, DroppedClaim } from "../contract/proposal.ts";

/** A claim that was rendered, or dropped with its reason. */
export type RenderedClaim =
  | { readonly kind: "claim"; readonly claim: Claim }
  | { readonly kind: "dropped"; readonly dropped: DroppedClaim };

const binding = /\{\{\s*([a-z][a-z0-9_]*)\.([a-z][a-z0-9_]*)\s*\}\}/gi;

/**
 * Renders a claim: `{{need.field}}` becomes the field's value in the record that the claim names as its source.
 * A claim whose source was not loaded, or whose binding does not resolve, is dropped and named.
 */
export function renderClaim(draft: ClaimDraft, context: LoadedContext): RenderedClaim {
  const source = context.items.find((item) => item.id === draft.source);
  if (source === undefined) return { kind: "dropped", dropped: { text: draft.text, reason: "its source was not retrieved" } };
  const missing: string[] = [];
  const text = draft.text.replace(binding, (whole, need: string, field: string) => {
    const value = source.kind === "record" && source.need === need ? fieldText(source, field) : undefined;
    if (value === undefined) missing.push(whole);
    return value ?? "";
  });
  // Looked for in the template: a record's value that looks like a binding is data and stays as it is.
  const isMalformed = draft.text.replace(binding, "").includes("{{");
  if (missing.length > 0 || isMalformed)
    return { kind: "dropped", dropped: { text: draft.text, reason: "a binding does not resolve" } };
  return { kind: "claim", claim: { text, source: source.id, citation: citationOf(source) } };
}

/** Rendering comes after the guards, so a field that is labelled secret never renders. */
function fieldText(source: RecordRow, field: string): string | undefined {
  if (labelOf(source, field) === "secret") return undefined;
  const value: Json | undefined = Object.hasOwn(source.row, field) ? source.row[field] : undefined;
  return value === undefined || value === null || typeof value === "object" ? undefined : String(value);
}

function citationOf(item: ContextItem): string {
  if (item.kind === "passage") return `${item.title} ${item.version}, ${item.section}`;
  return `${item.title ?? item.query}, read ${new Date(item.readAt).toISOString()}`;
}
