import { CountersignError } from "../contract/errors.ts";
import type { Slot } from "../contract/record-query.ts";
import { type PlaceholderNames, slotOf } from "./placeholders.ts";

// What may hold a colon that is no placeholder: strings, names, dollar quotes, comments, casts.
const piece =
  /(?<quoted>[eE]'(?:[^'\\]|\\[\s\S]|'')*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(?<tag>[A-Za-z_]*)\$[\s\S]*?\$\k<tag>\$|--[^\n]*|\/\*[\s\S]*?\*\/|::)|(?<![\w:]):(?<name>[a-z][a-z0-9_]*)|(?<end>;)|(?<place>\$\d)/g;

/**
 * Turns `:name` into `$1`, `$2` and so on, once for each name, and says what is bound to each. Throws `definition_invalid` for a text that is
 * no single query, or that has places of its own.
 */
export function readSql(text: string, names: PlaceholderNames): { readonly text: string; readonly slots: readonly Slot[] } {
  const named = `query \`${names.query}\``;
  const trimmed = text.trim().replace(/;\s*$/, "");
  if (!/^(?:\s|--[^\n]*\n|\/\*[\s\S]*?\*\/)*(?:select|with)\b/i.test(trimmed))
    throw invalid(`${named} is no query: it begins with neither \`select\` nor \`with\``);
  const order: string[] = [];
  const numbered = trimmed.replace(piece, (whole, ...rest) => {
    // The last argument of a replacer is the named groups.
    const { name, end, place } = rest.at(-1) as Record<string, string | undefined>;
    if (end !== undefined) throw invalid(`${named} holds more than one statement`);
    if (place !== undefined) throw invalid(`${named} has \`${whole}\` in it; name what is bound, as in \`:tenant\``);
    if (name === undefined) return whole;
    if (!order.includes(name)) order.push(name);
    return `$${order.indexOf(name) + 1}`;
  });
  return { text: numbered, slots: order.map((name) => slotOf(name, names)) };
}

function invalid(message: string): CountersignError {
  return new CountersignError("definition_invalid", message);
}
