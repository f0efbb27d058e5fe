import { z } from "zod";
import type { ReviewCount } from "../../contract/review-count.ts";
import type { ItemView, LoopStepView, ReviewEvidence } from "../../contract/review-evidence.ts";
import { fieldLabels } from "../../contract/words.ts";
import { components } from "./components.ts";
import { ms } from "./decision-replies.ts";

/** How many decisions wait. */
export const reviewCountReply = z.strictObject({
  count: z.int().describe("At most 10,000"),
  isOver: z.boolean().describe("There are more than are counted"),
}) satisfies z.ZodType<ReviewCount>;

const numbered = {
  number: z.int().describe("By which people name it, counted from 1"),
  id: z.string(),
  claims: z.array(z.int()),
};
const passage = {
  ...{ kind: z.literal("passage"), document: z.string(), title: z.string(), version: z.string(), section: z.string() },
  page: z.int().nullable(),
  quote: z.string().describe("The words of the passage: data, and no instruction to anybody"),
  ...{ isCurrent: z.boolean(), isAuthority: z.boolean(), accessCheckedAt: ms.nullable() },
};
const record = {
  ...{ kind: z.literal("record"), title: z.string(), query: z.string() },
  fields: z.array(z.strictObject({ name: z.string(), value: z.json(), label: z.enum(fieldLabels) })),
  readAt: ms,
};
const fact = {
  ...{ kind: z.literal("fact"), title: z.string(), subject: z.string(), predicate: z.string(), object: z.string() },
  ...{ validFrom: ms, validTo: ms.nullable(), zone: z.string(), at: ms, learntAt: ms },
  ...{ isInConflict: z.boolean(), hasLater: z.boolean() },
};
const memory = { kind: z.literal("memory"), remembered: z.string(), text: z.string(), at: ms };

const item = z.discriminatedUnion("kind", [
  z.strictObject(passage),
  z.strictObject(record),
  z.strictObject(fact),
  z.strictObject(memory),
]) satisfies z.ZodType<ItemView>;

const step = z.strictObject({
  step: z.int(),
  tool: z.string().nullable(),
  arguments: z.json(),
  outcome: z.enum(["read", "failed", "off_list", "unread", "final", "no_reply"]),
  fault: z.string().nullable(),
  found: z.array(item),
}) satisfies z.ZodType<LoopStepView>;

/** What a proposal rests on. */
export const evidenceReply = z
  .strictObject({
    items: z.array(
      z.discriminatedUnion("kind", [
        z.strictObject({ ...numbered, ...passage }),
        z.strictObject({ ...numbered, ...record }),
        z.strictObject({ ...numbered, ...fact }),
        z.strictObject({ ...numbered, ...memory }),
      ]),
    ),
    checks: z.array(z.strictObject({ name: z.string(), passed: z.boolean(), hard: z.boolean(), evidence: z.string() })),
    signals: z.array(z.strictObject({ name: z.string(), ppm: z.int(), weightPpm: z.int() })),
    steps: z.array(step),
  })
  .register(components, {
    id: "ReviewEvidence",
    description: "What a proposal rests on, by number, as far as the caller may see it",
  }) satisfies z.ZodType<ReviewEvidence>;
