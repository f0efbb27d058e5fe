import type { ClaimDraft } from "../contract/answer.ts";
import type { Calculated, Expression } from "../contract/calculation.ts";
import { type ContextItem, type LoadedContext, labelOf, type RecordRow } from "../contract/context.ts";
import { formatValue, readFormat } from "../contract/format-quantity.ts";
import type { Claim, DroppedClaim, Working } from "../contract/proposal.ts";
import { fieldQuantity } from "../contract/read-number.ts";
import { isQuantity } from "../contract/run-calculation.ts";
import { factField, windowText } from "../contract/shown-item.ts";
import { calculate } from "../guard/provenance/calculate.ts";
import type { Calculations } from "../guard/provenance/calculations.ts";
import { readExpression } from "../guard/provenance/expression.ts";

/** A claim that was rendered, or dropped with its reason. */
export type RenderedClaim =
  | { readonly kind: "claim"; readonly claim: Claim }
  | { readonly kind: "dropped"; readonly dropped: DroppedClaim };

const binding = /\{\{([^{}]*)\}\}/g;
const noCalculations: Calculations = new Map();

/**
 * Renders a claim: `{{need.field}}` becomes the field's value in the record that the claim names as its source, `{{total(lines.amount)}}`
 * what the registered calculation gives, and ` | money`, ` | percent:1`, ` | number:2` or ` | date` behind either is how it is written.
 * A claim one of whose sources was not loaded, or whose binding does not resolve, is dropped and named.
 */
export function renderClaim(
  draft: ClaimDraft,
  context: LoadedContext,
  calculations: Calculations = noCalculations,
): RenderedClaim {
  const drop = (reason: string): RenderedClaim => ({ kind: "dropped", dropped: { text: draft.text, reason } });
  // What is remembered is no source: a claim traces to what was written down, is true now, or was calculated.
  const find = (id: string) => context.items.find((item) => item.id === id && item.kind !== "memory");
  const source = find(draft.source);
  const further = [...new Set(draft.alsoFrom ?? [])].filter((id) => id !== draft.source).map(find);
  if (source === undefined || further.includes(undefined)) return drop("its source was not retrieved");
  const faults: string[] = [];
  const workings: Working[] = [];
  const text = draft.text.replace(binding, (_whole, inside: string) => {
    const rendered = renderBinding(inside, { source, context, calculations });
    if (rendered.kind === "unresolved") faults.push(rendered.reason);
    if (rendered.kind === "text" && rendered.working !== null) workings.push(rendered.working);
    return rendered.kind === "text" ? rendered.text : "";
  });
  // Looked for in the template: a record's value that looks like a binding is data and stays as it is.
  const isMalformed = draft.text.replace(binding, "").includes("{{");
  const [fault] = isMalformed ? [unresolved] : faults;
  if (fault !== undefined) return drop(fault);
  const also = further.flatMap((item) => (item === undefined ? [] : [{ source: item.id, citation: citationOf(item) }]));
  const claim = { text, source: source.id, citation: citationOf(source), ...(also.length === 0 ? {} : { also }) };
  return { kind: "claim", claim: workings.length === 0 ? claim : { ...claim, workings } };
}

type Rendered =
  | { readonly kind: "text"; readonly text: string; readonly working: Working | null }
  | { readonly kind: "unresolved"; readonly reason: string };
type Rendering = { readonly source: ContextItem; readonly context: LoadedContext; readonly calculations: Calculations };

const unresolved = "a binding does not resolve";

function renderBinding(inside: string, rendering: Rendering): Rendered {
  // A format stands behind the last bar; quoted words may hold one too.
  const [, named = inside, asked] = /^(.*)\|\s*([a-z]+(?::\d)?)\s*$/s.exec(inside) ?? [];
  const format = asked === undefined ? null : readFormat(asked);
  const expression = readExpression(named.trim());
  if (format === undefined || expression === undefined) return { kind: "unresolved", reason: unresolved };
  if (expression.kind === "field") return renderField(expression, rendering.source, format);
  if (expression.kind !== "calculation") return { kind: "unresolved", reason: unresolved };
  const calculated = calculate(expression, { ...rendering, source: rendering.source.id });
  return renderCalculated(named.trim(), calculated, format);
}

function renderCalculated(expression: string, calculated: Calculated, format: ReturnType<typeof readFormat> | null): Rendered {
  if (calculated.kind === "refused") return { kind: "unresolved", reason: `a calculation was refused: ${calculated.reason}` };
  const { value, sources, by } = calculated;
  const text = isQuantity(value) || typeof value === "string" ? formatValue(value, format ?? null) : undefined;
  if (text === undefined) return { kind: "unresolved", reason: unresolved };
  return { kind: "text", text, working: { expression, value: text, by, sources } };
}

function renderField(
  { need, field }: Expression & { kind: "field" },
  source: ContextItem,
  format: ReturnType<typeof readFormat> | null,
): Rendered {
  const fact = source.kind === "fact" && source.need === need && format === null ? factField(source, field) : undefined;
  if (fact !== undefined) return { kind: "text", text: fact, working: null };
  const text = source.kind === "record" && source.need === need ? fieldText(source, field, format ?? null) : undefined;
  return text === undefined ? { kind: "unresolved", reason: unresolved } : { kind: "text", text, working: null };
}

/** Rendering comes after the guards, so a field that is labelled secret never renders. */
function fieldText(source: RecordRow, field: string, format: Parameters<typeof formatValue>[1]): string | undefined {
  if (labelOf(source, field) === "secret") return undefined;
  const value = Object.hasOwn(source.row, field) ? source.row[field] : undefined;
  if (value === undefined || value === null || typeof value === "object") return undefined;
  const unit = source.units?.[field];
  if (unit === undefined && format === null) return String(value);
  if (format?.kind === "date") return typeof value === "string" ? formatValue(value, format) : undefined;
  const quantity = fieldQuantity({ value, row: source.row, unit });
  return quantity === undefined ? undefined : formatValue(quantity, format);
}

function citationOf(item: ContextItem): string {
  if (item.kind === "passage") return `${item.title} ${item.version}, ${item.section}`;
  if (item.kind === "fact") return `${item.sourceTitle}, true ${windowText(item)}`;
  if (item.kind === "memory") return `remembered of decision ${item.decisionId}`;
  return `${item.title ?? item.query}, read ${new Date(item.readAt).toISOString()}`;
}
