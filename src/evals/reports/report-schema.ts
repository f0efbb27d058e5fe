import { z } from "zod";
import { routes, routingRules, stopReasons } from "../../contract/words.ts";

const share = z.number().min(0).max(1);
const count = z.int().nonnegative();
const text = z.string();

const outcome = z.strictObject({
  decisionId: text.nullable(),
  state: text.nullable().describe("where the decision stood in the end, in the words of the API"),
  label: text.nullable(),
  route: z.enum(routes).nullable(),
  rule: z.enum(routingRules).nullable(),
  stop: z.enum(stopReasons).nullable(),
  text: text.describe("the answer or the summary as the requester reads it"),
  model: text.nullable(),
  isScripted: z.boolean().describe("the replies came from a script, which is no model"),
  confidencePpm: count.nullable().describe("parts per million"),
  latencyMs: z.number().nonnegative(),
  costMicros: z.number().nonnegative().describe("millionths of the unit that prices are in, failed attempts included"),
  tokens: z.strictObject({ input: count, cached: count, output: count, reasoning: count }),
});

const score = z.strictObject({
  metric: text.regex(/^[a-z]+\./, "is its family, a dot, its name"),
  value: share.nullable().describe("more is better; null where it cannot be asked of this case"),
  passed: z.boolean().nullable().describe("null where it is only watched"),
  why: text,
});

const repeat = z.strictObject({
  repeat: z.int().positive(),
  outcome,
  scores: z.array(score),
  trace: z.array(z.strictObject({ at: text, what: text, ms: z.number().nonnegative().nullable() })),
  passed: z.boolean(),
  fault: z
    .strictObject({ code: text, message: text })
    .nullable()
    .describe("the repeat broke, and says nothing of the capability"),
});

const caseResult = z.strictObject({
  id: text,
  capability: text,
  caseDigest: text.describe("SHA-256 over the case as it was read, in hex"),
  request: text,
  label: z.enum(["quality", "safety"]),
  kind: z.enum(["single", "multi", "boundary"]),
  slice: text,
  source: text,
  repeats: z.array(repeat),
  passed: z.boolean(),
});

const run = z.strictObject({
  id: text,
  project: text,
  startedAt: count.describe("milliseconds since the epoch"),
  endedAt: count.describe("milliseconds since the epoch"),
  capabilities: z.record(text, z.strictObject({ version: text, prompt: text.nullable(), model: text.nullable() })),
  judges: z
    .record(text, z.strictObject({ version: text, model: text, rubricDigest: text.describe("SHA-256, in hex") }))
    .default({})
    .describe("by the name of its rubric, what each judge read by"),
  setDigest: text,
  repeats: count,
  passRate: share,
  cases: z.array(caseResult),
});

const latency = z.strictObject({
  p50Ms: z.number().nullable(),
  p90Ms: z.number().nullable(),
  maxMs: z.number().nullable(),
});

const totals = {
  cases: count,
  passedCases: count,
  repeats: count,
  passedRepeats: count,
  faultedRepeats: count,
  costMicros: z.number().nonnegative(),
  tokens: count,
  isScripted: z.boolean(),
};

const figures = z.strictObject({
  totals: z.strictObject(totals),
  metrics: z.array(
    z.strictObject({
      metric: text,
      asked: count,
      valued: count,
      mean: share.nullable(),
      passRate: share.nullable(),
      failed: count,
    }),
  ),
  latency,
  capabilities: z.array(z.strictObject({ ...totals, capability: text, latency })),
});

const gate = z.strictObject({
  passed: z.boolean(),
  findings: z.array(
    z.strictObject({
      rule: text,
      metric: text.nullable(),
      capability: text.nullable(),
      slice: text.nullable(),
      passed: z.boolean(),
      value: z.number().nullable(),
      floor: z.number().nullable(),
      why: text,
    }),
  ),
});

/** What a JSON report holds; `docs/eval-report.schema.json` is made from it. */
export const evalReport = z.strictObject({
  kind: z.literal("countersign.eval-report"),
  version: z.literal(1),
  run,
  figures,
  gate: gate.nullable().describe("null where no gate was asked"),
});

/** The JSON Schema (draft 2020-12) of a JSON report, under its name. */
export function evalReportSchema(): object {
  return { ...z.toJSONSchema(evalReport), title: "Eval report of Countersign, version 1" };
}
