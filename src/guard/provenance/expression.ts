import type { Expression } from "../../contract/calculation.ts";

/** Deeper calls and longer texts than these are no calculation that a person could follow. */
const deepest = 12;
const longest = 2_000;

/**
 * Reads an expression as a model writes it into a claim: `percent_change(now.total, "1,202.9"@[passage-id])`. A field is `need.field`, words
 * of a source stand in quotation marks, with the source's id behind them where it is not the claim's own. `undefined` for anything else.
 */
export function readExpression(text: string): Expression | undefined {
  if (text.length > longest) return undefined;
  const tokens = text.match(token) ?? [];
  // Whatever is no token is no part of an expression.
  if (tokens.join("").replace(/\s/g, "") !== text.replace(/\s/g, "") || tokens.some((one) => one.trim() === "")) return undefined;
  const read = readOne(tokens, 0, 0);
  return read !== undefined && read.next === tokens.length ? read.expression : undefined;
}

const token = /"[^"]*"(?:@\[[^\]]*\])?|[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)?|-?\d+(?:\.\d+)?|[(),]/gi;

type Read = { readonly expression: Expression; readonly next: number };

function readOne(tokens: readonly string[], at: number, depth: number): Read | undefined {
  const one = tokens[at];
  if (one === undefined || depth > deepest) return undefined;
  if (tokens[at + 1] === "(") return readCall(tokens, at, depth);
  const expression = leafOf(one);
  return expression === undefined ? undefined : { expression, next: at + 1 };
}

function readCall(tokens: readonly string[], at: number, depth: number): Read | undefined {
  const name = tokens[at] ?? "";
  if (!/^[a-z][a-z0-9_]*$/.test(name)) return undefined;
  const of: Expression[] = [];
  let next = at + 2;
  for (;;) {
    const read = readOne(tokens, next, depth + 1);
    if (read === undefined) return undefined;
    of.push(read.expression);
    next = read.next + 1;
    const behind = tokens[read.next];
    if (behind === ")") return { expression: { kind: "calculation", name, of }, next };
    if (behind !== ",") return undefined;
  }
}

function leafOf(text: string): Expression | undefined {
  if (text.startsWith('"')) {
    const [, quoted = "", source] = /^"([^"]*)"(?:@\[([^\]]*)\])?$/.exec(text) ?? [];
    return { kind: "quote", text: quoted, source: source ?? null };
  }
  if (/^-?\d/.test(text)) return { kind: "written", text };
  const [need, field] = text.split(".");
  return need === undefined || field === undefined ? undefined : { kind: "field", need, field };
}
