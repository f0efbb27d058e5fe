import type { Block, ParsedFile } from "../parsed.ts";
import { decodeText } from "./decode-text.ts";

const listItem = /^\s*(?:[-*\u2022\u2013+]|\(?\d{1,3}[.)]|\(?[a-z][.)])\s+\S/;
const underline = /^(?:={3,}|-{3,})\s*$/;

/** Reads plain text: paragraphs stand between empty lines; a line that is underlined is a heading. Throws `UnreadableFile`. */
export function parseText(bytes: Uint8Array): ParsedFile {
  const text = decodeText(bytes);
  const blocks = [...paragraphsOf(text)].flatMap(blocksOf);
  return { title: null, blocks, length: text.length, pages: null, dropped: {} };
}

interface Line {
  readonly text: string;
  readonly start: number;
}

/** Runs of lines without an empty one between them. */
function* paragraphsOf(text: string): Generator<readonly Line[]> {
  let lines: Line[] = [];
  let start = 0;
  while (start <= text.length) {
    const found = text.indexOf("\n", start);
    const end = found === -1 ? text.length : found;
    const line = text.slice(start, end);
    if (line.trim() !== "") lines.push({ text: line, start });
    else if (lines.length > 0) {
      yield lines;
      lines = [];
    }
    start = end + 1;
  }
  if (lines.length > 0) yield lines;
}

function blocksOf(lines: readonly Line[]): Block[] {
  const [first, second, ...rest] = lines;
  if (first !== undefined && second !== undefined && underline.test(second.text)) {
    const level = second.text.startsWith("=") ? 1 : 2;
    const heading: Block = { ...blockOf("heading", [first]), level };
    return rest.length === 0 ? [heading] : [heading, ...blocksOf(rest)];
  }
  const at = lines.findIndex((line) => listItem.test(line.text));
  if (at === -1) return [blockOf("paragraph", lines)];
  if (at === 0) return [blockOf("list", lines)];
  return [blockOf("paragraph", lines.slice(0, at)), blockOf("list", lines.slice(at))];
}

function blockOf(kind: Block["kind"], lines: readonly Line[]): Block {
  const start = lines[0]?.start ?? 0;
  const last = lines.at(-1);
  const end = last === undefined ? start : last.start + last.text.length;
  return {
    kind,
    level: 0,
    text: lines
      .map((line) => line.text.trimEnd())
      .join("\n")
      .trim(),
    start,
    end,
    page: null,
  };
}
