import type { Block } from "../parsed.ts";
import type { PageLine } from "./pdf-lines.ts";

type Numbered = PageLine & { readonly page: number };
type Run = { readonly kind: Block["kind"]; readonly level: number; readonly lines: readonly Numbered[] };

const listItem = /^(?:[-*\u2022\u2013\u25aa\u25cf]|\(?\d{1,3}[.)]|\(?[a-z][.)])\s+\S/;
/** A heading is this much larger than most of the text, and no longer than this. */
const headingScale = 1.15;
const longestHeading = 160;

/** Joins the lines of all pages to blocks, and gives the length of the text that they make, in characters. */
export function blocksOfPages(pages: readonly (readonly PageLine[])[]): {
  readonly blocks: readonly Block[];
  readonly length: number;
} {
  const lines = pages.flatMap((page, place) => page.map((line) => ({ ...line, page: place + 1 })));
  const body = usualHeight(lines);
  const sizes = [...new Set(lines.filter((line) => isLarge(line, body)).map((line) => Math.round(line.height)))].sort(
    (a, b) => b - a,
  );
  const blocks: Block[] = [];
  let length = 0;
  for (const { kind, level, lines: own } of runsOf(lines, { body, sizes })) {
    const text = textOf(kind, own);
    if (text === "") continue;
    const start = length === 0 ? 0 : length + 2;
    length = start + text.length;
    blocks.push({ kind, level, text, start, end: length, page: own[0]?.page ?? null });
  }
  return { blocks, length };
}

/** Lines that belong together: of one kind, close to each other, on one page unless a paragraph goes on. */
function runsOf(lines: readonly Numbered[], sizes: { body: number; sizes: readonly number[] }): readonly Run[] {
  const runs: { kind: Block["kind"]; level: number; lines: Numbered[] }[] = [];
  for (const line of lines) {
    const { kind, level } = kindOf(line, sizes);
    const last = runs.at(-1);
    const before = last?.lines.at(-1);
    if (last === undefined || before === undefined) runs.push({ kind, level, lines: [line] });
    else if (continues({ kind, level, line, last, before })) last.lines.push(line);
    else runs.push({ kind, level, lines: [line] });
  }
  return runs;
}

function continues({
  kind,
  level,
  line,
  last,
  before,
}: {
  kind: Block["kind"];
  level: number;
  line: Numbered;
  last: { kind: Block["kind"]; level: number };
  before: Numbered;
}): boolean {
  const isOnePage = before.page === line.page;
  const isClose = isOnePage && Math.abs(before.y - line.y) <= Math.max(before.height, line.height) * 1.9;
  if (last.kind === "heading" || kind === "heading") return last.kind === kind && last.level === level && isClose;
  if (last.kind === "table" || kind === "table") return last.kind === kind;
  if (kind === "list") return last.kind === "list";
  // A paragraph goes on over the page's end where its sentence does; what follows an item closely is that item.
  if (isOnePage) return isClose;
  return !/[.!?:]["')\]]?$/.test(before.cells.join(" "));
}

function kindOf(line: Numbered, { body, sizes }: { body: number; sizes: readonly number[] }): Pick<Run, "kind" | "level"> {
  const text = line.cells.join(" ");
  if (isLarge(line, body) && text.length <= longestHeading)
    return { kind: "heading", level: Math.min(6, sizes.indexOf(Math.round(line.height)) + 1) };
  if (listItem.test(text)) return { kind: "list", level: 0 };
  return { kind: line.cells.length > 1 ? "table" : "paragraph", level: 0 };
}

function isLarge(line: PageLine, body: number): boolean {
  return line.height >= body * headingScale && /\p{L}/u.test(line.cells.join(""));
}

/** The height that most characters have. */
function usualHeight(lines: readonly PageLine[]): number {
  const counts = new Map<number, number>();
  for (const { height, cells } of lines) {
    const rounded = Math.round(height * 2) / 2;
    counts.set(rounded, (counts.get(rounded) ?? 0) + cells.join("").length);
  }
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 0;
}

function textOf(kind: Block["kind"], lines: readonly Numbered[]): string {
  if (kind === "table") return lines.map((line) => line.cells.join(" | ")).join("\n");
  let text = "";
  for (const line of lines) {
    const own = line.cells.join(" ");
    const isItem = kind === "list" && listItem.test(own);
    if (text === "") text = own;
    else if (isItem) text += `\n${own}`;
    // A word that was divided at the line's end is one again.
    else text = /\p{L}-$/u.test(text) && /^\p{Ll}/u.test(own) ? text.slice(0, -1) + own : `${text} ${own}`;
  }
  return text.trim();
}
