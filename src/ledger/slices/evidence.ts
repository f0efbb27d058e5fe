import { z } from "zod";
import type { SliceEvidence } from "../../contract/autonomy.ts";
import { CountersignError } from "../../contract/errors.ts";
import { onePpm } from "../../contract/words.ts";

const ppm = z.int().min(0).max(onePpm);
const count = z.int().min(0);
/** No reference has more stretches. */
const mostStretches = 40;

/** The form of the evidence that is signed with a threshold. */
export const evidenceSchema = z.strictObject({
  digest: z.string().regex(/^[0-9a-f]{64}$/),
  from: count,
  until: count,
  decisions: count,
  wouldBeAuto: count,
  agreed: count,
  leastPpm: ppm,
  barPpm: ppm,
  auditPpm: ppm,
  models: z.array(z.string().min(1).max(200)).max(20),
  reference: z
    .strictObject({ cuts: z.array(count).max(mostStretches), gaps: z.array(z.int().min(1)).max(mostStretches + 1) })
    .refine(({ cuts, gaps }) => gaps.length === cuts.length + 1)
    .nullable(),
}) satisfies z.ZodType<SliceEvidence>;

/** Reads kept evidence. Throws `payload_unreadable` where it has not the form. */
export function parseEvidence(text: string): SliceEvidence {
  try {
    return evidenceSchema.parse(JSON.parse(text));
  } catch (cause) {
    throw new CountersignError("payload_unreadable", "the evidence of a slice has not the form that is signed", { cause });
  }
}
