import { describe, expect, it } from "vitest";
import { tags } from "./name-model.ts";
import { spansOf } from "./spans.ts";
import { tokensOf } from "./tokens.ts";

const lexicon = { classOf: () => 0, lists: new Map<string, number>(), cues: new Map<string, number>() };
/** Tags as letters: `.` outside, capital for the begin of a person, organisation, address or place, small for inside. */
const letters = ".PpOoAaLl";
const spans = (text: string, marks: string) => {
  const tokens = tokensOf(text);
  expect(marks).toHaveLength(tokens.count);
  expect(letters).toHaveLength(tags.length);
  const tagged = Uint8Array.from(marks, (mark) => letters.indexOf(mark));
  return spansOf(tokens, { tags: tagged, lexicon }).map(
    ({ kind, from, to }) => `${kind}: ${text.slice(tokens.starts[from], tokens.ends[to - 1])}`,
  );
};

describe("spans of tags", () => {
  it.each([
    ["Eric's car", "Pp.", ["person: Eric"]],
    ["(Jo Ann).", "Pppp.", ["person: Jo Ann"]],
    ["J. left", "Pp.", ["person: J."]],
    ["Jo Ann left", "PP.", ["person: Jo Ann"]],
    ["Jo, Ann", "P.P", ["person: Jo", "person: Ann"]],
    ["12 Mill Lane,\nLeeds", "Aaa.L", ["address: 12 Mill Lane,\nLeeds"]],
    ["12 Mill Lane\n\nLeeds", "AaaL", ["address: 12 Mill Lane", "place: Leeds"]],
    ["the corner of Mill and Oak", "AaaA.P", ["address: the corner of Mill and Oak"]],
    ["corner of Mill Lane", "..Aa", ["address: corner of Mill Lane"]],
    ["the corner of the room", ".....", []],
    ["12 34", "Pp", []],
    ["??", "P", []],
    ["", "", []],
  ])("of %j tagged %s", (text, marks, found) => {
    expect(spans(text, marks)).toEqual(found);
  });
});
