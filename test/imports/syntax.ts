import { parseSync } from "@swc/core";

/** A node of a parsed file; every node has a type, most have a place. */
export interface SyntaxNode {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** A parsed file with the lines a node spans, counted from 1. */
export interface Parsed {
  readonly root: SyntaxNode;
  readonly lines: (node: SyntaxNode) => { readonly first: number; readonly last: number } | null;
}

/** Parses TypeScript, with tags in it where it `isTsx`; throws on a syntax error. */
export function parse(text: string, { isTsx = false }: { readonly isTsx?: boolean } = {}): Parsed {
  // A leading `;` gives a node whose place is known: the parser counts bytes on from one file to the next, and skips comments at the head.
  const source = Buffer.from(`;${text.replace(/^#!/, "//")}`);
  const root = asNode(parseSync(source.toString(), { syntax: "typescript", tsx: isTsx, target: "es2022" }));
  const offset = spanOf(asNode(listOf(root?.["body"])[0]))?.start;
  if (!root || offset === undefined) throw new Error("the parser gave no tree");
  const lineAt = (byte: number) =>
    source
      .subarray(0, byte - offset)
      .toString()
      .split("\n").length;
  return {
    root,
    lines: (node) => {
      const span = spanOf(node);
      return span ? { first: lineAt(span.start), last: lineAt(span.end) } : null;
    },
  };
}

/** Every node of a tree, parents before children. */
export function* walk(node: SyntaxNode): Generator<SyntaxNode> {
  yield node;
  for (const value of Object.values(node)) {
    for (const item of Array.isArray(value) ? value : [value]) yield* walkItem(item);
  }
}

/** The value as a node, or null when it is none. */
export function asNode(value: unknown): SyntaxNode | null {
  return isNode(value) ? value : null;
}

/** The value as a list, empty when it is none. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

// Some lists wrap their nodes in plain objects, such as `{ spread, expression }` of a call's arguments.
function* walkItem(item: unknown): Generator<SyntaxNode> {
  if (isNode(item)) yield* walk(item);
  else if (typeof item === "object" && item !== null) for (const inner of Object.values(item)) yield* walkItem(inner);
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}

function spanOf(node: SyntaxNode | null): { start: number; end: number } | null {
  const span = node?.["span"];
  if (typeof span !== "object" || span === null || !("start" in span) || !("end" in span)) return null;
  return typeof span.start === "number" && typeof span.end === "number" ? { start: span.start, end: span.end } : null;
}
