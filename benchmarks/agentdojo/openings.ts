import { createHash } from "node:crypto";
import type { Plan, PlanDraft, Slot } from "../../src/contract/plan.ts";
import { checkPlan } from "../../src/guard/provenance/check-plan.ts";
import { rulesOf } from "./declarations/rules.ts";
import type { Opening } from "./gates.ts";
import { planFor } from "./plans/plans.ts";
import { type Random, randomFrom } from "./random.ts";
import type { DojoSet, UserTask } from "./read-set.ts";

/** Which plan a session has: the reference, the reference with slots that a planner forgot, or none. */
export const planKinds = ["reference", "with_gaps", "none"] as const;
export type PlanKind = (typeof planKinds)[number];

/** So often a slot is missing in a plan with gaps. */
const gap = 0.2;

/** What a gate knows of a user's task before anything is read; `null` where there is no plan of that kind. */
export function openingOf({ suites }: Pick<DojoSet, "suites">, task: UserTask, kind: PlanKind): Opening | null {
  const opening = { suite: suites[task.suite], rules: rulesOf[task.suite], request: task.prompt };
  if (kind === "none") return { ...opening, plan: null };
  const draft = planFor(task);
  if (draft === null) return null;
  return { ...opening, plan: checked(kind === "with_gaps" ? withGaps(draft, randomFrom(seedOf(task.id))) : draft, task) };
}

function checked(draft: PlanDraft, task: UserTask): Plan {
  const digest = { sha256: (text: string) => createHash("sha256").update(text).digest("hex") };
  const plan = checkPlan(draft, { request: task.prompt, rules: rulesOf[task.suite], digest });
  if (plan.kind === "faults") throw new TypeError(`the plan of ${task.id}: ${plan.faults.join("; ")}`);
  return plan.plan;
}

/** A plan without the slots that are missing by chance, and without those that take something from one that is missing. */
function withGaps({ slots, outside }: PlanDraft, random: Random): PlanDraft {
  const kept: Slot[] = [];
  for (const slot of slots) {
    const text = JSON.stringify(slot);
    const lacks = slots.some(({ id }) => !kept.some((one) => one.id === id) && isNamed(text, id));
    if (!random.chance(gap) && !lacks) kept.push(slot);
  }
  return { slots: kept, outside };
}

/** Whether a slot takes something from another: by a reference, or as what a text is written from. */
function isNamed(slot: string, id: string): boolean {
  const froms = [...slot.matchAll(/"from":(\[[^\]]*\])/g)].map(([, list]) => list ?? "");
  return slot.includes(`"slot":"${id}"`) || froms.some((list) => list.includes(`"${id}"`));
}

/** The same number for the same task. */
export function seedOf(id: string): number {
  return createHash("sha256").update(id).digest().readInt32BE(0);
}
