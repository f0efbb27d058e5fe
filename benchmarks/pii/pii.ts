/**
 * Whether personal data is found before anything is sent: the boundary's finders over presidio-pii, beside other finders for Node. What
 * counts is the share of spans that are masked whole, and the share of clean characters that are masked as well.
 */

import { builtInRecogniser } from "../../src/gateway/recognisers/built-in.ts";
import { findStructured } from "../../src/guard/privacy/detect/find-structured.ts";
import { unite } from "../../src/guard/privacy/detect/unite.ts";
import { setFile } from "../schema/read-lines.ts";
import { type PeerReport, runPeers } from "./peers.ts";
import { readSet } from "./read-set.ts";
import { type RoundTrip, roundTrip } from "./round-trip.ts";
import { type Scores, scoresOf } from "./scores.ts";
import { measureSpeed, patient, type Speed } from "./speed.ts";

/** What was measured, or why nothing was. */
export type PiiReport =
  | { readonly name: "pii"; readonly skipped: string }
  | {
      readonly name: "pii";
      readonly split: "open" | "held";
      readonly texts: number;
      readonly templates: number;
      readonly recogniser: string;
      readonly scores: Scores;
      readonly goals: Readonly<
        Record<string, { readonly goal: number; readonly measured: number | null; readonly isMet: boolean }>
      >;
      readonly speed: Speed;
      readonly roundTrip: RoundTrip;
      /** Others, each with its own best set-up; a sentence where they could not be run. */
      readonly peers: readonly PeerReport[] | string;
    };

/** Runs the benchmark over one split. */
export async function pii({ data, split, notice }: Asked): Promise<PiiReport> {
  if (data === null) return skipped("no folder of test material was named; use `--data DIR` or COUNTERSIGN_BENCH_DATA");
  const cases = await readSet(data, split);
  if (cases === null) return skipped(`\`${setFile(data, { set: "presidio-pii", split, file: "synth_v2.jsonl" })}\` is not there`);
  const texts = cases.map(({ text }) => text);
  const recogniser = builtInRecogniser();
  const names = await recogniser.find(texts, patient);
  const scores = scoresOf(
    cases,
    texts.map((text, at) => unite([...findStructured(text), ...(names[at] ?? [])])),
  );
  notice(`${texts.length} texts are scored`);
  const speed = await measureSpeed(texts, recogniser);
  notice("speed is measured");
  const trip = await roundTrip(cases, recogniser);
  return {
    ...{ name: "pii", split, texts: texts.length, templates: new Set(cases.map(({ template }) => template)).size },
    ...{
      recogniser: `${recogniser.name} ${recogniser.version}`,
      scores,
      goals: goalsOf(scores, speed, trip),
      speed,
      roundTrip: trip,
    },
    peers: await runPeers(cases, notice),
  };
}

interface Asked {
  readonly data: string | null;
  readonly split: "open" | "held";
  readonly notice: (line: string) => void;
}

/** Of each type of the set the least share that is masked, by whatever class. */
const leastRecalls = [
  ["EMAIL_ADDRESS", "e-mail addresses", 0.99],
  ["CREDIT_CARD", "cards", 0.99],
  ["IBAN_CODE", "IBANs", 0.99],
  ["US_SSN", "social security numbers", 0.99],
  ["IP_ADDRESS", "IP addresses", 0.99],
  ["PHONE_NUMBER", "phone numbers", 0.97],
  ["PERSON", "persons", 0.9],
  ["STREET_ADDRESS", "street addresses", 0.9],
] as const;

function goalsOf(
  { types, overRedaction }: Scores,
  speed: Speed,
  trip: RoundTrip,
): Extract<PiiReport, { split: string }>["goals"] {
  const atLeast = (goal: number, measured: number | null = null) => ({
    goal,
    measured,
    isMet: measured !== null && measured >= goal,
  });
  const atMost = (goal: number, measured: number) => ({ goal, measured, isMet: measured <= goal });
  const recalls = Object.fromEntries(
    leastRecalls.map(([type, name, goal]) => [`${name} masked`, atLeast(goal, types[type]?.maskedByAnyClass)]),
  );
  return {
    ...recalls,
    "clean characters masked": atMost(0.03, overRedaction),
    "2 KB encoded, median, ms": atMost(4, speed.encode2KbP50Ms),
    "2 KB encoded, structured only, median, ms": atMost(0.5, speed.structured2KbP50Ms),
    "100 KB encoded, ms": atMost(250, speed.encode100KbMs),
    "100 KB encoded, structured only, ms": atMost(25, speed.structured100KbMs),
    "worst hostile 50 KB, ms": atMost(150, speed.worstHostileMs),
    "texts that come back exactly": atLeast(1, trip.exact / trip.texts),
  };
}

function skipped(why: string): PiiReport {
  return { name: "pii", skipped: why };
}
