import { describe, expect, it } from "vitest";
import { z } from "zod";
import { type CapabilityDefinition, defineCapability } from "../../define/capability.ts";
import { sha256Digest } from "../../store/digest.ts";
import type { JudgedDecision } from "./read-judged.ts";
import { sliceView } from "./slice-view.ts";

type Triage = CapabilityDefinition<{ text: string }, { team: string }>;
const definition: Triage = {
  ...{ name: "triage", version: "1", owner: "tests", description: "Says which team.", openTo: ["employee"], keepsInputs: false },
  input: z.strictObject({ text: z.string() }),
  decision: z.strictObject({ team: z.string() }),
  needs: () => [],
  deciding: { kind: "rule", version: "1", rule: () => ({ team: "any" }) },
  checks: [],
  label: ({ team }) => team,
  propose: ({ decision }) => ({ summary: decision.team }),
};

describe("what a slice is said to have shown", () => {
  const capability = (leastAgreementPpm: number) =>
    defineCapability({ ...definition, autonomy: { leastAgreementPpm, auditPpm: 0 } });
  const decided = (count: number, ppm: number, judgement: "agreed" | "rejected") =>
    Array.from({ length: count }, (_none, i): JudgedDecision => {
      const of = { basis: "0".repeat(64), model: "none", slice: "all", at: 0, isAuto: false };
      return {
        ...of,
        decisionId: `${ppm}-${judgement}-${i}`,
        signals: [{ name: "verification", ppm, weightPpm: 1_000_000 }],
        judgement,
      };
    });
  const viewOf = (barPpm: number, decisions: readonly JudgedDecision[], thresholdPpm?: number) => {
    const name = { tenant: "acme", capability: "tickets", capabilityVersion: "1", slice: "all" };
    const rests = { basis: null, calibration: null, connectors: null, evidence: null, watch: null };
    const since = { grantedAt: 0, provesFrom: 0, approvalId: null, entryId: "e" };
    const standing = thresholdPpm === undefined ? null : { ...name, ...rests, ...since, thresholdPpm };
    const parts = { capability: capability(barPpm), basis: "0".repeat(64), slice: "all", standing, from: 0, until: 1 };
    return sliceView({ ...parts, decisions, digest: sha256Digest });
  };

  it("is never an end at or above a bar that it does not reach", () => {
    // One of 280 leaves 98.0262 % at 2.5 %, and less at the part of it by which the first of two candidates is tested.
    const judged = [...decided(279, 950_000, "agreed"), ...decided(1, 950_000, "rejected"), ...decided(600, 600_000, "rejected")];
    const { finding } = viewOf(980_000, judged);
    if (finding.kind !== "below_bar") throw new Error("too few agree for the bar");
    expect(finding.leastPpm).toBeLessThan(finding.barPpm);
  });

  it("is that no number proves a bar of all", () => {
    expect(viewOf(1_000_000, decided(5_000, 950_000, "agreed")).finding).toEqual({ kind: "unprovable", barPpm: 1_000_000 });
  });

  it("is a stricter threshold where a lower one stands than is borne out, to be signed", () => {
    const { finding, proposal } = viewOf(
      980_000,
      [...decided(600, 950_000, "agreed"), ...decided(300, 700_000, "rejected")],
      600_000,
    );
    expect(finding).toEqual({ kind: "stricter", thresholdPpm: 950_000 });
    expect(proposal?.thresholdPpm).toBe(950_000);
  });
});
