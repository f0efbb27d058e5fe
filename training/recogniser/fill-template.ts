import type { Random } from "./random.ts";

/** A text with what stands where in it. */
export interface LabelledText {
  readonly text: string;
  readonly spans: readonly LabelledSpan[];
}
export interface LabelledSpan {
  readonly kind: LabelKind;
  readonly start: number;
  readonly end: number;
}
export type LabelKind = "person" | "organisation" | "address" | "place";

/** What fills a slot of a template, and what kind of thing it then is; `null` for what is to stay outside. */
export type Slots = Readonly<Record<string, { readonly kind: LabelKind | null; readonly make: () => string }>>;

const slotMark = /\{(\w+)\}/g;
const choice = /\[([^[\]]*\|[^[\]]*)\]/g;

/** Fills a template's slots and takes one of each choice. Neighbouring parts of an address are one span. */
export function fillTemplate(template: string, { slots, random }: { slots: Slots; random: Random }): LabelledText {
  const chosen = template.replace(choice, (_, ways: string) => random.pick(ways.split("|"))).replaceAll("\\n", "\n");
  let text = "";
  let from = 0;
  const spans: LabelledSpan[] = [];
  for (const { 0: whole, 1: name = "", index } of chosen.matchAll(slotMark)) {
    text += chosen.slice(from, index);
    from = index + whole.length;
    const slot = slots[name];
    // Braces of JSON and code are text.
    if (slot === undefined) {
      text += whole;
      continue;
    }
    const value = slot.make();
    if (slot.kind !== null) addSpan(spans, { kind: slot.kind, start: text.length, end: text.length + value.length }, text);
    text += value;
  }
  return { text: text + chosen.slice(from), spans };
}

function addSpan(spans: LabelledSpan[], span: LabelledSpan, text: string): void {
  const before = spans.at(-1);
  const isPart = before?.kind === "address" && span.kind === "address" && /^[^\p{L}\p{N}]*$/u.test(text.slice(before.end));
  if (isPart) spans.splice(-1, 1, { ...before, end: span.end });
  else spans.push(span);
}

/** The words that a template brings by itself, in lower case. */
export function literalWords(template: string): readonly string[] {
  return (
    template
      .replaceAll("\\n", " ")
      .replace(/\{\w+\}/g, " ")
      .toLowerCase()
      .match(/\p{L}[\p{L}\p{M}']*/gu) ?? []
  );
}
