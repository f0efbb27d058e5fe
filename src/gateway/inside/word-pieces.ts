// The tokenizer of BERT models (WordPiece), from a model folder's `tokenizer.json` or `vocab.txt`. Pure.
import * as z from "zod";
import { CountersignError } from "../../contract/errors.ts";

/** A text as a model takes it. */
export interface Encoded {
  readonly ids: readonly number[];
  /** 1 for the second of a pair of texts and its end, else 0. */
  readonly types: readonly number[];
}

/** Takes texts apart. */
export interface Tokenizer {
  readonly encode: (text: string, pair?: string) => Encoded;
}

/** Where the vocabulary comes from, and how long a text may be in tokens, its marks included. */
export interface Vocabulary {
  readonly tokenizerJson: string | null;
  readonly vocabTxt: string | null;
  readonly mostTokens: number;
}

/** Reads a vocabulary. Throws `configuration_invalid` where it is that of another kind of tokenizer. */
export function wordPieces({ tokenizerJson, vocabTxt, mostTokens }: Vocabulary): Tokenizer {
  const { vocabulary, lowerCases } = tokenizerJson === null ? fromText(vocabTxt) : fromJson(tokenizerJson);
  const idOf = (token: string): number => {
    const id = vocabulary.get(token);
    if (id === undefined) throw unusable(`it has no \`${token}\``);
    return id;
  };
  const marks = { cls: idOf("[CLS]"), sep: idOf("[SEP]"), unknown: idOf("[UNK]") };
  const pieces = (text: string) =>
    wordsOf(text, lowerCases).flatMap((word) => piecesOf(word, { vocabulary, unknown: marks.unknown }));
  return {
    encode: (text, pair) => {
      const first = pieces(text);
      if (pair === undefined) {
        const ids = [marks.cls, ...first.slice(0, mostTokens - 2), marks.sep];
        return { ids, types: ids.map(() => 0) };
      }
      const second = pieces(pair);
      const room = mostTokens - 3;
      // The query is short and stays whole as long as it leaves half of the room.
      const own = first.slice(0, Math.max(room - second.length, Math.floor(room / 2)));
      const head = [marks.cls, ...own, marks.sep];
      const tail = [...second.slice(0, room - own.length), marks.sep];
      return { ids: [...head, ...tail], types: [...head.map(() => 0), ...tail.map(() => 1)] };
    },
  };
}

interface Read {
  readonly vocabulary: ReadonlyMap<string, number>;
  readonly lowerCases: boolean;
}

const tokenizerForm = z.object({
  model: z.object({
    type: z.literal("WordPiece").optional(),
    vocab: z.record(z.string(), z.number().int()),
    continuing_subword_prefix: z.literal("##").optional(),
  }),
  normalizer: z.object({ type: z.literal("BertNormalizer"), lowercase: z.boolean() }).nullish(),
});

function fromJson(text: string): Read {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw unusable("`tokenizer.json` is no JSON");
  }
  const read = tokenizerForm.safeParse(json);
  if (!read.success) throw unusable("`tokenizer.json` is not that of a WordPiece model with the normalizer of BERT");
  return { vocabulary: new Map(Object.entries(read.data.model.vocab)), lowerCases: read.data.normalizer?.lowercase ?? true };
}

function fromText(text: string | null): Read {
  if (text === null) throw unusable("there is neither `tokenizer.json` nor `vocab.txt`");
  const tokens = text.split(/\r?\n/).filter((token, at, all) => token !== "" || at < all.length - 1);
  const vocabulary = new Map(tokens.map((token, id) => [token, id]));
  // A vocabulary that tells case apart holds words in upper case.
  return { vocabulary, lowerCases: !vocabulary.has("The") };
}

const punctuation = /[!-/:-@[-`{-~]|\p{P}/u;
const spacing = /[\p{Zs}\t\n\r]+/u;
const dropped = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\u{fffd}]/gu;
const ideograph = /[\u{4e00}-\u{9fff}\u{3400}-\u{4dbf}\u{f900}-\u{faff}\u{20000}-\u{2ceaf}\u{2f800}-\u{2fa1f}]/gu;

function wordsOf(text: string, lowerCases: boolean): readonly string[] {
  const clean = text
    .replace(/[\t\n\r]/g, " ")
    .replace(dropped, "")
    .replace(ideograph, " $& ");
  const cased = lowerCases
    ? clean
        .toLowerCase()
        .normalize("NFD")
        .replace(/\p{Mn}/gu, "")
    : clean.normalize("NFC");
  return cased.split(spacing).flatMap(splitPunctuation);
}

function splitPunctuation(word: string): readonly string[] {
  const parts: string[] = [];
  let current = "";
  for (const character of word) {
    if (!punctuation.test(character)) {
      current += character;
      continue;
    }
    if (current !== "") parts.push(current);
    parts.push(character);
    current = "";
  }
  return current === "" ? parts : [...parts, current];
}

/** The longest piece that is known, then the longest that goes on from there; a word of which a part is unknown is unknown whole. */
function piecesOf(
  word: string,
  { vocabulary, unknown }: { vocabulary: ReadonlyMap<string, number>; unknown: number },
): readonly number[] {
  const characters = [...word];
  if (characters.length > 100) return [unknown];
  const ids: number[] = [];
  let from = 0;
  while (from < characters.length) {
    let to = characters.length;
    let id: number | undefined;
    for (; to > from && id === undefined; to -= 1)
      id = vocabulary.get(`${from > 0 ? "##" : ""}${characters.slice(from, to).join("")}`);
    if (id === undefined) return [unknown];
    ids.push(id);
    from = to + 1;
  }
  return ids;
}

function unusable(why: string): CountersignError {
  return new CountersignError("configuration_invalid", `the vocabulary of the model cannot be used: ${why}`);
}
