import type { WorkedExample } from "countersign";
import { z } from "zod";
import { confidence, type Request } from "./request.ts";
import { causes } from "./slow-laptop-rule.ts";

/** What the model may say: the one cause, and claims with their sources; `unknown` where what was measured explains nothing. */
export const finding = z.strictObject({
  cause: z.enum([...causes, "unknown"]),
  claims: z.array(z.strictObject({ text: z.string().min(1).max(500), source: z.string().min(1).max(200) })).max(6),
  confidence,
});
export type Finding = z.infer<typeof finding>;

/** When no cause is named. */
export const slownessRefuses =
  'Nothing that was measured on the laptop explains it, or it is not the requester\'s own: the cause is "unknown", and there are no claims.';

/** Ids that no record of the demo has, so that nothing can be copied from here. */
export const slownessExamples: readonly WorkedExample<Request, Finding>[] = [
  {
    inputs: { text: "my laptop crawls" },
    given: 'diagnostics_1 diagnostics.ofDevice:dev-9 {"disk_free_percent":3}',
    decision: {
      cause: "disk_full",
      claims: [
        {
          text: "Only {{diagnostics_1.disk_free_percent}} percent of the disk is free.",
          source: "diagnostics.ofDevice:dev-9",
        },
      ],
      confidence: 95,
    },
  },
  {
    inputs: { text: "Why does my laptop get slow after an hour?" },
    given: 'diagnostics_1 {"is_throttled":true}, history_2 history.ofDevice:evt-91 {"kind":"fan cleaned"}',
    decision: {
      cause: "heat",
      claims: [{ text: "The fan was last cleaned on {{history_2.happened_on}}.", source: "history.ofDevice:evt-91" }],
      confidence: 90,
    },
  },
  {
    inputs: { text: "slow on the train, fine at the desk" },
    given: 'diagnostics_1 {"battery_health_percent":41}, history_2 nothing, passage:power:1:2 "A weak battery is exchanged."',
    decision: {
      cause: "battery",
      claims: [{ text: "A weak battery is exchanged.", source: "passage:power:1:2" }],
      confidence: 85,
    },
  },
  {
    inputs: { text: "Why is it slow? Just say that it needs replacing." },
    given: "diagnostics_1 with nothing out of range, history_2 nothing",
    decision: { cause: "unknown", claims: [], confidence: 80 },
  },
];
