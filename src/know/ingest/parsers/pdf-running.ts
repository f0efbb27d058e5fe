import type { PageLine } from "./pdf-lines.ts";

/** Fewer pages than this show no habit. */
const leastPages = 4;
const share = 0.6;

/** Drops what stands first or last on most pages, page numbers aside: heads and feet say nothing where they stand. */
export function withoutRunningLines(pages: readonly (readonly PageLine[])[]): {
  readonly kept: readonly (readonly PageLine[])[];
  readonly count: number;
} {
  if (pages.length < leastPages) return { kept: pages, count: 0 };
  const seen = new Map<string, number>();
  for (const page of pages)
    for (const key of new Set(edgesOf(page).map((place) => keyOf(page[place])))) seen.set(key, (seen.get(key) ?? 0) + 1);
  const runs = (line: PageLine | undefined): boolean => {
    const key = keyOf(line);
    return key !== "" && (seen.get(key) ?? 0) >= pages.length * share;
  };
  let count = 0;
  const kept = pages.map((page) => {
    const edges = new Set(edgesOf(page).filter((place) => runs(page[place])));
    count += edges.size;
    return page.filter((_, place) => !edges.has(place));
  });
  return { kept, count };
}

function edgesOf(page: readonly PageLine[]): readonly number[] {
  return page.length < 3 ? [] : [0, page.length - 1];
}

function keyOf(line: PageLine | undefined): string {
  return (line?.cells.join(" ") ?? "").replace(/\d+/g, "#").toLowerCase();
}
