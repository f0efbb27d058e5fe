import { createHmac, createSecretKey, randomBytes } from "node:crypto";
import type { StandInKey } from "../../src/contract/ports.ts";
import type { Cancel } from "../../src/contract/principal.ts";
import type { PrivacyRule, Recogniser } from "../../src/contract/privacy.ts";
import { openBoundary } from "../../src/guard/privacy/boundary.ts";
import { findStructured } from "../../src/guard/privacy/detect/find-structured.ts";

export const patient: Cancel = { isCancelled: () => false, onCancel: () => {} };

/** Everything is replaced so that it can be put back. */
const allTokenised: readonly PrivacyRule[] = [{ class: "*", jurisdiction: "*", region: "*", treatment: "tokenise" }];

/** Opens a boundary as the gateway does, with a fresh key. */
export function openFreshBoundary(recogniser: Recogniser | null) {
  const secret = createSecretKey(randomBytes(32));
  const key: StandInKey = { mac: (text) => createHmac("sha256", secret).update(text).digest() };
  return openBoundary({ rules: allTokenised, region: "elsewhere", key, structured: (text) => findStructured(text), recogniser });
}

/** Times in milliseconds, rounded to three places. */
export interface Speed {
  readonly prompts: number;
  /** Encoding one prompt of 2 KB, with the recogniser and without. */
  readonly encode2KbP50Ms: number;
  readonly encode2KbP95Ms: number;
  /** Of this process for one prompt, on average: what other programs on the machine do is not in it. */
  readonly encode2KbCpuMs: number;
  readonly structured2KbP50Ms: number;
  /** Encoding 100 KB, the slowest of five. */
  readonly encode100KbMs: number;
  readonly structured100KbMs: number;
  /** The slowest hostile text of 50 KB, and all of them. */
  readonly worstHostileMs: number;
  readonly hostile: Readonly<Record<string, number>>;
}

/** Measures encoding by turns: with names, without, and again. */
export async function measureSpeed(texts: readonly string[], recogniser: Recogniser): Promise<Speed> {
  const prompts = promptsOf(texts, 2_048).slice(0, 60);
  const full: number[] = [];
  const structured: number[] = [];
  for (let round = 0; round < 6; round += 1)
    for (const prompt of prompts) {
      const times = [await timeOf(prompt, recogniser), await timeOf(prompt, null)];
      // The first round warms up.
      if (round === 0) continue;
      full.push(times[0] ?? 0);
      structured.push(times[1] ?? 0);
    }
  const cpu = process.cpuUsage();
  for (const prompt of prompts) await timeOf(prompt, recogniser);
  const { user, system } = process.cpuUsage(cpu);
  const [long = ""] = promptsOf([...texts, ...texts, ...texts, ...texts], 102_400);
  const longTimes: number[][] = [];
  for (let round = 0; round < 5; round += 1) longTimes.push([await timeOf(long, recogniser), await timeOf(long, null)]);
  const hostile: Record<string, number> = {};
  for (const [name, text] of Object.entries(hostileTexts))
    hostile[name] = rounded(await timeOf(text.slice(0, 51_200), recogniser));
  return {
    prompts: prompts.length,
    ...{ encode2KbP50Ms: at(full, 0.5), encode2KbP95Ms: at(full, 0.95), structured2KbP50Ms: at(structured, 0.5) },
    encode2KbCpuMs: rounded((user + system) / 1000 / Math.max(1, prompts.length)),
    encode100KbMs: rounded(Math.max(...longTimes.map(([one = 0]) => one))),
    structured100KbMs: rounded(Math.max(...longTimes.map(([, one = 0]) => one))),
    ...{ worstHostileMs: Math.max(...Object.values(hostile)), hostile },
  };
}

/** Texts put together to prompts of a size in UTF-16 units. */
export function promptsOf(texts: readonly string[], size: number): readonly string[] {
  const all = texts.join("\n");
  return Array.from({ length: Math.floor(all.length / size) }, (_, place) => all.slice(place * size, (place + 1) * size));
}

async function timeOf(text: string, recogniser: Recogniser | null): Promise<number> {
  const boundary = openFreshBoundary(recogniser);
  const begun = performance.now();
  await boundary.encode({ text }, patient);
  return performance.now() - begun;
}

/** What stalls finders of this kind: repeated beginnings of things that never end. */
const hostileTexts: Readonly<Record<string, string>> = {
  "digits and points": "1.1.1.".repeat(9_000),
  "one letter": "a".repeat(51_200),
  "broken numbers": "123-45-".repeat(8_000),
  spaces: " ".repeat(51_200),
  lines: "\n".repeat(51_200),
  "at signs": "@".repeat(51_200),
  "escaped at signs": "%40".repeat(18_000),
  brackets: "(".repeat(51_200),
  digits: "1".repeat(51_200),
  base64: "QUFB".repeat(13_000),
  capitals: "A ".repeat(26_000),
  names: "Jo Al ".repeat(9_000),
  initials: "J. R. ".repeat(9_000),
  apostrophes: "o'o'".repeat(13_000),
  genitives: "a's ".repeat(13_000),
  greetings: "Dear ".repeat(11_000),
  "mail that never ends": "a.b-c_".repeat(9_000),
  "marks of many kinds": "-.,;:!?".repeat(8_000),
  "combining marks": "a\u0301\u0327".repeat(17_000),
  "Cyrillic among Latin": "аaоo ".repeat(11_000),
  pictures: "😀".repeat(26_000),
  "addresses without an end": "12 Main St, ".repeat(4_500),
};

function at(times: number[], share: number): number {
  const sorted = times.toSorted((one, other) => one - other);
  return rounded(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
}

function rounded(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
