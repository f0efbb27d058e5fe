/** A text with pieces made blank, so that what is left keeps its place. The pieces are in the order of their beginnings. */
export function withoutSpans(text: string, spans: readonly { readonly from: number; readonly to: number }[]): string {
  const pieces: string[] = [];
  let at = 0;
  for (const { from, to } of spans) {
    pieces.push(text.slice(at, Math.max(at, from)), "\u0000".repeat(Math.max(0, to - Math.max(at, from))));
    at = Math.max(at, to);
  }
  return [...pieces, text.slice(at)].join("");
}
