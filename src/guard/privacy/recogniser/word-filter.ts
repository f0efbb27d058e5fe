/** A set of words as a Bloom filter (Bloom, 1970): it never misses a word that was put in, and takes some others for known. */
export interface WordFilter {
  readonly has: (hashes: WordHashes) => boolean;
}

/** Two independent hashes of a word, 32 bits each. */
export interface WordHashes {
  readonly first: number;
  readonly second: number;
}

/** Bits of a filter for each word, and places that a word sets: about one word of 120 is taken for known wrongly. */
const bitsPerWord = 10;
const places = 7;

/** Hashes a word twice (FNV-1a over its UTF-16 units, with two seeds, then mixed). */
export function hashWord(word: string): WordHashes {
  let first = 0x811c9dc5;
  let second = 0x9747b28c;
  for (let at = 0; at < word.length; at += 1) {
    const unit = word.charCodeAt(at);
    first = Math.imul(first ^ unit, 0x01000193);
    second = Math.imul(second ^ unit, 0x5bd1e995);
  }
  return { first: mix(first), second: mix(second) | 1 };
}

/** Spreads the bits of a 32-bit number (the finaliser of MurmurHash3). */
export function mix(hash: number): number {
  let mixed = hash ^ (hash >>> 16);
  mixed = Math.imul(mixed, 0x85ebca6b);
  mixed ^= mixed >>> 13;
  mixed = Math.imul(mixed, 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/** Reads a filter from its bytes. An empty one knows no word. */
export function openWordFilter(bytes: Uint8Array): WordFilter {
  const bits = bytes.length * 8;
  return {
    has: ({ first, second }) => {
      if (bits === 0) return false;
      for (let place = 0, at = first; place < places; place += 1, at = (at + second) >>> 0) {
        const bit = at % bits;
        if (((bytes[bit >>> 3] ?? 0) & (1 << (bit & 7))) === 0) return false;
      }
      return true;
    },
  };
}

/** The bytes of a filter that knows these words. The same words give the same bytes, whatever their order. */
export function wordFilterBytes(words: ReadonlySet<string>): Uint8Array {
  const bytes = new Uint8Array(Math.ceil((words.size * bitsPerWord) / 8));
  const bits = bytes.length * 8;
  for (const word of words) {
    const { first, second } = hashWord(word);
    for (let place = 0, at = first; place < places; place += 1, at = (at + second) >>> 0) {
      const bit = at % bits;
      bytes[bit >>> 3] = (bytes[bit >>> 3] ?? 0) | (1 << (bit & 7));
    }
  }
  return bytes;
}
