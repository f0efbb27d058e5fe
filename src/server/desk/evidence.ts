import { z } from "zod";
import type { EntryView } from "../../contract/views.ts";

const checkForm = z.looseObject({ name: z.string(), passed: z.boolean(), hard: z.boolean(), evidence: z.string() });
const signalForm = z.looseObject({ name: z.string(), ppm: z.number(), weightPpm: z.number() });
const outcomeForm = z.looseObject({
  signals: z.array(signalForm).catch([]),
  bodies: z.looseObject({ checks: z.array(checkForm).catch([]) }).catch({ checks: [] }),
});

/** One check of the verification, as it was recorded. */
export type Check = z.infer<typeof checkForm>;
/** One signal of the composed confidence. */
export type ShownSignal = z.infer<typeof signalForm>;

/** What the entry of the outcome tells beside the view: signals, and the checks where they are still kept. */
export function evidenceOf(story: readonly EntryView[]): {
  readonly signals: readonly ShownSignal[];
  readonly checks: readonly Check[];
} {
  const outcome = story.find((entry) => entry.kind === "decided" || entry.kind === "stopped");
  const fit = outcomeForm.safeParse(outcome?.body);
  if (!fit.success) return { signals: [], checks: [] };
  return { signals: fit.data.signals, checks: fit.data.bodies.checks };
}
