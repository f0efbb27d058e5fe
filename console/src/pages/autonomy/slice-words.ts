import type { AgreementBin, SliceFinding, SliceView } from "../../../../src/contract/autonomy.ts";
import { type Breach, neverAutoPpm, onePpm } from "../../../../src/contract/words.ts";
import { counted, plainName, plainShare } from "../../words/plain.ts";
import type { Line } from "../../words/states.ts";

/** The capability and its slice, as one key in the address. */
export function sliceKey({ capability, slice }: Pick<SliceView, "capability" | "slice">): string {
  return `${capability}:${slice}`;
}

/** A threshold from 0 to 1; that which no confidence reaches is a word. */
export function thresholdWords(ppm: number): string {
  return ppm >= neverAutoPpm ? "never" : plainShare(ppm);
}

const percents = new Intl.NumberFormat("en-GB", { style: "percent", maximumFractionDigits: 1, roundingMode: "floor" });
const exactPercents = new Intl.NumberFormat("en-GB", { style: "percent", maximumFractionDigits: 4, roundingMode: "floor" });

/** Shares in per cent, rounded down; with more digits where fewer would make two that differ look the same. */
export function percentsOf(...shares: readonly number[]): readonly string[] {
  const short = shares.map((ppm) => percents.format(ppm / onePpm));
  const isBlurred = new Set(short).size < new Set(shares).size;
  return isBlurred ? shares.map((ppm) => exactPercents.format(ppm / onePpm)) : short;
}

/** One share in per cent, rounded down. */
export function percentOf(ppm: number): string {
  return percents.format(ppm / onePpm);
}

const upPercents = new Intl.NumberFormat("en-GB", { style: "percent", maximumFractionDigits: 1, roundingMode: "ceil" });

/** The upper end of an interval in per cent, rounded up. */
export function mostPercentOf(ppm: number): string {
  return upPercents.format(ppm / onePpm);
}

/** Where a slice stands, in one word of the table. */
export function sliceState(slice: SliceView): Line {
  const { finding, proposal, thresholdPpm, isByHand } = slice;
  if (proposal !== null) return line("pen", "person", "Proposal waits", "A threshold could be signed.");
  if (thresholdPpm < neverAutoPpm)
    return line("auto", "done", `auto from ${plainShare(thresholdPpm)}`, isByHand ? "Signed without evidence." : "");
  return line("dash", "quiet", notOpen[finding.kind], "Every proposal goes to a person.");
}

const notOpen: Readonly<Record<SliceFinding["kind"], string>> = {
  proposed: "To a person",
  as_signed: "To a person",
  stricter: "To a person",
  unprovable: "No number proves it",
  not_enough: "Not enough data",
  below_bar: "Below the bar",
};

function line(mark: Line["mark"], tone: Line["tone"], words: string, detail: string): Line {
  return { mark, tone, words, detail };
}

/** What the evidence says of a slice, in a sentence. */
export function findingWords(slice: SliceView): string {
  const { finding } = slice;
  switch (finding.kind) {
    case "proposed":
      return "The evidence bears out another threshold than stands.";
    case "as_signed":
      return "The evidence bears out the threshold that stands.";
    case "stricter":
      return `The evidence bears out no lower threshold than ${plainShare(finding.thresholdPpm)} by now.`;
    case "unprovable":
      return `No number of decisions proves a bar of ${percentOf(finding.barPpm)}, so nothing can be earned under it.`;
    case "not_enough":
      return `At least ${counted(finding.need, "judged decision")} are needed; there ${finding.have === 1 ? "is" : "are"} ${finding.have}.`;
    case "below_bar": {
      const [least, bar] = percentsOf(finding.leastPpm, finding.barPpm);
      return `People agree with at least ${least}, as far as the decisions prove it. The bar is ${bar}.`;
    }
  }
}

/** What a proposal rests on, in sentences: counts, the proved share, the bar, and how near it is. */
export function proposalWords({ proposal }: SliceView): string {
  if (proposal === null) return "";
  const { wouldBeAuto, decisions, agreed, leastPpm, barPpm, oneFewerPpm } = proposal;
  const [least, bar, fewer] = percentsOf(leastPpm, barPpm, oneFewerPpm);
  const near = `With one agreement fewer it would be ${fewer}: ${oneFewerPpm >= barPpm ? "still enough" : "not enough"}.`;
  return `${wouldBeAuto} of ${counted(decisions, "judged decision")} would have gone auto; people agreed with ${agreed} of them. That is at least ${least}, the bar is ${bar}. ${near}`;
}

/** Why a threshold was taken back, in a sentence; a breach that is not known keeps its own word. */
export function breachWords(breach: string): string {
  const known: Readonly<Record<string, string>> = breaches;
  return known[breach] ?? plainName(breach);
}

const breaches: Readonly<Record<Breach, string>> = {
  verification_failed: "An effect was seen as failed, or it was left to people.",
  reversed: "An effect was undone.",
  reviews_disagree: "People disagreed with what was drawn for them more often than the bar allows.",
  scores_drifted: "Confidences are spread otherwise than in the evidence.",
  definition_changed: "The definition changed: its version, model, prompt, tools, judge, effects or calibration.",
  rule_changed: "The bar is above what the evidence showed, or fewer are shown to people than when it was signed.",
  connector_changed: "A system of record or a connector changed its form.",
};

/** Says whether the decisions of a bin would go auto at a threshold; a bin across it would in part. */
export function isAboveAt({ fromPpm }: Pick<AgreementBin, "fromPpm">, thresholdPpm: number): boolean {
  return fromPpm + binWidthPpm > thresholdPpm;
}

/** How wide a bin of confidence is, in parts per million. */
export const binWidthPpm = onePpm / 10;
