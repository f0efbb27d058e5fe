/** Does looking a set of texts through for what is said twice grow with its size, and no faster? On texts that are made here, a fifth of them copies. */
import { analyze, segments } from "../../src/know/redundancy/analyze.ts";
import type { NamedText } from "../../src/know/redundancy/tokens.ts";

/** Times are the best of several runs, in milliseconds. */
export interface RedundancyReport {
  readonly ms_1mb: number;
  readonly ms_10mb: number;
  readonly ratio: number;
  readonly holds: boolean;
}

/** Times `analyze` and `segments` together over 1 MB and 10 MB, interleaved. */
export function redundancy(): RedundancyReport {
  const [small, large] = [textsOf(1_000_000), textsOf(10_000_000)];
  let [smallMs, largeMs] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let round = 0; round < 5; round += 1) {
    smallMs = Math.min(smallMs, timeOf(small), timeOf(small));
    largeMs = Math.min(largeMs, timeOf(large));
  }
  const ratio = Number((largeMs / smallMs).toFixed(2));
  return { ms_1mb: Math.round(smallMs), ms_10mb: Math.round(largeMs), ratio, holds: ratio <= 12 };
}

function timeOf(texts: readonly NamedText[]): number {
  const startedAt = performance.now();
  analyze(texts);
  segments(texts);
  return performance.now() - startedAt;
}

/** Paragraphs of 400 words out of 20,000, common ones more often; each fifth is one that stood before. Always the same. */
function textsOf(bytes: number): readonly NamedText[] {
  let seed = 1;
  const random = (): number => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
    return seed / 0x7fffffff;
  };
  const words = Array.from({ length: 20_000 }, (_, place) => `w${((place * 7_919) % 100_003).toString(36)}`);
  const texts: NamedText[] = [];
  for (let size = 0; size < bytes; size += texts.at(-1)?.text.length ?? 0) {
    const isCopy = texts.length % 5 === 4;
    const fresh = () => Array.from({ length: 400 }, () => words[Math.floor(random() ** 2 * words.length)]).join(" ");
    const text = isCopy ? (texts[Math.floor(random() * texts.length)]?.text ?? "") : fresh();
    texts.push({ id: String(texts.length), text });
  }
  return texts;
}
