import MarkdownIt, { type Token } from "markdown-it";
import { UnreadableFile } from "../faults.ts";
import type { Block, ParsedFile } from "../parsed.ts";
import { decodeText } from "./decode-text.ts";
import { frontMatterEnd } from "./front-matter.ts";
import { parseHtmlText } from "./html.ts";
import { withoutInlineHtml } from "./inline-html.ts";

/**
 * Reads Markdown: headings, paragraphs, lists, tables and code as they are written, without the front matter. HTML within it is read
 * as HTML, so that comments and hidden text are dropped. Throws `UnreadableFile`.
 */
export function parseMarkdown(bytes: Uint8Array): ParsedFile {
  const text = decodeText(bytes);
  const from = frontMatterEnd(text);
  const body = text.slice(from);
  if (body.trim() === "") throw new UnreadableFile("empty", "it holds front matter and nothing else");
  const starts = lineStarts(body);
  const dropped: Record<string, number> = {};
  const blocks: Block[] = [];
  for (const tokens of outerTokens(new MarkdownIt({ html: true }).parse(body, {}))) {
    const block = blockOf({ tokens, body, starts, dropped });
    if (block !== null) blocks.push({ ...block, start: block.start + from, end: block.end + from });
  }
  if (blocks.length === 0) throw new UnreadableFile("no_text", "it shows no text");
  const title = blocks.find((block) => block.kind === "heading" && block.level === 1)?.text ?? null;
  return { title, blocks, length: text.length, pages: null, dropped };
}

/** The tokens of each outermost block, its own first. Quotes are read through: what they hold is outermost too. */
function* outerTokens(tokens: readonly Token[]): Generator<readonly Token[]> {
  let depth = 0;
  let from = 0;
  for (const [place, token] of tokens.entries()) {
    const isQuote = token.type.startsWith("blockquote_");
    if (depth === 0) from = place;
    if (isQuote && depth === 0) continue;
    depth += token.nesting;
    if (depth === 0) yield tokens.slice(from, place + 1);
  }
}

interface Place {
  readonly tokens: readonly Token[];
  readonly body: string;
  readonly starts: readonly number[];
  readonly dropped: Record<string, number>;
}

const kinds: Readonly<Record<string, Block["kind"]>> = {
  heading_open: "heading",
  paragraph_open: "paragraph",
  bullet_list_open: "list",
  ordered_list_open: "list",
  table_open: "table",
  fence: "code",
  code_block: "code",
  html_block: "paragraph",
};

function blockOf({ tokens, body, starts, dropped }: Place): Block | null {
  const [token] = tokens;
  const kind = kinds[token?.type ?? ""];
  const [first, after] = token?.map ?? [0, 0];
  const [start, end] = [starts[first] ?? body.length, starts[after] ?? body.length];
  if (token === undefined || kind === undefined || end <= start) return null;
  const raw = body.slice(start, end).trimEnd();
  const text = textOf({ kind, token, tokens, raw, dropped });
  if (text === "") return null;
  return { kind, level: kind === "heading" ? Number(token.tag.slice(1)) : 0, text, start, end: start + raw.length, page: null };
}

type Written = Pick<Place, "tokens" | "dropped"> & { readonly kind: Block["kind"]; readonly token: Token; readonly raw: string };

function textOf({ kind, token, tokens, raw, dropped }: Written): string {
  if (kind === "code") return raw;
  if (token.type === "html_block") return htmlText(raw, dropped);
  const inner = tokens.flatMap((one) => (one.type === "inline" ? (one.children ?? []) : one.type === "html_block" ? [one] : []));
  if (kind === "heading") return headingText(inner);
  // A quote's marks are no part of what it says.
  const unquoted = raw.replace(/^ {0,3}> ?/gm, "");
  return withoutInlineHtml({ raw: unquoted, inner, dropped }).trim();
}

/** The words of a heading, without marks. */
function headingText(inner: readonly Token[]): string {
  const parts = inner.map(({ type, content }) => (type === "softbreak" ? " " : type === "html_inline" ? "" : content));
  return parts.join("").replace(/\s+/g, " ").trim();
}

function htmlText(raw: string, dropped: Record<string, number>): string {
  const read = parseHtmlText(raw);
  for (const [kind, count] of Object.entries(read.dropped)) dropped[kind] = (dropped[kind] ?? 0) + count;
  return read.blocks.map((block) => block.text).join("\n");
}

function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let found = text.indexOf("\n"); found !== -1; found = text.indexOf("\n", found + 1)) starts.push(found + 1);
  return starts;
}
