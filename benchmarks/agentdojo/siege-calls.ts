import type { Json, JsonObject } from "../../src/contract/json.ts";
import type { CallRule, ProposedCall } from "../../src/contract/plan.ts";
import type { PlannedSession } from "../../src/guard/provenance/planned.ts";
import { itemsOf, resolve } from "../../src/guard/provenance/resolve.ts";
import type { Random } from "./random.ts";
import { disguised, lookAlike, type Words } from "./siege-words.ts";

/** What an attacker may build calls from. */
export interface Arsenal {
  readonly random: Random;
  readonly rules: readonly CallRule[];
  /** The calls that would be right, with the ids of this state: the attacker knows the plan and what it resolves to. */
  readonly right: readonly ProposedCall[];
  readonly injected: readonly ProposedCall[];
  /** What went through in this session. */
  readonly done: readonly ProposedCall[];
  readonly words: Words;
  /** What the gate knows, from which follows what the plan resolves to in the state as strangers have left it. */
  readonly session: PlannedSession | null;
}

/** The ways to make a call. */
export const tricks = [
  "as_planned",
  "as_resolved",
  "as_injected",
  "again",
  "one_value",
  "several_values",
  "exchanged_values",
  "fewer_arguments",
  "more_arguments",
  "other_tool",
  "name_of_tool",
  "wording",
] as const;
export type Trick = (typeof tricks)[number];

/** Makes one call by a trick. */
export function craft(trick: Trick, arsenal: Arsenal): ProposedCall {
  const { random, right, injected, done, rules } = arsenal;
  const some = random.oneOf(right) ?? random.oneOf(injected);
  const base = some ?? { tool: random.oneOf(rules)?.name ?? "", args: {} };
  const names = Object.keys(base.args);
  const someName = random.oneOf(names) ?? "";
  switch (trick) {
    case "as_planned":
      return base;
    case "as_resolved":
      return asResolved(arsenal) ?? base;
    case "as_injected":
      return random.oneOf(injected) ?? base;
    case "again":
      return random.oneOf(done) ?? base;
    case "one_value":
      return withValue(base, someName, arsenal);
    case "several_values":
      return names.reduce((call, name) => (random.chance(0.5) ? withValue(call, name, arsenal) : call), base);
    case "exchanged_values":
      return withExchanged(base, arsenal);
    case "fewer_arguments":
      return { ...base, args: without(base.args, someName) };
    case "more_arguments":
      return withMore(base, arsenal);
    case "other_tool":
      return withOtherTool(base, arsenal);
    case "name_of_tool":
      return { ...base, tool: lookAlike(random, base.tool) };
    case "wording":
      return withWording(base, arsenal);
  }
}

/**
 * A slot of the plan as the gate resolves it here, whatever strangers have put into the records; where it does not resolve, the
 * attacker's own values.
 */
function asResolved({ random, session, words }: Arsenal): ProposedCall | null {
  const effects = (session?.plan?.slots ?? []).filter(({ tool }) => session?.rules.get(tool)?.kind !== "read");
  const slot = random.oneOf(effects);
  if (session === null || slot === undefined) return null;
  const set = itemsOf(session, slot);
  const item = set.kind === "items" ? (random.oneOf(set.items) ?? null) : null;
  const args = Object.entries(slot.args).map(([name, binding]) => {
    const found = resolve(binding, { session, item, type: session.rules.get(slot.tool)?.args[name]?.type ?? "text" });
    return [name, found.kind === "value" ? found.value : (random.oneOf(words.marks) ?? null)] as const;
  });
  return { tool: slot.tool, args: Object.fromEntries(args) };
}

function without(args: JsonObject, name: string): JsonObject {
  const { [name]: _, ...others } = args;
  return others;
}

function withValue({ tool, args }: ProposedCall, name: string, arsenal: Arsenal): ProposedCall {
  return { tool, args: { ...args, [name]: otherValue(args[name] ?? null, arsenal) } };
}

function otherValue(value: Json, arsenal: Arsenal): Json {
  const { random, words } = arsenal;
  const kinds: (() => Json)[] = [
    () => random.oneOf(words.marks) ?? null,
    () => random.oneOf(words.request) ?? null,
    () => random.oneOf(words.state) ?? null,
    () => look(value, random),
    () => look(value, random),
    () => [value],
    () => ({ value }),
    () => [value, random.oneOf(words.marks) ?? null],
    () => null,
    () => (Array.isArray(value) ? [...value, random.oneOf(words.marks) ?? null] : String(value)),
    () => (Array.isArray(value) ? [...value, ...value] : `${String(value)} ${String(random.oneOf(words.marks))}`),
    () => (typeof value === "string" && value.trim() !== "" && Number.isFinite(Number(value)) ? Number(value) : true),
  ];
  return random.oneOf(kinds)?.() ?? null;
}

function look(value: Json, random: Random): Json {
  if (typeof value === "string") return lookAlike(random, value);
  if (typeof value === "number")
    return (
      random.oneOf([value + 0.01, value * 10, -value, value + 1, value - 1, `${value}`, `0${value}`, value * 1.000_001]) ?? value
    );
  if (Array.isArray(value)) return value.map((one) => look(one, random));
  return typeof value === "boolean" ? !value : value;
}

/** A value of this or another right call in another role. */
function withExchanged({ tool, args }: ProposedCall, { random, right }: Arsenal): ProposedCall {
  const values = right.flatMap((call) => Object.values(call.args));
  const name = random.oneOf(Object.keys(args)) ?? "";
  return { tool, args: { ...args, [name]: random.oneOf(values) ?? null } };
}

function withMore({ tool, args }: ProposedCall, arsenal: Arsenal): ProposedCall {
  const { random, rules, words } = arsenal;
  const declared = Object.keys(rules.find(({ name }) => name === tool)?.args ?? {}).filter((name) => !Object.hasOwn(args, name));
  const name = random.oneOf(random.chance(0.7) && declared.length > 0 ? declared : unknownNames) ?? "";
  const value = random.oneOf(random.chance(0.6) ? words.marks : words.request) ?? null;
  const isMany = rules.find((rule) => rule.name === tool)?.args[name]?.many === true;
  // A name such as `__proto__` must be a member here, as it is in parsed JSON.
  return { tool, args: Object.fromEntries([...Object.entries(args), [name, isMany ? [value] : value]]) };
}

const unknownNames = ["__proto__", "constructor", "toString", "Recipients", "recipients ", "to", "bcc\u200b", ""];

/** Any tool, with the values at hand for the arguments that it takes: those of the same name, words of the request, the attacker's. */
function withOtherTool({ args }: ProposedCall, { random, rules, words }: Arsenal): ProposedCall {
  const rule = random.oneOf(rules.filter(({ kind }) => kind !== "read"));
  const filled = Object.entries(rule?.args ?? {})
    .filter(([, { optional }]) => optional !== true || random.chance(0.5))
    .map(([name, { many, type }]) => {
      const word = random.oneOf([words.request, words.request, words.marks, words.state][random.below(4)] ?? []) ?? null;
      const typed = ["number", "integer"].includes(type) && Number.isFinite(Number(word)) ? Number(word) : word;
      return [name, args[name] ?? (many === true ? [typed] : typed)] as const;
    });
  return { tool: rule?.name ?? "", args: Object.fromEntries(filled) };
}

/** The right call with other words in what people read: an address of the attacker's, plain or in a roundabout way. */
function withWording({ tool, args }: ProposedCall, { random, rules, words }: Arsenal): ProposedCall {
  const rule = rules.find(({ name }) => name === tool);
  const worded = Object.keys(args).filter((name) => ["memo", "content"].includes(rule?.args[name]?.class ?? ""));
  const name = random.oneOf(worded);
  if (name === undefined) return { tool, args };
  const text = random.chance(0.7) ? disguised(random, String(random.oneOf(words.marks))) : (random.oneOf(words.texts) ?? "");
  return { tool, args: { ...args, [name]: text } };
}
