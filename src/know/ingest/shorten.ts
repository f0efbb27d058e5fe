/** Cuts a text that has more than `most` characters, with a mark at its end; never within a character. */
export function shorten(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text
    .slice(0, most - 1)
    .replace(/[\ud800-\udbff]$/, "")
    .trimEnd()}\u2026`;
}
