import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { chunk, usualSizes } from "./chunk.ts";
import type { Block } from "./parsed.ts";

/** Blocks one after the other in a text, two characters apart. */
function blocksOf(...given: readonly (readonly [Block["kind"], string, number?])[]): { blocks: Block[] } {
  let at = 0;
  const blocks = given.map(([kind, text, level = 0]): Block => {
    const start = at;
    at += text.length + 2;
    return { kind, level, text, start, end: start + text.length, page: null };
  });
  return { blocks };
}
const sentence = "The quick brown fox jumps over the lazy dog near the bank. ";

describe("a file in passages", () => {
  test("follows its sections: each keeps the path of its headings, the file's own title is none", () => {
    const file = blocksOf(
      ["heading", "Handbook", 1],
      ["paragraph", "Before all."],
      ["heading", "Leave", 2],
      ["heading", "Parents", 3],
      ["paragraph", "Two years."],
      ["heading", "Pay", 2],
      ["paragraph", "Monthly."],
      ["heading", "Empty", 2],
    );
    expect(chunk(file).map(({ sectionPath, text }) => [sectionPath, text])).toEqual([
      [[], "Before all."],
      [["Leave", "Parents"], "Two years."],
      [["Pay"], "Monthly."],
      [[], "Empty"],
    ]);
  });

  test("keeps a list and a table whole while they fit, and what leads in with what follows", () => {
    const list = Array.from({ length: 50 }, (_, place) => `- item number ${place} with some words to it`).join("\n");
    const file = blocksOf(["paragraph", sentence.repeat(24).trim()], ["paragraph", "You need the following:"], ["list", list]);
    const passages = chunk(file);
    expect(list.length).toBeGreaterThan(usualSizes.text);
    expect(passages.map(({ text }) => text)).toEqual([sentence.repeat(24).trim(), `You need the following:\n\n${list}`]);
  });

  test("keeps a role and its company together", () => {
    const job = (place: number) =>
      [
        ["paragraph", `Senior Engineer ${place}`],
        ["paragraph", `Acme ${place}, 2019 to 2022`],
        ["paragraph", sentence.repeat(12).trim()],
      ] as const;
    for (const { text } of chunk(blocksOf(...job(1), ...job(2), ...job(3), ...job(4))))
      expect(text).toMatch(/^Senior Engineer (\d)\n\nAcme \1, 2019 to 2022\n\nThe quick/);
  });

  test("repeats a table's head where it has to be divided", () => {
    const rows = Array.from({ length: 120 }, (_, place) => `| part ${place} | ${"x".repeat(30)} |`);
    const table = ["| Part | What |", "|---|---|", ...rows].join("\n");
    const passages = chunk(blocksOf(["table", table]));
    expect(passages.length).toBeGreaterThan(1);
    for (const { text } of passages) {
      expect(text.startsWith("| Part | What |\n|---|---|\n| part ")).toBe(true);
      expect(text.length).toBeLessThanOrEqual(usualSizes.whole);
    }
    const kept = passages.flatMap(({ text }) => text.split("\n").filter((line) => line.startsWith("| part")));
    expect(kept).toEqual(rows);
  });

  test("keeps to one page, but for what leads in", () => {
    const { blocks } = blocksOf(["paragraph", "One."], ["paragraph", "You need:"], ["list", "- pen"], ["paragraph", "Three."]);
    const paged = blocks.map((block, place) => ({ ...block, page: [1, 1, 2, 3][place] ?? 1 }));
    expect(chunk({ blocks: paged }).map(({ page, text }) => [page, text])).toEqual([
      [1, "One."],
      [1, "You need:\n\n- pen"],
      [3, "Three."],
    ]);
  });

  test("cuts a heading that is long in the path of what is below it, and keeps all of it as text once", () => {
    const long = "Heading ".repeat(25_000).trim();
    const below = Array.from({ length: 3_000 }, (_, place) => [
      ["heading", `Part ${place}`, 2] as const,
      ["paragraph", `Text ${place}.`] as const,
    ]);
    const passages = chunk(blocksOf(["heading", "Before", 1], ["heading", long, 1], ...below.flat()));
    const paths = passages.reduce((sum, { sectionPath }) => sum + sectionPath.join("").length, 0);
    expect(paths).toBeLessThan(220 * passages.length);
    expect(passages.at(-1)).toMatchObject({
      text: "Text 2999.",
      sectionPath: [expect.stringMatching(/^Heading.*\u2026$/), "Part 2999"],
    });
    const words = passages.flatMap(({ text }) => text.split(/\s+/)).filter((word) => word === "Heading");
    expect(words).toHaveLength(25_000);
  });

  test("puts rows together, each a line", () => {
    const rows = Array.from({ length: 3 }, (_, place) => ["row", `sku: ${place}`] as const);
    expect(chunk(blocksOf(...rows)).map(({ text }) => text)).toEqual(["sku: 0\nsku: 1\nsku: 2"]);
  });

  test("loses no word, repeats none, is never longer than it may be and stands in order, whatever the file", () => {
    const kinds = fc.constantFrom("heading", "paragraph", "list", "row", "code") as fc.Arbitrary<Block["kind"]>;
    const text = fc.oneof(
      fc.string({ minLength: 1, maxLength: 40, unit: "grapheme" }),
      fc.integer({ min: 1, max: 80 }).map((count) => sentence.repeat(count)),
      fc.integer({ min: 1, max: 4_000 }).map((count) => "\u{1f600}x".repeat(count)),
    );
    const words = (one: string) => one.replace(/\s+/g, "");
    fc.assert(
      fc.property(fc.array(fc.tuple(kinds, text, fc.integer({ min: 1, max: 6 })), { maxLength: 12 }), (given) => {
        const shown = given.filter(([, one]) => words(one) !== "");
        const file = blocksOf(...shown.map(([kind, one, level]) => [kind, one.trim(), kind === "heading" ? level : 0] as const));
        const passages = chunk(file);
        const body = shown.filter(([kind]) => kind !== "heading").map(([, one]) => words(one));
        const found = words(passages.map((one) => one.text).join(""));
        let at = 0;
        for (const one of body) {
          const place = found.indexOf(one, at);
          expect(place).toBeGreaterThanOrEqual(at);
          at = place + one.length;
        }
        for (const one of passages) {
          expect(one.text.length).toBeLessThanOrEqual(usualSizes.whole);
          expect(one.text.isWellFormed()).toBe(true);
          expect(one.to).toBeGreaterThanOrEqual(one.from);
        }
      }),
    );
  });
});
