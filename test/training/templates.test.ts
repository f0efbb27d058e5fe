import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readTemplates } from "../../training/recogniser/examples.ts";
import { fillTemplate, type Slots } from "../../training/recogniser/fill-template.ts";
import { openRandom } from "../../training/recogniser/random.ts";

const slot = "§";
const slotNames = [
  ...new Set(readTemplates().flatMap((template) => [...template.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name))),
];
const slots: Slots = Object.fromEntries(slotNames.map((name) => [name, { kind: null, make: () => slot }]));

/** Words in lower case; what is filled in stands as one mark. */
function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/§|[\p{L}\p{N}']+/gu) ?? [];
}

function runsOf(words: readonly string[], length: number): readonly string[] {
  const runs = words.slice(0, Math.max(0, words.length - length + 1)).map((_, at) => words.slice(at, at + length));
  return runs.filter((run) => !run.includes(slot)).map((run) => run.join(" "));
}

/** Every choice of a template is met, in most cases: forty drawings of each. */
function drawings(): readonly string[] {
  const random = openRandom(7);
  return readTemplates().flatMap((template) => Array.from({ length: 40 }, () => fillTemplate(template, { slots, random }).text));
}

describe("templates that the recogniser is trained on", () => {
  it("are hundreds, and each slot is one that can be filled", async () => {
    const { openSlots } = await import("../../training/recogniser/slots.ts");
    const { readWordLists } = await import("../../training/recogniser/word-lists.ts");
    expect(readTemplates().length).toBeGreaterThan(500);
    const known = Object.keys(openSlots(openRandom(1), readWordLists()));
    expect(slotNames.filter((name) => !known.includes(name))).toEqual([]);
  });

  const data = process.env["COUNTERSIGN_BENCH_DATA"];
  const set = data === undefined ? "" : join(data, "presidio-pii");
  const missing = existsSync(set) ? "" : " (skipped: COUNTERSIGN_BENCH_DATA names no folder with presidio-pii)";

  it.skipIf(missing !== "")(`share no sentence and no five words in a row with the set that is measured on${missing}`, () => {
    const splits = ["open", "held"].map((split) => join(set, split)).filter(existsSync);
    const files = splits.flatMap((folder) => readdirSync(folder).map((file) => join(folder, file)));
    const theirs = files.flatMap((file) =>
      readFileSync(file, "utf8")
        .split("\n")
        .filter((line) => line !== "")
        .map(withoutValues),
    );
    const ours = drawings().map(wordsOf);
    const sentences = new Set(theirs.map((text) => wordsOf(text).join(" ")));
    const hasWords = (words: readonly string[]) => words.filter((word) => word !== slot).length >= 3;
    expect([
      ...new Set(
        ours
          .filter(hasWords)
          .map((words) => words.join(" "))
          .filter((text) => sentences.has(text)),
      ),
    ]).toEqual([]);
    const runs = new Set(theirs.flatMap((text) => runsOf(wordsOf(text), 5)));
    expect([...new Set(ours.flatMap((words) => runsOf(words, 5)).filter((run) => runs.has(run)))]).toEqual([]);
  });
});

function withoutValues(line: string): string {
  const { text, spans } = JSON.parse(line) as { text: string; spans: readonly { start_utf16: number; end_utf16: number }[] };
  const sorted = spans.toSorted((one, other) => other.start_utf16 - one.start_utf16);
  return sorted.reduce(
    (rest, { start_utf16: start, end_utf16: end }) => `${rest.slice(0, start)} ${slot} ${rest.slice(end)}`,
    text,
  );
}
