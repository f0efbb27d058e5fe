/** Where the front matter of a Markdown text ends: between a first line `---` and the next such line. 0 where it has none. */
export function frontMatterEnd(text: string): number {
  return /^\uFEFF?---[ \t]*\n(?:[\s\S]*?\n)?---[ \t]*(?:\n|$)/.exec(text)?.[0].length ?? 0;
}
