import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { openNameModel } from "./name-model.ts";
import { repeatsOf } from "./repeats.ts";
import { tokensOf } from "./tokens.ts";

const { lexicon } = openNameModel(readFileSync(new URL("model.bin", import.meta.url)));
const repeats = (text: string, to: number) => {
  const tokens = tokensOf(text);
  return repeatsOf(tokens, { found: [{ kind: "person", from: 0, to }], lexicon }).map(({ from }) =>
    text.slice(tokens.starts[from], tokens.ends[from]),
  );
};

describe("parts of a found name", () => {
  it("are found where they stand alone, as they are written there", () => {
    expect(repeats("Ottoline Brackwater wrote. Brackwater left; brackwater and BRACKWATER did not. Ottoline's bill.", 2)).toEqual(
      [...["Brackwater", "Ottoline"]],
    );
  });

  it("are not found where they are ordinary words, initials or particles", () => {
    expect(repeats("Will J van Order paid. Will it rain? Order J was for a van.", 4)).toEqual([]);
  });
});
