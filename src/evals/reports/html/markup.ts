import { visible } from "../visible.ts";

// A symbol cannot be written in JSON, so nothing that was read from a file passes for markup.
const made = Symbol("markup");

/** A piece of a page whose texts are escaped. Made by the tagged template `html` alone. */
export interface Markup {
  readonly [made]: string;
}

type Value = string | number | Markup | null | readonly Markup[];

/** The tagged template of the report: every value in it is escaped unless it is markup itself. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Markup {
  return { [made]: parts.map((part, place) => `${part}${textOf(values[place] ?? null)}`).join("") };
}

/** The text of a whole page. */
export function pageText(markup: Markup): string {
  return markup[made];
}

/** Text that stands as it is. For our own style sheet alone. */
export function ownText(text: string): Markup {
  return { [made]: text };
}

function textOf(value: Value): string {
  if (value === null) return "";
  if (typeof value === "object") return made in value ? value[made] : value.map((one) => one[made]).join("");
  return escaped(String(value));
}

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

function escaped(text: string): string {
  return visible(text).replace(/[&<>"']/g, (one) => entities[one] ?? one);
}
