import * as z from "zod";
import { CountersignError } from "../../../contract/errors.ts";
import { openWordFilter } from "./word-filter.ts";
import { filterNames, type Lexicon, openLexicon } from "./word-reading.ts";

/** The tags of tokens: outside, and begin and inside of a person, an organisation, an address, a place in prose. */
export const tags = [
  "O",
  "B-person",
  "I-person",
  "B-organisation",
  "I-organisation",
  "B-address",
  "I-address",
  "B-place",
  "I-place",
] as const;
export const tagCount = tags.length;

/** A trained tagger: a weight for each bucket of features and tag, a score for each pair of tags, what is known of words. */
export interface NameModel {
  readonly version: string;
  /** A power of two. */
  readonly buckets: number;
  /** `buckets` rows of `tagCount`. */
  readonly weights: Int8Array;
  /** From each tag (and `tagCount` for the beginning of a text) to each tag. */
  readonly transitions: Int32Array;
  /** Is added to the score of a tag: it leans towards what must not be missed. */
  readonly leanings: Int32Array;
  readonly lexicon: Lexicon;
}

const lengthsForm = z.object(Object.fromEntries(filterNames.map((name) => [name, z.number().int().min(0)])));
const headForm = z.object({
  version: z.string(),
  buckets: z.number().int().min(1),
  tags: z.array(z.string()),
  transitions: z.array(z.number().int()).length((tagCount + 1) * tagCount),
  leanings: z.array(z.number().int()).length(tagCount),
  filters: lengthsForm,
});
/** What stands at the head of a model file, as JSON in ASCII. */
export type ModelHead = z.infer<typeof headForm>;

/**
 * Reads a model file: the length of its head (4 bytes, little-endian), the head, the weights, the filters one after the other. Throws
 * `configuration_invalid` where the bytes are no such file.
 */
export function openNameModel(bytes: Uint8Array): NameModel {
  if (bytes.length < 4) throw unreadable("it is empty");
  const headLength = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(0, true);
  const head = readHead(bytes.subarray(4, 4 + headLength));
  let from = 4 + headLength;
  const take = (length: number) => {
    const part = bytes.subarray(from, from + length);
    from += length;
    return part;
  };
  const weightBytes = take(head.buckets * tagCount);
  const filters = Object.fromEntries(filterNames.map((name) => [name, openWordFilter(take(head.filters[name] ?? 0))]));
  if (from !== bytes.length) throw unreadable("it is shorter or longer than it says");
  return {
    ...{ version: head.version, buckets: head.buckets },
    weights: new Int8Array(weightBytes.buffer, weightBytes.byteOffset, weightBytes.byteLength),
    transitions: Int32Array.from(head.transitions),
    leanings: Int32Array.from(head.leanings),
    // One for each name: made from the list of names just above.
    lexicon: openLexicon(filters as Parameters<typeof openLexicon>[0]),
  };
}

function readHead(bytes: Uint8Array): ModelHead {
  let json: unknown;
  try {
    let text = "";
    for (const byte of bytes) text += String.fromCharCode(byte);
    json = JSON.parse(text);
  } catch {
    throw unreadable("its head is no JSON");
  }
  const read = headForm.safeParse(json);
  if (!read.success || read.data.tags.join() !== tags.join() || (read.data.buckets & (read.data.buckets - 1)) !== 0)
    throw unreadable("its head has not the expected form");
  return read.data;
}

function unreadable(why: string): CountersignError {
  return new CountersignError("configuration_invalid", `the model that recognises names cannot be read: ${why}`);
}
