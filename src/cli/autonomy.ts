import { readFile, rename, writeFile } from "node:fs/promises";
import type { DemotionView, SliceView } from "../contract/autonomy.ts";
import { CountersignError } from "../contract/errors.ts";
import { neverAutoPpm } from "../contract/words.ts";
import { type ConnectionOptions, connect } from "./connection.ts";
import { print } from "./print.ts";

/** Which slice of which capability. */
interface OfSlice {
  readonly capability: string;
  readonly slice: string;
}

/** Says where every slice stands, what its evidence bears out, and what was taken back. */
export async function autonomyStatus(options: ConnectionOptions): Promise<void> {
  const view = await (await connect(options, "owner")).autonomy();
  const lines = [...view.slices.flatMap(sliceLines), ...view.demotions.map(demotionLine)];
  print({ json: options.json, value: view, lines: lines.length === 0 ? ["no slice has any decision yet"] : lines });
}

/** Says which thresholds could be signed, with what would be signed; of the others why there is none. */
export async function autonomyPropose(options: ConnectionOptions): Promise<void> {
  const view = await (await connect(options, "owner")).autonomy();
  const proposals = view.slices.filter(({ proposal }) => proposal !== null);
  const lines = view.slices.flatMap((one) => [...sliceLines(one), ...signLines(one)]);
  if (proposals.length > 0) lines.push(...oneLook);
  print({
    json: options.json,
    value: { until: view.until, proposals },
    lines: lines.length === 0 ? ["no slice has any decision yet"] : lines,
  });
}

/** What the chance of a wrong proposal holds for. */
const oneLook: readonly string[] = [
  "for one look, a threshold that does not hold is proposed with a chance of at most 2.5 %",
  "whoever looks again and again and signs the first one that shows meets a wrong one more often",
];

/** Signs a proposed threshold: the desk computes its evidence anew, and the acting half checks the signature and writes it. */
export async function autonomySign(
  { capability, slice, proposal }: OfSlice & { proposal: string },
  options: ConnectionOptions,
): Promise<void> {
  const named = /^([0-9]{1,7})[.]([0-9]{1,16})[.]([0-9a-f]{64})$/.exec(proposal);
  if (named === null)
    throw new CountersignError(
      "bad_request",
      "a proposal is named as `countersign autonomy propose` prints it, such as 950000.1790000000000.3f...",
    );
  const [, ppm, until, digest = ""] = named;
  const thresholdPpm = Number(ppm);
  const client = await connect(options, "owner");
  const { approvalId } = await client.openSlice({ capability, slice, thresholdPpm, proposal: { digest, until: Number(until) } });
  const line = `signed: ${capability}, ${slice} may go alone from ${shareOf(thresholdPpm)} on, once the acting half has checked it (approval ${approvalId})`;
  print({ json: options.json, value: { approvalId, capability, slice, thresholdPpm }, lines: [line] });
}

/** Signs that nothing of a slice goes alone any more; it needs no evidence. */
export async function autonomyClose({ capability, slice }: OfSlice, options: ConnectionOptions): Promise<void> {
  const { approvalId } = await (await connect(options, "owner")).openSlice({ capability, slice, thresholdPpm: neverAutoPpm });
  print({
    json: options.json,
    value: { approvalId, capability, slice },
    lines: [`signed: every proposal of ${capability}, ${slice} goes to a person`],
  });
}

/** Says what a threshold would have let through over a slice's own history, and which of it was wrong. */
export async function autonomySimulate(
  { capability, slice }: OfSlice,
  { at, ...options }: ConnectionOptions & { at: string },
): Promise<void> {
  const thresholdPpm = ppmOf(at);
  const found = await (await connect(options, "owner")).simulation({ capability, slice, thresholdPpm });
  const { decisions, wouldBeAuto, agreed, leastPpm, barPpm, wrong } = found;
  const holds = leastPpm >= barPpm ? "reaches" : "does not reach";
  const [least, bar] = percents(leastPpm, barPpm);
  const lines = [
    `${wouldBeAuto} of ${decisions} judged decisions would have gone alone at ${shareOf(thresholdPpm)}; people agreed with ${agreed}`,
    `that is at least ${least}, which ${holds} the bar of ${bar}`,
    ...wrong.map(({ decisionId, judgement, ppm }) => `wrong: ${decisionId} at ${shareOf(ppm)}, ${judgement}`),
  ];
  print({ json: options.json, value: found, lines });
}

/** Fits a calibration from what people decided, and keeps it in a file for the capability's definition. */
export async function autonomyFit(capability: string, { out, ...options }: ConnectionOptions & { out: string }): Promise<void> {
  const calibration = await (await connect(options, "owner")).calibration({ capability });
  const text = `${JSON.stringify(calibration, null, 2)}\n`;
  const known = await readFile(out, "utf8").catch(() => null);
  // Whole or not at all: a definition that was cut off would stop every process of the project.
  if (known !== text) {
    await writeFile(`${out}.new`, text);
    await rename(`${out}.new`, out);
  }
  const lines = calibration.maps.map(
    ({ signals, method, decisions, agreed }) =>
      `${signals === null ? "every other set of signals" : signals.join(", ")}: ${method}, from ${decisions} judged decisions, ${agreed} agreed`,
  );
  print({ json: options.json, value: calibration, lines: [`${calibration.id} in ${out}`, ...lines] });
}

function sliceLines({ capability, slice, thresholdPpm, decisions, agreed, finding, isByHand }: SliceView): readonly string[] {
  const stands =
    thresholdPpm >= neverAutoPpm
      ? "always a person"
      : `alone from ${shareOf(thresholdPpm)}${isByHand ? " (signed without evidence)" : ""}`;
  return [`${capability}, ${slice}: ${stands}; ${decisions} judged, ${agreed} agreed; ${findingWords(finding)}`];
}

function findingWords(finding: SliceView["finding"]): string {
  switch (finding.kind) {
    case "proposed":
      return "a threshold is proposed";
    case "as_signed":
      return "as the evidence bears out";
    case "not_enough":
      return `not enough data: ${finding.need} judged decisions are needed at least`;
    case "stricter":
      return `the evidence bears out no lower threshold than ${shareOf(finding.thresholdPpm)} by now`;
    case "unprovable":
      return `no number of decisions proves a bar of ${percents(finding.barPpm)[0]}`;
    case "below_bar": {
      const [least, bar] = percents(finding.leastPpm, finding.barPpm);
      return `people agree with at least ${least}, as far as it is proved, below the bar of ${bar}`;
    }
  }
}

function signLines({ capability, slice, proposal }: SliceView): readonly string[] {
  if (proposal === null) return [];
  const { thresholdPpm, wouldBeAuto, decisions, agreed, leastPpm, barPpm, oneFewerPpm, until, digest } = proposal;
  const [least, bar, oneFewer] = percents(leastPpm, barPpm, oneFewerPpm);
  return [
    `  T ${shareOf(thresholdPpm)}: ${wouldBeAuto} of ${decisions} would have gone alone; people signed ${agreed} of them unchanged`,
    `  that is at least ${least}, the bar is ${bar}; with one fewer it would be ${oneFewer}`,
    `  countersign autonomy sign ${capability} ${slice} ${thresholdPpm}.${until}.${digest}`,
  ];
}

function demotionLine({ capability, slice, fromPpm, breach, at, entryId, decisionId }: DemotionView): string {
  const of = decisionId === null ? "" : `, decision ${decisionId}`;
  return `taken back: ${capability}, ${slice} from ${shareOf(fromPpm)} at ${new Date(at).toISOString()}: ${breach} (entry ${entryId}${of})`;
}

/** A threshold as people write it, from 0 to 1 with a point, in parts per million. */
function ppmOf(at: string): number {
  if (!/^(?:0(?:[.][0-9]{1,6})?|1(?:[.]0{1,6})?)$/.test(at))
    throw new CountersignError("bad_request", "a threshold is a number from 0 to 1 with a point, such as 0.93");
  return Math.round(Number(at) * 1_000_000);
}

function shareOf(ppm: number): string {
  return (ppm / 1_000_000).toFixed(6).replace(/0{1,4}$/, "");
}

/** Shares in percent, rounded down, with as few digits as tell those apart that differ. */
function percents(...shares: readonly number[]): readonly string[] {
  const known = new Set(shares).size;
  const digits = [1, 2, 3].find((some) => new Set(shares.map((ppm) => percent(ppm, some))).size === known) ?? 4;
  return shares.map((ppm) => percent(ppm, digits));
}

function percent(ppm: number, digits: number): string {
  const step = 10 ** (4 - digits);
  return `${((Math.floor(ppm / step) * step) / 10_000).toFixed(digits)} %`;
}
