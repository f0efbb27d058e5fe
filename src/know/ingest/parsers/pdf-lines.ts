/** A run of glyphs, in points; `y` grows upwards. */
export interface TextItem {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** One line of a page; `cells` are its parts where wide gaps divide it. */
export interface PageLine {
  readonly cells: readonly string[];
  readonly y: number;
  readonly height: number;
}

/** Puts a page's runs into lines, in the order in which the file has them: columns are mostly written one after the other. */
export function linesOfPage(items: readonly TextItem[]): readonly PageLine[] {
  const lines: TextItem[][] = [];
  for (const item of items) {
    if (item.text.trim() === "") continue;
    const line = lines.at(-1);
    const before = line?.at(-1);
    const isSame = before !== undefined && Math.abs(before.y - item.y) <= Math.max(before.height, item.height) * 0.4;
    if (line !== undefined && isSame && item.x >= before.x - 1) line.push(item);
    else lines.push([item]);
  }
  return lines.map(lineOf);
}

function lineOf(items: readonly TextItem[]): PageLine {
  const cells: string[] = [];
  let end: number | null = null;
  let height = 0;
  for (const item of items) {
    const gap = end === null ? Number.POSITIVE_INFINITY : item.x - end;
    const size = Math.max(item.height, 1);
    if (gap > size * 1.8) cells.push(item.text.trim());
    else cells.push(`${cells.pop() ?? ""}${gap > size * 0.15 ? " " : ""}${item.text}`);
    end = item.x + item.width;
    height = Math.max(height, item.height);
  }
  return { cells: cells.map((cell) => cell.replace(/\s+/g, " ").trim()), y: items[0]?.y ?? 0, height };
}
