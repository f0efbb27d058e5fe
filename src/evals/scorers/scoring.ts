import type { ContextItem } from "../../contract/context.ts";
import type { Json } from "../../contract/json.ts";
import type { DecisionView } from "../../contract/views.ts";
import type { EvalCase } from "../case-file.ts";
import type { Score } from "../eval-run.ts";
import { factName } from "../fact-name.ts";
import type { Played, PlayTask } from "../played.ts";

/** Scores one repeat of one case, by code alone. It says nothing of what the case does not ask for. */
export type Scorer = (task: PlayTask, played: Played) => readonly Score[];

/** A figure that is part of whether the repeat passed: it passed with 1 alone. */
export function required(metric: Score["metric"], value: number | null, why: string): Score {
  const passed = value === 1;
  return { metric, value, passed, why: passed ? "" : why };
}

/** A figure that a gate may have a floor for, and that fails no repeat by itself. */
export function watched(metric: Score["metric"], value: number | null, why = ""): Score {
  return { metric, value, passed: null, why };
}

/** The share of wanted things that are there; 1 where none is wanted. */
export function share(wanted: readonly unknown[], isThere: (one: never) => boolean): number {
  return wanted.length === 0 ? 1 : wanted.filter((one) => isThere(one as never)).length / wanted.length;
}

/** Names in a sentence, in backticks. */
export function listed(names: readonly string[]): string {
  return names.length === 0 ? "none" : names.map((name) => `\`${name}\``).join(", ");
}

/** What the case relies on and this principal may see: it must have reached the decision. Of facts only those that are named as evidence. */
export function neededItems({ fixtures, expectations: { evidence, withheld } }: EvalCase): readonly string[] {
  const all = new Set([...evidence, ...fixtures.passages, ...fixtures.records]);
  return [...all].filter((id) => !withheld.includes(id));
}

/** Whether the case expects that nothing comes of the request. */
export function expectsRefusal({ expectations: { refuses, stop, route } }: EvalCase): boolean {
  return refuses === true || stop !== undefined || route?.includes("reject") === true;
}

/** What was proposed or answered to anybody: of what the checks held back there is nothing. */
export function letThrough({ decision }: Played): Pick<DecisionView, "claims" | "droppedClaims" | "effects"> {
  return decision === null || decision.route === "reject" ? { claims: [], droppedClaims: [], effects: [] } : decision;
}

/** By what a case may name an item: its id, and a fact by what it says too. */
export function namesOf(item: ContextItem): readonly string[] {
  return item.kind === "fact" ? [item.id, factName(item)] : [item.id];
}

/** The names of everything that was known at the end. */
export function itemNames({ items }: Played): ReadonlySet<string> {
  return new Set((items ?? []).flatMap(namesOf));
}

/** An item that was loaded, by its id. */
export function itemOf({ items }: Played, id: string): ContextItem | undefined {
  return items?.find((one) => one.id === id);
}

/** Says whether a value holds everything that is wanted of it: objects member by member, all else as it stands. */
export function holds(value: unknown, wanted: Json): boolean {
  if (typeof wanted !== "object" || wanted === null) return value === wanted;
  if (typeof value !== "object" || value === null || Array.isArray(wanted) !== Array.isArray(value)) return false;
  if (Array.isArray(wanted) && wanted.length !== (value as readonly unknown[]).length) return false;
  return Object.entries(wanted).every(([name, one]) => Object.hasOwn(value, name) && holds((value as never)[name], one));
}

/** A text for comparing: one case, one kind of space, one form of each character. */
export function plain(text: string): string {
  return text.normalize("NFKC").toLowerCase().replace(/\s+/g, " ").trim();
}
