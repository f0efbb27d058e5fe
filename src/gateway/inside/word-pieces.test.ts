import { describe, expect, it } from "vitest";
import { wordPieces } from "./word-pieces.ts";

const tokens = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "un", "##aff", "##able", "hello", "world", "!", "munchen", "東", "京", "##s"];
const vocabTxt = `${tokens.join("\n")}\n`;
const tokenizer = wordPieces({ tokenizerJson: null, vocabTxt, mostTokens: 8 });
const read = (text: string, pair?: string) => tokenizer.encode(text, pair).ids.map((id) => tokens[id]);

describe("the pieces of a text", () => {
  it.each([
    ["unaffable", ["[CLS]", "un", "##aff", "##able", "[SEP]"]],
    ["Hello, WORLD!", ["[CLS]", "hello", "[UNK]", "world", "!", "[SEP]"]],
    ["Mu\u0308nchen", ["[CLS]", "munchen", "[SEP]"]],
    ["東京", ["[CLS]", "東", "京", "[SEP]"]],
    ["worlds unknown", ["[CLS]", "world", "##s", "[UNK]", "[SEP]"]],
    ["hello\u0000\u200bworld", ["[CLS]", "[UNK]", "[SEP]"]],
    ["", ["[CLS]", "[SEP]"]],
    ["hello ".repeat(20), ["[CLS]", ...Array(6).fill("hello"), "[SEP]"]],
  ])("of %j", (text, pieces) => {
    expect(read(text)).toEqual(pieces);
  });

  it("of a pair are marked, and leave room for both", () => {
    expect(read("hello", "world !")).toEqual(["[CLS]", "hello", "[SEP]", "world", "!", "[SEP]"]);
    expect(tokenizer.encode("hello", "world !").types).toEqual([0, 0, 0, 1, 1, 1]);
    expect(read("hello ".repeat(9), "world ".repeat(9))).toHaveLength(8);
    expect(read("hello", "world ".repeat(9))).toEqual(["[CLS]", "hello", "[SEP]", ...Array(4).fill("world"), "[SEP]"]);
  });

  it("are the same by tokenizer.json", () => {
    const vocab = Object.fromEntries(tokens.map((token, id) => [token, id]));
    const tokenizerJson = JSON.stringify({
      normalizer: { type: "BertNormalizer", lowercase: true },
      model: { type: "WordPiece", vocab },
    });
    expect(wordPieces({ tokenizerJson, vocabTxt: null, mostTokens: 8 }).encode("Unaffable!")).toEqual(
      tokenizer.encode("Unaffable!"),
    );
  });

  it.each([
    ["another kind", '{"model":{"type":"BPE","vocab":{}}}', null],
    ["no JSON", "{", null],
    ["nothing", null, null],
    ["a vocabulary without marks", null, "hello\nworld\n"],
  ])("cannot be had from %s", (_, tokenizerJson, text) => {
    expect(() => wordPieces({ tokenizerJson, vocabTxt: text, mostTokens: 8 })).toThrow(
      expect.objectContaining({ code: "configuration_invalid" }),
    );
  });
});
