import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { analyze, savings, segments } from "./analyze.ts";
import { keepOne } from "./keep-one.ts";
import { tokensOf } from "./tokens.ts";

const rule = "A device that is broken beyond repair is replaced within five working days of the report.";
const other = "Travel is booked by the office of the team, never by the traveller alone.";

describe("what is said more than once", () => {
  it("is nothing for texts of their own", () => {
    expect(
      analyze([
        { id: "a", text: rule },
        { id: "b", text: other },
      ]),
    ).toMatchObject({ sharePpm: 0 });
    expect(
      segments([
        { id: "a", text: rule },
        { id: "b", text: other },
      ]),
    ).toEqual([]);
  });

  it("counts against the later text, without regard to case and punctuation, and flags it", () => {
    const texts = [
      { id: "a", text: rule },
      { id: "b", text: `${rule.toUpperCase().replaceAll(" ", ",  ")} ${other}` },
      { id: "c", text: rule },
    ];
    const found = analyze(texts);
    expect(found.texts.map(({ id, isFlagged }) => [id, isFlagged])).toEqual([
      ["a", false],
      ["b", false],
      ["c", true],
    ]);
    expect(found.texts[2]).toEqual({ id: "c", runs: 12, sharePpm: 1_000_000, isFlagged: true });
    expect(found.texts[1]?.sharePpm).toBe(Math.round((12 * 1_000_000) / 26));
  });

  it("tells each run in its place and in that of its origin, and goes on as long as both do", () => {
    const b = `Note: ${rule} End. ${rule}`;
    const found = segments([
      { id: "a", text: rule },
      { id: "b", text: b },
    ]);
    const inside = (one: { from: number; to: number }, text: string) => text.slice(one.from, one.to);
    expect(found).toHaveLength(2);
    for (const one of found) {
      expect(inside(one, b)).toBe(rule.slice(0, -1));
      expect(one.of).toEqual({ id: "a", from: 0, to: rule.length - 1 });
      expect(one.tokens).toBe(16);
    }
  });

  it("compares characters where words would miss a language without spaces", () => {
    const text = "壊れた端末は五営業日以内に交換される。";
    expect(
      analyze(
        [
          { id: "a", text },
          { id: "b", text: `${text}以上` },
        ],
        { unit: "characters" },
      ).texts[1]?.isFlagged,
    ).toBe(true);
  });

  it("says what would be saved, in bytes of UTF-8 and in tokens", () => {
    const text = "Größere Geräte werden nur nach Rücksprache mit dem Einkauf ersetzt";
    const found = savings([
      { id: "a", text },
      { id: "b", text },
    ]);
    const bytes = Buffer.byteLength(text);
    expect(found).toEqual({ bytes, totalBytes: 2 * bytes, tokens: Math.round(bytes / 4), totalTokens: Math.round(bytes / 2) });
  });

  it("agrees with the plain way of comparing every run with every other", () => {
    const words = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 40 });
    fc.assert(
      fc.property(fc.array(words, { minLength: 1, maxLength: 4 }), (lists) => {
        const texts = lists.map((list, place) => ({ id: String(place), text: list.join(" ") }));
        const seen = new Set<string>();
        const plain = lists.map((list) => {
          const runs = Array.from({ length: Math.max(0, list.length - 4) }, (_, at) => list.slice(at, at + 5).join(" "));
          const repeated = runs.filter((run) => seen.has(run) || !seen.add(run)).length;
          return runs.length === 0 ? 0 : Math.round((repeated * 1_000_000) / runs.length);
        });
        expect(analyze(texts).texts.map(({ sharePpm }) => sharePpm)).toEqual(plain);
        for (const { id, from, to, of } of segments(texts)) {
          const slice = (name: string, start: number, end: number) => texts[Number(name)]?.text.slice(start, end);
          expect(slice(id, from, to)).toBe(slice(of.id, of.from, of.to));
        }
      }),
    );
  });

  it("has nothing to say of empty and short texts", () => {
    expect(
      analyze([
        { id: "a", text: "" },
        { id: "b", text: "one two" },
      ]).texts.map(({ runs }) => runs),
    ).toEqual([0, 0]);
    expect(analyze([])).toMatchObject({ sharePpm: 0, texts: [] });
  });
});

describe("of duplicates one is kept", () => {
  const wordsOf = (text: string): ReadonlySet<string> => new Set(text.toLowerCase().match(/\p{L}+/gu) ?? []);
  const candidate = (id: string, text: string, more: object = {}) => ({ id, text, isAuthority: false, isCurrent: true, ...more });
  const keep = (candidates: Parameters<typeof keepOne>[0], queryWords: readonly string[] = []) =>
    keepOne(candidates, { queryWords, wordsOf });

  it("the one that was found best, where nothing sets them apart", () => {
    expect(keep([candidate("a", rule), candidate("b", other), candidate("c", rule)])).toEqual({
      kept: ["a", "b"],
      left: [{ id: "c", sameAs: "a" }],
    });
  });

  it("the current authoritative one before a better found copy, and a current one before one that is not", () => {
    expect(keep([candidate("copy", rule), candidate("source", rule, { isAuthority: true })]).kept).toEqual(["source"]);
    expect(keep([candidate("old", rule, { isAuthority: true, isCurrent: false }), candidate("new", rule)]).kept).toEqual(["new"]);
  });

  it("and whatever holds the last occurrence of a word of the query", () => {
    const longer = `${rule} Ask for Zephyr.`;
    expect(keep([candidate("a", rule), candidate("b", longer)], ["zephyr"]).kept).toEqual(["a", "b"]);
    expect(keep([candidate("a", rule), candidate("b", longer)], ["device"]).kept).toEqual(["a"]);
    expect(keep([candidate("a", rule), candidate("b", longer), candidate("c", longer)], ["zephyr"]).kept).toEqual(["a", "b"]);
  });

  it("short passages are the same only as a whole", () => {
    expect(keep([candidate("a", "Yes."), candidate("b", "yes"), candidate("c", "Yes, sir."), candidate("d", "")]).kept).toEqual([
      "a",
      "c",
      "d",
    ]);
  });
});

it("reads words with their apostrophes, in every script, and characters without white space", () => {
  expect([...tokensOf([{ id: "a", text: "don’t stop, Москва" }], "words").ids]).toEqual([0, 1, 2]);
  expect([...tokensOf([{ id: "a", text: "a b\na" }], "characters").ids]).toEqual([0, 1, 0]);
});
