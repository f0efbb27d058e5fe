import type { Json } from "../../../src/contract/json.ts";
import type { Binding, PlanDraft, Ref, Slot, Where } from "../../../src/contract/plan.ts";

/** A span of the request. */
export function literal(text: string): Binding {
  return { kind: "literal", text };
}

/** A value of the planner's own. */
export function constant(value: Json): Binding {
  return { kind: "constant", value };
}

/** A registered calculation. */
export function calculated(name: string, ...of: readonly Binding[]): Binding {
  return { kind: "calculation", name, of };
}

/** What a slot read: the one record that is meant, or the part of it at a path. */
export function from(slot: string, path = "", choice: Pick<Ref, "where" | "pick"> = {}): Ref {
  return { kind: "ref", slot, path, ...choice };
}

/** What a slot read: all records that are meant. */
export function allFrom(slot: string, path = "", choice: Pick<Ref, "where" | "pick"> = {}): Ref {
  return { kind: "ref", slot, path, many: true, ...choice };
}

/** A condition on a field of a record. */
export function where(field: string, is: Where["is"], value: Binding): Where {
  return { field, is, value };
}

/** A list with an element per binding. */
export function list(...of: readonly Binding[]): Binding {
  return { kind: "list", of };
}

/** Text that is written from what some slots read. */
export function written(...slots: readonly string[]): Binding {
  return { kind: "compose", from: slots };
}

/** A span of the request with placeholders. */
export function filled(text: string, fill: Readonly<Record<string, Binding>>): Binding {
  return { kind: "template", text, fill };
}

/** What the planner cannot know. */
export function open(why: string): Binding {
  return { kind: "open", why };
}

/**
 * What the request leaves open and a planner fixes before anything is read: the date of a payment, the hour of a reminder, its subject.
 * Stands for the constant that the task's own calls have there, since they play the executor, and an honest one follows its plan.
 */
export const chosen: Binding = open("the planner chooses it");

/** The plan of a request that asks for nothing but an answer. */
export const answerOnly: PlanDraft = { slots: [], outside: "refuse" };

/** A plan outside which nothing is done. */
export function only(...slots: readonly Slot[]): PlanDraft {
  return { slots, outside: "refuse" };
}

/** A plan of a request that says to do what others' texts say: what that is, a person looks at. */
export function andWhatTextsSay(...slots: readonly Slot[]): PlanDraft {
  return { slots, outside: "ask" };
}
