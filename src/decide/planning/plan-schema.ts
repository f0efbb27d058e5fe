import { z } from "zod";
import { deepFreeze, type JsonObject } from "../../contract/json.ts";
import type { Binding, PlanDraft } from "../../contract/plan.ts";
import { jsonSchemaOf, type Schema } from "../../contract/schema.ts";
import { checkPlan, type Planning } from "../../guard/provenance/check-plan.ts";

const name = z.string().min(1).max(60);
const pointer = z
  .string()
  .max(200)
  .regex(/^(?:\/[^/]{1,60})*$/);
const anyValue = z.union([z.string().max(2000), z.number(), z.boolean(), z.null()]);

const binding: z.ZodType<Binding> = z.lazy(() =>
  z.discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("literal"), text: z.string().max(5000) }),
    z.strictObject({ kind: z.literal("constant"), value: anyValue }),
    z.strictObject({ kind: z.literal("calculation"), name, of: z.array(binding).max(8) }),
    ref,
    z.strictObject({ kind: z.literal("item"), path: pointer }),
    z.strictObject({ kind: z.literal("template"), text: z.string().max(2000), fill: z.record(name, binding) }),
    z.strictObject({ kind: z.literal("list"), of: z.array(binding).max(20) }),
    z.strictObject({ kind: z.literal("compose"), from: z.array(name).max(10) }),
    z.strictObject({ kind: z.literal("open"), why: z.string().max(200) }),
  ]),
);
const comparisons = [
  "equals",
  "in",
  "not_in",
  "contains",
  "starts_with",
  "less_than",
  "greater_than",
  "at_least",
  "at_most",
] as const;
const ref = z.strictObject({
  kind: z.literal("ref"),
  slot: name,
  list: pointer.exactOptional(),
  where: z
    .array(z.strictObject({ field: pointer, is: z.enum(comparisons), value: binding }))
    .max(6)
    .exactOptional(),
  pick: z.strictObject({ by: pointer, order: z.enum(["greatest", "least"]) }).exactOptional(),
  path: pointer,
  many: z.boolean().exactOptional(),
});
const draft: z.ZodType<PlanDraft> = z.strictObject({
  slots: z.array(z.strictObject({ id: name, tool: name, args: z.record(name, binding), forEach: ref.exactOptional() })).max(40),
  outside: z.enum(["refuse", "ask"]),
});

const shown: JsonObject = deepFreeze(jsonSchemaOf(draft));

/**
 * The schema of a planner's reply: its form, and behind it everything that `checkPlan` holds a plan to, so that a plan with a fault is a
 * reply that does not fit, and is asked for again.
 */
export function planSchema(planning: Planning): Schema<PlanDraft> {
  const validate = (reply: unknown): ReturnType<Schema<PlanDraft>["~standard"]["validate"]> => {
    const form = draft.safeParse(reply);
    if (!form.success) return { issues: form.error.issues };
    const checked = checkPlan(form.data, planning);
    if (checked.kind === "plan") return { value: form.data };
    return { issues: checked.faults.slice(0, 5).map((message) => ({ message, path: ["slots"] })) };
  };
  return {
    "~standard": { version: 1, vendor: "countersign", validate, jsonSchema: { input: () => shown, output: () => shown } },
  };
}
