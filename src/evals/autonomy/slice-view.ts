import {
  type AgreementBin,
  type SliceFinding,
  type SliceView,
  type ThresholdProposal,
  usualAutonomy,
} from "../../contract/autonomy.ts";
import { calibrationLabel, composedPpm } from "../../contract/calibration.ts";
import type { Capability } from "../../contract/capability.ts";
import { canonicalJson } from "../../contract/json.ts";
import type { Digest } from "../../contract/ports.ts";
import { neverAutoPpm } from "../../contract/words.ts";
import { orderedScore } from "../../ledger/slices/ordered-score.ts";
import type { StandingSlice } from "../../ledger/slices.ts";
import { agreementInterval } from "./binomial.ts";
import { isJudged } from "./judgement.ts";
import type { JudgedDecision } from "./read-judged.ts";
import { scoreReference } from "./score-reference.ts";
import { findThreshold, type JudgedScore, usualDelta } from "./thresholds.ts";

/** A judged decision with the confidence that it comes to by the calibration of today. */
export interface Scored extends JudgedScore {
  readonly decision: JudgedDecision;
}

/** What a view is made of: the decisions of one slice, all of the basis of today. */
export interface SliceParts {
  readonly capability: Capability;
  readonly basis: string;
  readonly slice: string;
  /** As it stands; `null` where nobody opened it. */
  readonly standing: StandingSlice | null;
  readonly decisions: readonly JudgedDecision[];
  readonly from: number;
  readonly until: number;
  readonly digest: Digest;
}

/** Says where a slice stands and what the evidence bears out. Pure: the same entries give the same proposal with the same digest. */
export function sliceView(parts: SliceParts): SliceView {
  const { capability, slice, standing } = parts;
  const scored = scoredOf(parts);
  const thresholdPpm = standing?.thresholdPpm ?? neverAutoPpm;
  const found = findThreshold({ judged: scored, barPpm: barOf(capability) });
  const proposal = found.kind === "proposed" && found.thresholdPpm !== thresholdPpm ? proposalOf(found, scored, parts) : null;
  return {
    ...{ capability: capability.name, capabilityVersion: capability.version, slice, owner: capability.owner, thresholdPpm },
    finding: findingOf(found, { thresholdPpm, barPpm: barOf(capability) }),
    isByHand: thresholdPpm < neverAutoPpm && standing?.evidence == null,
    decisions: scored.length,
    agreed: scored.filter(({ agreed }) => agreed).length,
    proposal,
    bins: binsOf(scored),
  };
}

/** Whether decisions bear a threshold out: the test proves it or a lower one, and the lower end of its own interval reaches the bar. */
export function bearsOut({
  capability,
  decisions,
  thresholdPpm,
}: Pick<SliceParts, "capability" | "decisions"> & { readonly thresholdPpm: number }): boolean {
  const barPpm = barOf(capability);
  const scored = scoredOf({ capability, decisions });
  const found = findThreshold({ judged: scored, barPpm });
  if (found.kind !== "proposed" || found.thresholdPpm > thresholdPpm) return false;
  const auto = scored.filter(({ ppm }) => ppm >= thresholdPpm);
  const agreed = auto.filter((one) => one.agreed).length;
  return agreementInterval({ agreed, decisions: auto.length, delta: usualDelta }).leastPpm >= barPpm;
}

/** The judged ones among them, each with its confidence of today. */
export function scoredOf({ capability, decisions }: Pick<SliceParts, "capability" | "decisions">): readonly Scored[] {
  return decisions
    .filter(({ judgement }) => isJudged(judgement))
    .map((decision) => ({
      decision,
      ppm: composedPpm(decision.signals, capability.calibration),
      agreed: decision.judgement === "agreed",
    }));
}

/** The share with which people must agree at least. */
export function barOf({ autonomy = usualAutonomy }: Pick<Capability, "autonomy">): number {
  return autonomy.leastAgreementPpm;
}

function findingOf(
  found: ReturnType<typeof findThreshold>,
  { thresholdPpm, barPpm }: { thresholdPpm: number; barPpm: number },
): SliceFinding {
  switch (found.kind) {
    case "proposed":
      if (found.thresholdPpm > thresholdPpm) return { kind: "stricter", thresholdPpm: found.thresholdPpm };
      return { kind: found.thresholdPpm < thresholdPpm ? "proposed" : "as_signed" };
    case "unprovable":
      return { kind: "unprovable", barPpm };
    case "not_enough":
      return found;
    case "below_bar":
      return { kind: "below_bar", leastPpm: agreementInterval({ ...found, delta: found.level }).leastPpm, barPpm };
  }
}

function proposalOf(
  found: { readonly thresholdPpm: number; readonly decisions: number; readonly agreed: number },
  scored: readonly Scored[],
  { capability, basis, slice, decisions, from, until, digest }: SliceParts,
): ThresholdProposal {
  const { thresholdPpm, decisions: wouldBeAuto, agreed } = found;
  const intervalOf = (of: number) => agreementInterval({ agreed: of, decisions: wouldBeAuto, delta: usualDelta }).leastPpm;
  const confidences = decisions.map(({ decisionId, signals }) =>
    orderedScore({ decisionId, ppm: composedPpm(signals, capability.calibration) }, digest),
  );
  const shown = {
    ...{ thresholdPpm, basis, calibration: calibrationLabel(capability.calibration), from, until },
    ...{ decisions: scored.length, wouldBeAuto, agreed, leastPpm: intervalOf(agreed), barPpm: barOf(capability) },
    auditPpm: (capability.autonomy ?? usualAutonomy).auditPpm,
    models: [...new Set(scored.map(({ decision }) => decision.model))].sort(),
    reference: scoreReference(confidences),
  };
  // Which decisions they were is in the digest too, so that no other ones can stand behind the same numbers.
  const evidence = scored.map(({ decision: { decisionId, judgement }, ppm }) => [decisionId, ppm, judgement]);
  const of = { capability: capability.name, capabilityVersion: capability.version, slice };
  const proposed = digest.sha256(canonicalJson({ ...of, ...shown, evidence }));
  return { ...shown, digest: proposed, oneFewerPpm: intervalOf(agreed - 1) };
}

/** In how many bins the judged decisions are shown. */
const binCount = 10;

function binsOf(scored: readonly Scored[]): readonly AgreementBin[] {
  const width = 1_000_000 / binCount;
  return Array.from({ length: binCount }, (_none, i) => i * width).flatMap((fromPpm) => {
    const isLast = fromPpm === (binCount - 1) * width;
    const inside = scored.filter(({ ppm }) => ppm >= fromPpm && (isLast || ppm < fromPpm + width));
    if (inside.length === 0) return [];
    const agreed = inside.filter((one) => one.agreed).length;
    const interval = agreementInterval({ agreed, decisions: inside.length, delta: usualDelta });
    return [{ fromPpm, decisions: inside.length, agreed, ...interval }];
  });
}
