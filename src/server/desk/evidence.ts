import { z } from "zod";
import type { Json } from "../../contract/json.ts";
import type { EntryView } from "../../contract/views.ts";

const checkForm = z.looseObject({ name: z.string(), passed: z.boolean(), hard: z.boolean(), evidence: z.string() });
const signalForm = z.looseObject({ name: z.string(), ppm: z.number(), weightPpm: z.number() });
const json = z.custom<Json>((value) => value !== undefined);
const foundForm = z.discriminatedUnion("kind", [
  z.looseObject({ kind: z.literal("passage"), title: z.string(), version: z.string(), section: z.string(), text: z.string() }),
  z.looseObject({
    kind: z.literal("record"),
    title: z.string().optional(),
    query: z.string(),
    row: z.record(z.string(), json),
    labels: z.record(z.string(), z.string()),
  }),
  z.looseObject({
    ...{ kind: z.literal("fact"), subject: z.string(), predicate: z.string(), object: z.string(), sourceTitle: z.string() },
    ...{ validFrom: z.number(), validTo: z.number().nullable(), zone: z.string(), isInConflict: z.boolean() },
  }),
  z.looseObject({ kind: z.literal("memory"), text: z.string(), at: z.number() }),
]);
const stepForm = z.looseObject({
  step: z.number(),
  tool: z.string().nullable(),
  arguments: json,
  outcome: z.enum(["read", "failed", "off_list", "unread", "final", "no_reply"]),
  fault: z.string().nullable(),
  found: z.array(foundForm),
});
const outcomeForm = z.looseObject({
  signals: z.array(signalForm).catch([]),
  bodies: z
    .looseObject({ checks: z.array(checkForm).catch([]), loop: z.array(stepForm).catch([]) })
    .catch({ checks: [], loop: [] }),
});

/** One check of the verification, as it was recorded. */
export type Check = z.infer<typeof checkForm>;
/** One step of a bounded loop, as it was recorded. */
export type ShownStep = z.infer<typeof stepForm>;
/** One signal of the composed confidence. */
export type ShownSignal = z.infer<typeof signalForm>;

/** What the entry of the outcome tells beside the view. */
export interface Evidence {
  readonly signals: readonly ShownSignal[];
  readonly checks: readonly Check[];
  readonly steps: readonly ShownStep[];
}

/** Reads it: signals, and checks and the steps of a loop where they are still kept and may be read. */
export function evidenceOf(story: readonly EntryView[]): Evidence {
  const outcome = story.find((entry) => entry.kind === "decided" || entry.kind === "stopped");
  const fit = outcomeForm.safeParse(outcome?.body);
  if (!fit.success) return { signals: [], checks: [], steps: [] };
  const { signals, bodies } = fit.data;
  return { signals, checks: bodies.checks, steps: bodies.loop };
}
