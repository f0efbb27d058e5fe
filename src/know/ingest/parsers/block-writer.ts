import type { Block } from "../parsed.ts";

/** Where a node stands in the text that is read. */
type Location = { readonly start: number; readonly end: number } | null;

/** Makes blocks of elements as they are entered and left. */
export interface BlockWriter {
  readonly enter: (tag: string) => void;
  readonly leave: (tag: string) => void;
  readonly text: (value: string, at: Location) => void;
  readonly end: () => readonly Block[];
}

const headings = new Set(["h1", "h2", "h3", "h4", "h5", "h6"]);
const lists = new Set(["ul", "ol", "dl", "menu"]);
const inline = new Set(
  "a abbr b bdi bdo button cite code data del dfn em font i ins kbd label mark q rp rt ruby s samp small span strike strong sub sup time tt u var wbr img input".split(
    " ",
  ),
);

/** What is being written. */
interface Writing {
  readonly blocks: Block[];
  parts: string[];
  range: { readonly start: number; readonly end: number } | null;
  readonly depth: { list: number; table: number; pre: number };
  isFirstCell: boolean;
}

/** Begins with nothing written. Lists and tables become one block each, whatever they hold. */
export function createBlockWriter(): BlockWriter {
  const writing: Writing = { blocks: [], parts: [], range: null, depth: { list: 0, table: 0, pre: 0 }, isFirstCell: true };
  return {
    enter: (tag) => enter(writing, tag),
    leave: (tag) => leave(writing, tag),
    text(value, at) {
      writing.parts.push(writing.depth.pre > 0 ? value : value.replace(/\s+/g, " "));
      if (at === null || value.trim() === "") return;
      const { start, end } = writing.range ?? at;
      writing.range = { start: Math.min(start, at.start), end: Math.max(end, at.end) };
    },
    end() {
      flush(writing, "paragraph");
      return writing.blocks;
    },
  };
}

function enter(writing: Writing, tag: string): void {
  const container = containerOf(tag);
  if (container !== null) {
    if (!isInside(writing)) flush(writing, "paragraph");
    writing.depth[container] += 1;
    return;
  }
  const mark = markOf(writing, tag);
  if (mark !== null) writing.parts.push(mark);
  else if (inline.has(tag)) return;
  else if (isInside(writing)) writing.parts.push(" ");
  else flush(writing, "paragraph");
}

function leave(writing: Writing, tag: string): void {
  const container = containerOf(tag);
  if (container !== null) {
    writing.depth[container] -= 1;
    if (!isInside(writing) && writing.depth[container] === 0) flush(writing, container === "pre" ? "code" : container);
    return;
  }
  if (inline.has(tag) || tag === "br" || isInside(writing)) return;
  if (headings.has(tag)) flush(writing, "heading", Number(tag.slice(1)));
  else flush(writing, "paragraph");
}

/** What an element writes by itself; `null` where that is nothing. */
function markOf(writing: Writing, tag: string): string | null {
  const { list, table } = writing.depth;
  // A cell is one line, whatever breaks it where it is shown.
  if (tag === "br") return table > 0 ? " " : "\n";
  if (tag === "dt" || tag === "dd") return tag === "dt" ? "\n" : "\n  ";
  if (tag === "li" && list > 0) return table > 0 ? "; " : `\n${"  ".repeat(list - 1)}- `;
  return table === 1 ? markInTable(writing, tag) : null;
}

function markInTable(writing: Writing, tag: string): string | null {
  const isCell = tag === "td" || tag === "th";
  if (!isCell && tag !== "tr") return null;
  const mark = isCell && !writing.isFirstCell ? " | " : "";
  writing.isFirstCell = tag === "tr";
  return tag === "tr" ? "\n" : mark;
}

function containerOf(tag: string): "list" | "table" | "pre" | null {
  if (lists.has(tag)) return "list";
  return tag === "table" || tag === "pre" ? tag : null;
}

function isInside({ depth }: Writing): boolean {
  return depth.list > 0 || depth.table > 0;
}

function flush(writing: Writing, kind: Block["kind"], level = 0): void {
  const { parts, range, blocks } = writing;
  const written = parts.join("");
  const text = kind === "code" ? written.replace(/^\n+|\s+$/g, "") : linesOf(written);
  if (text !== "" && range !== null) blocks.push({ kind, level, text, ...range, page: null });
  writing.parts = [];
  writing.range = null;
}

/** Lines without space at their ends, and none that is empty; what a line begins with is its depth in a list. */
function linesOf(text: string): string {
  return text
    .split("\n")
    .map((line) => {
      const [, indent = "", rest = ""] = /^((?: {2})*)(.*)$/.exec(line) ?? [];
      return (/^- /.test(rest) ? indent : "") + rest.replace(/\s+/g, " ").trim();
    })
    .filter((line) => line.trim() !== "" && line.trim() !== "-")
    .join("\n")
    .trim();
}
