import type { Token } from "markdown-it";
import { parseHtmlText } from "./html.ts";

/**
 * Takes HTML out of a piece of Markdown: marks and comments go, and hidden text with them; what stands in code stays. `inner` are its
 * tokens in order. Counts into `dropped`.
 */
export function withoutInlineHtml({
  raw,
  inner,
  dropped,
}: {
  raw: string;
  inner: readonly Token[];
  dropped: Record<string, number>;
}): string {
  if (!inner.some(({ type }) => type.startsWith("html_"))) return raw;
  let state: State = { kept: "", cursor: 0, hiddenTag: null };
  for (const token of inner.filter(({ type }) => told.has(type))) {
    const at = raw.indexOf(token.content, state.cursor);
    if (at === -1) continue;
    const before = state.hiddenTag === null ? state.kept + raw.slice(state.cursor, at) : state.kept;
    state = { ...after({ ...state, kept: before }, { token, dropped }), cursor: at + token.content.length };
  }
  return state.hiddenTag === null ? state.kept + raw.slice(state.cursor) : state.kept;
}

const told = new Set(["html_inline", "html_block", "code_inline"]);

interface State {
  readonly kept: string;
  readonly cursor: number;
  /** The element that hides what is being read. */
  readonly hiddenTag: string | null;
}

function after(state: State, { token: { type, content }, dropped }: { token: Token; dropped: Record<string, number> }): State {
  const { kept, hiddenTag } = state;
  if (hiddenTag !== null) {
    const isEnd = type === "html_inline" && content.toLowerCase().startsWith(`</${hiddenTag}`);
    return { ...state, hiddenTag: isEnd ? null : hiddenTag };
  }
  if (type === "code_inline") return { ...state, kept: kept + content };
  if (type === "html_block") return { ...state, kept: kept + textOf(content, dropped) };
  return { ...state, kept: /^<br\b/i.test(content) ? `${kept}\n` : kept, hiddenTag: opensHidden(content, dropped) };
}

/** The element that a mark opens, where nobody is shown what it holds; counts it, and comments. */
function opensHidden(mark: string, dropped: Record<string, number>): string | null {
  if (mark.startsWith("<!--")) dropped["comments"] = (dropped["comments"] ?? 0) + 1;
  const tag = /^<([a-z][a-z0-9-]*)/i.exec(mark)?.[1]?.toLowerCase();
  if (tag === undefined || /\/>$/.test(mark)) return null;
  const before = { ...dropped };
  const isShown = textOf(`${mark}x</${tag}>`, dropped).includes("x") || /^(?:br|img|hr|wbr|input|meta|link)$/.test(tag);
  if (!isShown) return tag;
  Object.assign(dropped, before);
  return null;
}

function textOf(html: string, dropped: Record<string, number>): string {
  const read = parseHtmlText(html);
  for (const [kind, count] of Object.entries(read.dropped)) dropped[kind] = (dropped[kind] ?? 0) + count;
  return read.blocks.map((block) => block.text).join("\n");
}
