import { z } from "zod";
import type { AutonomyView, Simulation } from "../../contract/autonomy.ts";
import type { Calibration } from "../../contract/calibration.ts";
import { components } from "./components.ts";

const ppm = z.int().describe("Parts per million");
const instant = z.int().describe("Milliseconds since the epoch");
const count = z.int();
const counted = { decisions: count, agreed: count, leastPpm: ppm };

const finding = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("proposed") }),
  z.strictObject({ kind: z.literal("as_signed") }),
  z.strictObject({ kind: z.literal("stricter"), thresholdPpm: ppm }),
  z.strictObject({ kind: z.literal("unprovable"), barPpm: ppm }),
  z.strictObject({ kind: z.literal("not_enough"), have: count, need: count }),
  z.strictObject({ kind: z.literal("below_bar"), leastPpm: ppm, barPpm: ppm }),
]);

const proposal = z.strictObject({
  ...{ thresholdPpm: ppm, digest: z.string(), from: instant, until: instant, ...counted, wouldBeAuto: count, barPpm: ppm },
  ...{ auditPpm: ppm, basis: z.string(), calibration: z.string(), models: z.array(z.string()), oneFewerPpm: ppm },
  reference: z.strictObject({ cuts: z.array(z.int()), gaps: z.array(count) }).nullable(),
});

const slice = z.strictObject({
  ...{ capability: z.string(), capabilityVersion: z.string(), slice: z.string(), owner: z.string(), thresholdPpm: ppm },
  ...{ finding, isByHand: z.boolean(), decisions: count, agreed: count, proposal: proposal.nullable() },
  bins: z.array(z.strictObject({ fromPpm: ppm, ...counted, mostPpm: ppm })),
});

const demotion = z.strictObject({
  ...{ capability: z.string(), slice: z.string(), fromPpm: ppm, breach: z.string(), entryId: z.string() },
  ...{ decisionId: z.string().nullable(), at: instant },
});

/** What the tenant's slices have earned. */
export const autonomyReply = z
  .strictObject({ from: instant, until: instant, slices: z.array(slice), demotions: z.array(demotion) })
  .register(components, {
    id: "Autonomy",
    description: "Every slice with its threshold, what the evidence of the window bears out, and what was taken back in it",
  }) satisfies z.ZodType<AutonomyView>;

/** What a threshold would have let through. */
export const simulationReply = z
  .strictObject({
    ...{
      capability: z.string(),
      slice: z.string(),
      thresholdPpm: ppm,
      ...counted,
      wouldBeAuto: count,
      mostPpm: ppm,
      barPpm: ppm,
    },
    wrong: z.array(z.strictObject({ decisionId: z.string(), judgement: z.string(), ppm, at: instant })),
  })
  .register(components, {
    id: "Simulation",
    description: "What a threshold would have let through over a slice's own history, and which of it was wrong",
  }) satisfies z.ZodType<Simulation>;

const signal = z.enum(["verification", "evidence", "judge", "model"]);

/** A calibration, as a capability's definition takes it. */
export const calibrationReply = z
  .strictObject({
    ...{ version: z.literal(1), id: z.string(), capability: z.string() },
    evidence: z.strictObject({ basis: z.string(), from: instant, until: instant }),
    maps: z.array(
      z.strictObject({
        ...{ signals: z.array(signal).nullable(), method: z.enum(["isotonic", "platt"]), decisions: count, agreed: count },
        points: z.array(z.strictObject({ scorePpm: ppm, ppm })),
      }),
    ),
  })
  .register(components, {
    id: "Calibration",
    description: "What turns the score of a capability into the share of such decisions that people agreed with",
  }) satisfies z.ZodType<Calibration>;
