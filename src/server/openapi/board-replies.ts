import { z } from "zod";
import type { EvalRunDetail, EvalRunView } from "../../contract/eval-view.ts";
import { contractBreaks, migrationStages } from "../../contract/migration.ts";
import { type ModelsView, modelRoles } from "../../contract/model-view.ts";
import type { PoliciesView, PolicyAnswer } from "../../contract/policy-view.ts";
import { components } from "./components.ts";
import { ms } from "./decision-replies.ts";

const text = z.string().nullable();
const count = z.int();
const place = { capability: text, slice: text };

const evalRun = z.strictObject({
  ...{ id: z.string(), project: z.string(), startedAt: ms, endedAt: ms, setDigest: z.string(), repeats: count },
  ...{ cases: count, passedCases: count, isSelection: z.boolean(), gatePassed: z.boolean().nullable() },
  capabilities: z.record(z.string(), z.strictObject({ version: z.string(), prompt: text, model: text })),
  figures: z.array(z.strictObject({ ...place, metric: z.string(), value: z.number().nullable(), cases: count })),
});

/** One run of a list. */
export const evalRunReply = evalRun.register(components, {
  id: "EvalRun",
  description: "One run of the project's eval sets with its figures by metric",
}) satisfies z.ZodType<EvalRunView>;

/** One run with what failed. */
export const evalRunDetailReply = z
  .strictObject({
    ...evalRun.shape,
    failing: z.array(z.strictObject({ id: z.string(), ...place, label: z.string(), metrics: z.array(z.string()) })),
    findings: z.array(
      z.strictObject({ rule: z.string(), metric: text, ...place, value: z.number().nullable(), floor: z.number().nullable() }),
    ),
  })
  .register(components, {
    id: "EvalRunDetail",
    description: "One run with the cases that failed and what the gate did not let pass",
  }) satisfies z.ZodType<EvalRunDetail>;

const day = z.string().nullable().describe("`YYYY-MM-DD`");
const model = z.strictObject({
  ...{ model: z.string(), provider: z.string(), id: z.string(), owners: z.array(z.string()) },
  uses: z.array(z.strictObject({ of: text, role: z.enum(modelRoles) })),
  ...{ isPinned: z.boolean().nullable(), state: z.enum(["unknown", "active", "deprecated", "retired"]) },
  ...{ shutdownOn: day, daysLeft: z.int().nullable(), lastTrainingOn: day, source: text, isDue: z.boolean() },
  checkedAt: ms.nullable(),
});

const side = z.strictObject({ ms: z.number(), costMicros: z.number() });
const migration = z.strictObject({
  ...{ id: z.string(), capability: z.string(), from: z.string(), to: z.string(), stage: z.enum(migrationStages) },
  sharePpm: count,
  bounds: z.strictObject({ leastTrials: count, mostFailedPpm: count, mostDisagreePpm: count }),
  rolledBackBy: z.enum(["contract", "failures", "disagreement", "person"]).nullable(),
  ...{ madeAt: ms, stageAt: ms, isSigned: z.boolean() },
  trials: z.array(
    z.strictObject({
      ...{ stage: z.enum(["shadow", "canary_share"]), trials: count, broken: count, newFailed: count, oldFailed: count },
      ...{ disagreed: count, meanProsePpm: count, old: side, new: side },
    }),
  ),
  breaks: z.array(z.strictObject({ kind: z.enum(contractBreaks), path: z.string(), trials: count })),
});

/** Models and migrations. */
export const modelsReply = z.strictObject({ models: z.array(model), migrations: z.array(migration) }).register(components, {
  id: "Models",
  description: "The models that the project names, how they stand with their providers, and the tenant's migrations",
}) satisfies z.ZodType<ModelsView>;

const policy = z.strictObject({
  ...{ id: z.string(), file: z.string(), line: z.int(), effect: z.enum(["permit", "forbid"]) },
  ...{ actions: z.array(z.string()), text: z.string() },
});

/** The policies in force. */
export const policiesReply = z
  .strictObject({
    version: z.string(),
    files: z.array(z.strictObject({ name: z.string(), text: z.string(), digest: z.string() })),
    policies: z.array(policy),
  })
  .register(components, {
    id: "Policies",
    description: "The policies in force in the process that answers, with the files that they stand in",
  }) satisfies z.ZodType<PoliciesView>;

const ruled = { rule: z.string(), policies: z.array(z.string()) };

/** What policies say to a question. */
export const policyAnswerReply = z
  .strictObject({
    version: z.string(),
    ruling: z.discriminatedUnion("kind", [
      z.strictObject({ kind: z.literal("permitted"), ...ruled }),
      z.strictObject({ kind: z.literal("refused"), ...ruled, reason: z.string() }),
    ]),
    ...{ deciding: z.array(policy), missing: z.array(policy) },
  })
  .register(components, {
    id: "PolicyAnswer",
    description: "What the policies say to a question, those that decided it, and those that could have permitted it",
  }) satisfies z.ZodType<PolicyAnswer>;
