/** Are the declarations those of the set's tools, and is no place where a stranger's text can stand called anything but `third`, but for the
 * places that they take for the house's own? */
import { type Json, type JsonObject, leavesOf } from "../../src/contract/json.ts";
import type { CallRule } from "../../src/contract/plan.ts";
import { labeller } from "../../src/guard/provenance/labels.ts";
import { type Tally, tallyOf } from "../tau/tally.ts";
import { ownPlaces } from "./declarations/own-places.ts";
import { rulesOf } from "./declarations/rules.ts";
import { poisoned } from "./environment.ts";
import { fieldsOf } from "./labels.ts";
import type { Environment } from "./parts.ts";
import type { DojoSet } from "./read-set.ts";
import type { ListedTool, Suite } from "./suite.ts";
import type { Tool } from "./tool.ts";

/** How far the declarations agree with the set. */
export interface Declared {
  /** Tools with exactly the listed arguments, the same of them optional, and as a write or a send where the set says so. */
  readonly tools: Tally;
  /** Leaves of results that hold a stranger's text: labelled `third`. */
  readonly strangers: Tally;
}

/** Compares the declarations of all suites with the set; calls every tool on marked texts, with every word that may find something. */
export function compareDeclared({ suites }: Pick<DojoSet, "suites">): Declared {
  const listed = Object.values(suites).flatMap((suite) => suite.listed.map((tool) => ({ suite, tool })));
  const extra = Object.values(suites).flatMap((suite) =>
    rulesOf[suite.name]
      .filter(({ name }) => !suite.listed.some((tool) => tool.name === name))
      .map(({ name }) => `${suite.name}/${name}`),
  );
  const leaves = Object.values(suites).flatMap(markedLeaves);
  return {
    tools: tallyOf(
      [
        ...listed.map(({ suite, tool }) => ({
          id: `${suite.name}/${tool.name}`,
          isSame: isDeclared(ruleOf(suite, tool.name), tool),
        })),
        ...extra.map((id) => ({ id, isSame: false })),
      ],
      ({ id, isSame }) => [id, isSame],
    ),
    strangers: tallyOf(leaves, ({ id, isThird }) => [id, isThird]),
  };
}

const mark = "[a stranger's text]";

function markedLeaves(suite: Suite): readonly { readonly id: string; readonly isThird: boolean }[] {
  const strangers = [...suite.vectors.keys()].filter((name) => !ownPlaces.has(name));
  const marked = poisoned(suite, Object.fromEntries(strangers.map((name) => [name, mark])));
  const words = wordsOf(marked);
  const leaves = suite.listed.flatMap(({ name, parameters }) => {
    const rule = ruleOf(suite, name);
    const tool = suite.tools.get(name);
    return rule === undefined || tool === undefined
      ? []
      : argsFrom(words, parameters).flatMap((args) => leavesOfCall({ suite, rule, tool, marked }, args));
  });
  const wrong = new Set(leaves.filter(({ isThird }) => !isThird).map(({ id }) => id));
  return [...new Set(leaves.map(({ id }) => id))].map((id) => ({ id, isThird: !wrong.has(id) }));
}

function leavesOfCall(
  { suite, rule, tool, marked }: { suite: Suite; rule: CallRule; tool: Tool; marked: Environment },
  args: JsonObject,
): readonly { readonly id: string; readonly isThird: boolean }[] {
  const outcome = tool.call(marked, args);
  if (outcome.kind !== "ok") return [];
  const { result } = outcome;
  const fields = fieldsOf(rule, { result, environment: marked });
  return leavesOf(result)
    .filter(({ value }) => typeof value === "string" && value.includes(mark))
    .map(({ pointer }) => ({
      id: `${suite.name}/${rule.name}${pointer}`,
      isThird: labeller({ fields }, result)(pointer) === "third",
    }));
}

/** Everything that is a name, an id or a text somewhere, days of times, and the empty word that every text holds. */
function wordsOf(environment: Environment): readonly string[] {
  const keys = (value: Json): string[] =>
    typeof value === "object" && value !== null
      ? Object.entries(value).flatMap(([key, member]) => [key, ...keys(member)])
      : typeof value === "string" && !value.includes("\n")
        ? [value, value.slice(0, 10)]
        : [];
  return [...new Set(["", ...keys(environment as Json)])]; // it was parsed from JSON
}

/** The same word for each argument that must be given; for a list of names the list of all words. */
function argsFrom(words: readonly string[], { properties, required }: ListedTool["parameters"]): readonly JsonObject[] {
  const filled = (word: string): JsonObject =>
    Object.fromEntries(required.map((name) => [name, isArray(properties[name]) ? [...words] : word]));
  return required.length === 0 ? [{}] : words.map(filled);
}

function isArray(property: unknown): boolean {
  return typeof property === "object" && property !== null && "type" in property && property.type === "array";
}

function ruleOf(suite: Suite, tool: string): CallRule | undefined {
  return rulesOf[suite.name].find(({ name }) => name === tool);
}

function isDeclared(rule: CallRule | undefined, listed: ListedTool): boolean {
  if (rule === undefined) return false;
  const { properties, required } = listed.parameters;
  const isSameNames = Object.keys(rule.args).sort().join() === Object.keys(properties).sort().join();
  const isSameOptional = Object.entries(rule.args).every(
    ([name, { optional }]) => (optional === true) !== required.includes(name),
  );
  const kind = listed.class === "write" ? "write" : listed.egress ? "send" : "read";
  // What leaves the house is external; the set leaves open where else an act reaches.
  return isSameNames && isSameOptional && rule.kind === kind && (!listed.egress || rule.space === "external");
}
