import { type DefaultTreeAdapterTypes, parse } from "parse5";
import { UnreadableFile } from "../faults.ts";
import type { Block, ParsedFile } from "../parsed.ts";
import { createBlockWriter } from "./block-writer.ts";
import { decodeText } from "./decode-text.ts";

type Node = DefaultTreeAdapterTypes.ChildNode;

/** Elements that show no text of the page, by what they are counted as. */
const droppedTags: Readonly<Record<string, string>> = {
  script: "scripts",
  style: "styles",
  template: "templates",
  noscript: "scripts",
  iframe: "embedded",
  object: "embedded",
  embed: "embedded",
  svg: "pictures",
  math: "embedded",
  select: "forms",
  textarea: "forms",
};
const hiddenStyle =
  /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|opacity\s*:\s*0(?:\.0*)?%?\s*(?:;|!|$)|font-size\s*:\s*0(?:\.0*)?[a-z%]*\s*(?:;|!|$))/i;

/** Reads HTML. Scripts, styles, comments and hidden text are dropped and counted. Throws `UnreadableFile`. */
export function parseHtml(bytes: Uint8Array): ParsedFile {
  const parsed = parseHtmlText(decodeText(bytes, namedEncoding(bytes)));
  if (parsed.blocks.length === 0) throw new UnreadableFile("no_text", "it shows no text");
  return parsed;
}

/** Reads HTML that is text already. Walks without recursion: how deep a page nests is its author's choice. */
export function parseHtmlText(html: string): ParsedFile {
  const writer = createBlockWriter();
  const dropped: Record<string, number> = {};
  let title: string | null = null;
  const waiting: Step[] = [];
  const push = (nodes: readonly Node[]): void => {
    for (const node of nodes.toReversed()) waiting.push({ node, isLeaving: false });
  };
  push(parse(html, { sourceCodeLocationInfo: true }).childNodes);
  for (let step = waiting.pop(); step !== undefined; step = waiting.pop()) {
    const { node, isLeaving } = step;
    if (isLeaving) {
      writer.leave(node.nodeName);
      continue;
    }
    const why = droppedAs(node);
    if (why !== null) dropped[why] = (dropped[why] ?? 0) + 1;
    else if ("value" in node) writer.text(node.value, locationOf(node));
    else if (node.nodeName === "head") title ??= titleOf(node);
    else if ("tagName" in node) {
      writer.enter(node.tagName);
      waiting.push({ node, isLeaving: true });
      push(node.childNodes);
    }
  }
  const blocks = writer.end();
  return { title: title ?? headingOf(blocks), blocks, length: html.length, pages: null, dropped };
}

interface Step {
  readonly node: Node;
  readonly isLeaving: boolean;
}

/** What a node is counted as, where nobody is shown it. */
function droppedAs(node: Node): string | null {
  if (node.nodeName === "#comment") return "comments";
  if (!("tagName" in node)) return null;
  if (Object.hasOwn(droppedTags, node.tagName)) return droppedTags[node.tagName] ?? null;
  const attribute = (name: string) => node.attrs.find((one) => one.name === name)?.value;
  const isHidden = attribute("hidden") !== undefined || hiddenStyle.test(attribute("style") ?? "");
  return isHidden ? "hidden" : null;
}

function titleOf(head: Node): string | null {
  const title = "childNodes" in head ? head.childNodes.find((node) => node.nodeName === "title") : undefined;
  if (title === undefined || !("childNodes" in title)) return null;
  const text = title.childNodes.map((node) => ("value" in node ? node.value : "")).join("");
  return text.replace(/\s+/g, " ").trim() || null;
}

function headingOf(blocks: readonly Block[]): string | null {
  return blocks.find((block) => block.kind === "heading")?.text ?? null;
}

function locationOf(node: Node): { start: number; end: number } | null {
  const found = node.sourceCodeLocation;
  return found ? { start: found.startOffset, end: found.endOffset } : null;
}

/** The encoding that the first bytes name. */
function namedEncoding(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 2048)).toString("latin1");
  return /<meta[^>]{0,200}charset\s*=\s*["']?([\w-]{1,40})/i.exec(head)?.[1];
}
