import type { FiledPassage } from "../../contract/knowledge.ts";
import type { Block, ParsedFile } from "./parsed.ts";
import { shorten } from "./shorten.ts";
import { splitBlock } from "./split-block.ts";

/** How large passages become, in characters: text is gathered up to `text`, a list or table stays whole up to `whole`. */
export interface ChunkSizes {
  readonly text: number;
  readonly whole: number;
}

/** About 400 and 800 tokens: enough to answer from, little enough that one subject fills it. */
export const usualSizes: ChunkSizes = { text: 1_600, whole: 3_200 };

/** Most characters of a heading in the path of a passage: each passage below it repeats it. */
const longestHeading = 200;

/**
 * Divides a file into passages along its structure, without overlap: none crosses a heading; lists and tables stay whole while they fit,
 * and else repeat their first line; what leads in, such as a role above its company or a sentence before its list, stays with what
 * follows. Pure: the same file gives the same passages.
 */
export function chunk({ blocks }: Pick<ParsedFile, "blocks">, sizes = usualSizes): readonly FiledPassage[] {
  return sectionsOf(blocks).flatMap(({ path, blocks: own }) => passagesOf(path, { blocks: own, sizes }));
}

interface Section {
  readonly path: readonly string[];
  readonly blocks: readonly Block[];
}

/** A file's own title is no section: it stands above everything. */
function sectionsOf(blocks: readonly Block[]): readonly Section[] {
  const title = titleHeading(blocks);
  const sections: Section[] = [];
  let path: { level: number; text: string }[] = [];
  let own: Block[] = [];
  let lone: Block | null = null;
  const close = (): void => {
    // A heading under which nothing stands is said by itself, or it could not be found.
    const said = own.length > 0 ? own : lone === null ? [] : [lone];
    const names = path.map(({ text }) => text);
    if (said.length > 0) sections.push({ path: own.length > 0 ? names : names.slice(0, -1), blocks: said });
    own = [];
    lone = null;
  };
  for (const block of blocks) {
    if (block.kind !== "heading") {
      own.push(block);
      continue;
    }
    const above = path.filter(({ level }) => level < block.level);
    // What stands under it is its content, though nothing stands between.
    if (own.length > 0 || above.length < path.length) close();
    const isTitle = block === title;
    path = isTitle ? [] : [...above, { level: block.level, text: shorten(block.text, longestHeading) }];
    // One that is cut stands below itself as text: nothing of it is lost.
    const isCut = block.text.length > longestHeading;
    own = isCut ? [{ ...block, kind: "paragraph", level: 0 }] : [];
    lone = isCut || (isTitle && blocks.length > 1) ? null : block;
  }
  close();
  return sections;
}

/** The first heading, where it is the only one of the highest level and stands above all others. */
function titleHeading(blocks: readonly Block[]): Block | null {
  const [first, ...others] = blocks.filter(({ kind }) => kind === "heading");
  if (first === undefined || blocks[0] !== first) return null;
  return others.every(({ level }) => level > first.level) ? first : null;
}

function passagesOf(
  path: readonly string[],
  { blocks, sizes }: { blocks: readonly Block[]; sizes: ChunkSizes },
): readonly FiledPassage[] {
  const pieces = blocks.flatMap((block) => splitBlock(block, isWhole(block) ? sizes.whole : sizes.text));
  const groups: Block[][] = [];
  let group: Block[] = [];
  let size = 0;
  for (const piece of pieces) {
    const own = piece.text.length + 2;
    // A citation names the page on which its passage begins, so a passage keeps to one.
    const isNextPage = group.length > 0 && group.at(-1)?.page !== piece.page;
    if (isNextPage || (group.length > 0 && size + own > roomFor({ group, piece, sizes }))) {
      const carried = leadIn(group, own, sizes);
      groups.push(group.slice(0, group.length - carried.length));
      group = [...carried];
      size = sizeOf(group);
    }
    group.push(piece);
    size += own;
  }
  if (group.length > 0) groups.push(group);
  return groups.filter((one) => one.length > 0).map((one) => passageOf(path, one));
}

/** A list that follows its lead-in may fill a passage as if it stood alone. */
function roomFor({ group, piece, sizes }: { group: readonly Block[]; piece: Block; sizes: ChunkSizes }): number {
  const last = group.at(-1);
  const isLed = group.length === 1 && last !== undefined && leadsIn(last);
  return isWhole(piece) && isLed ? sizes.whole : sizes.text;
}

/** The blocks at a group's end that belong to what comes next: a short line without an end, or one that announces it. */
function leadIn(group: readonly Block[], next: number, sizes: ChunkSizes): readonly Block[] {
  let from = group.length;
  while (from > 1 && group[from - 1] !== undefined && leadsIn(group[from - 1] as Block)) from -= 1; // looked at just before
  const carried = group.slice(from);
  return sizeOf(carried) + next > sizes.whole ? [] : carried;
}

function leadsIn({ kind, text }: Block): boolean {
  if (kind !== "paragraph") return false;
  return /:["')\]]?$/.test(text) || (text.length <= 80 && !/[.!?;]["')\]]?$/.test(text));
}

function isWhole({ kind }: Block): boolean {
  return kind === "list" || kind === "table" || kind === "code";
}

function sizeOf(blocks: readonly Block[]): number {
  return blocks.reduce((sum, { text }) => sum + text.length + 2, 0);
}

function passageOf(path: readonly string[], group: readonly Block[]): FiledPassage {
  const text = group
    .map((block, place) => (place === 0 ? block.text : `${separator(group[place - 1], block)}${block.text}`))
    .join("");
  return {
    sectionPath: path,
    page: group[0]?.page ?? null,
    from: Math.min(...group.map(({ start }) => start)),
    to: Math.max(...group.map(({ end }) => end)),
    text,
  };
}

function separator(before: Block | undefined, block: Block): string {
  return before?.kind === "row" && block.kind === "row" ? "\n" : "\n\n";
}
