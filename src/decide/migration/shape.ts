import type { Json } from "../../contract/json.ts";

/**
 * What stands at each path of a value: types of members, forms of texts. Indexes of lists are `*`, and so are names that nothing declares. Prose and
 * `null` say nothing.
 */
export type Shape = ReadonlyMap<string, ReadonlySet<string>>;

/** What a shape is added to, and the names of members that schemas declare: paths hold no others. */
export interface Shaping {
  readonly shape: Map<string, Set<string>>;
  readonly names: ReadonlySet<string>;
}

/** Adds what stands at each path of a value, below `path`. A member's name in which the path would end is written as in a JSON pointer. */
export function addShape(value: Json, path: string, shaping: Shaping): void {
  const { shape, names } = shaping;
  const form = formOf(value);
  if (form === null) return;
  const forms = shape.get(path) ?? new Set<string>();
  shape.set(path, forms.add(form));
  if (Array.isArray(value)) for (const one of value) addShape(one, `${path}/*`, shaping);
  else if (typeof value === "object" && value !== null)
    for (const [name, member] of Object.entries(value))
      addShape(member, `${path}/${names.has(name) ? escaped(name) : "*"}`, shaping);
}

/** RFC 6901, and no name is an index. Long names are cut. */
function escaped(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1").replaceAll("*", "~2").slice(0, 100);
}

/** The type of a value, and of a text its form as well, behind `text`; `null` where it may be either way. */
function formOf(value: Json): string | null {
  if (value === null) return null;
  if (Array.isArray(value)) return "list";
  if (typeof value !== "string") return typeof value;
  return isProse(value) ? "text" : `text ${textForm(value)}`;
}

/** Whether a text is meant for people: of several words. What it says is compared apart from contracts. */
export function isProse(text: string): boolean {
  return text.trim().split(/\s+/).length >= 4;
}

const forms: readonly (readonly [string, RegExp])[] = [
  ["empty", /^\s*$/],
  ["date", /^\d{4}-\d{2}-\d{2}$/],
  ["instant", /^\d{4}-\d{2}-\d{2}T[\d:.]+(?:Z|[+-]\d{2}:\d{2})$/],
  ["number", /^[+-]?\d+(?:\.\d+)?$/],
  ["uuid", /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i],
];

/** A form by name, or its skeleton: runs of letters and of digits as one each. Words without a digit are one form, as labels are. */
function textForm(text: string): string {
  const known = forms.find(([, pattern]) => pattern.test(text))?.[0];
  if (known !== undefined) return known;
  if (!/\d/.test(text)) return /^[A-Z][A-Z _-]*$/.test(text) ? "upper-case word" : "word";
  return text
    .replace(/\p{Lu}[\p{Lu}_-]*/gu, "A")
    .replace(/\p{Ll}[\p{Ll}_-]*/gu, "a")
    .replace(/\d[\d.,]*/g, "9")
    .slice(0, 60);
}
