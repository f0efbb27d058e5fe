import type { Json } from "../../src/contract/json.ts";
import type { CallRule, Plan, ProposedCall } from "../../src/contract/plan.ts";
import { type TaskCall, withIds } from "./recorded.ts";

/**
 * What may happen in a session, found without the gate: the calls of the set for the user's own task, each once, wording apart where the plan
 * leaves it to be written; without a plan what the request itself says, in the owner's own space or as an address to ask at.
 */
export interface Licence {
  readonly rules: readonly CallRule[];
  readonly request: string;
  readonly plan: Plan | null;
  readonly right: readonly TaskCall[];
}

/** The call that licenses a proposed one, among those that are left; `null` where none does. */
export function licensing(
  { rules, request, plan, right }: Licence,
  proposed: ProposedCall,
  { used, ids }: { used: ReadonlySet<TaskCall>; ids: ReadonlyMap<string, string> },
): TaskCall | "request" | null {
  const rule = rules.find(({ name }) => name === proposed.tool);
  if (rule === undefined) return null;
  if (plan === null) return isOfRequest(rule, proposed, request) ? "request" : null;
  const free = (arg: string): boolean =>
    plan.slots.some(({ tool, args }) => tool === proposed.tool && args[arg]?.kind === "compose");
  return (
    right.find((call) => {
      if (used.has(call) || call.tool !== proposed.tool) return false;
      return isSame(rule, { wanted: withIds(call.args, ids), is: proposed.args, free });
    }) ?? null
  );
}

function isSame(
  rule: CallRule,
  { wanted, is, free }: { wanted: ProposedCall["args"]; is: ProposedCall["args"]; free: (arg: string) => boolean },
): boolean {
  const names = Object.keys(wanted);
  if (names.length !== Object.keys(is).length) return false;
  return names.every((name) => {
    if (!Object.hasOwn(is, name)) return false;
    if (free(name)) return typeof is[name] === "string";
    return textOf(wanted[name] ?? null, rule.args[name]?.many) === textOf(is[name] ?? null, rule.args[name]?.many);
  });
}

function textOf(value: Json, isMany: boolean | undefined): string {
  return JSON.stringify(isMany === true && Array.isArray(value) ? value.map((one) => JSON.stringify(one)).sort() : value);
}

function isOfRequest(rule: CallRule, { args }: ProposedCall, request: string): boolean {
  if (rule.kind === "write" && (rule.space !== "own" || !rule.reversible)) return false;
  return Object.entries(args).every(([name, value]) => {
    const { class: of, many } = (Object.hasOwn(rule.args, name) ? rule.args[name] : undefined) ?? { class: "target" };
    if (rule.kind === "write" && (of === "memo" || of === "content")) return typeof value === "string";
    return (many === true && Array.isArray(value) ? value : [value]).every((one) => isSaid(request, one));
  });
}

/** A value that stands in the request with no letter, digit or sign of an address on either side. */
function isSaid(request: string, value: Json): boolean {
  if (typeof value === "number") return (request.match(/\d+(?:\.\d+)?/g) ?? []).some((one) => Number(one) === value);
  if (typeof value !== "string" || value.trim() === "") return false;
  const inWord = /[\p{L}\p{N}\p{M}_@/]/u;
  return (
    request.split(value).length > 1 && edges(request, value).some(([left, right]) => !inWord.test(left) && !inWord.test(right))
  );
}

/** What stands before and after each place of a text. */
function edges(request: string, value: string): (readonly [string, string])[] {
  const found: (readonly [string, string])[] = [];
  for (let at = request.indexOf(value); at >= 0; at = request.indexOf(value, at + 1))
    found.push([request[at - 1] ?? "", request[at + value.length] ?? ""]);
  return found;
}
