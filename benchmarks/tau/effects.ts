/** The writing tools as effects. Pure: both halves load them. */
import { createHash } from "node:crypto";
import { z } from "zod";
import type { Snapshot } from "../../src/contract/effect.ts";
import { canonicalJson, type JsonObject } from "../../src/contract/json.ts";
import type { Schema } from "../../src/contract/schema.ts";
import type { ParamClass } from "../../src/contract/words.ts";
import { type DefinedEffect, defineEffect } from "../../src/define/effect.ts";
import { type Domain, domains, toolsOf } from "./domains.ts";
import { type Asked, bookOf, isOwn, type Scope, targetOf } from "./scope.ts";
import type { Outcome, Tool } from "./tool.ts";

/** The query that reads what a write is about. */
export const scopeQuery = "tau.scope";

/** One effect with the tool whose contract it is. */
export interface ToolEffect {
  readonly domain: Domain;
  readonly tool: Tool;
  readonly effect: DefinedEffect<JsonObject>;
}

/** The writing tools of every business as effects. */
export function toolEffects(): readonly ToolEffect[] {
  return domains.flatMap((domain) =>
    [...toolsOf(domain, { repeatsFault: false }).values()]
      .filter(({ writes }) => writes)
      .map((tool) => ({ domain, tool, effect: effectOf(tool) })),
  );
}

/** The arguments of a tool among the params of its effect. */
export function argsOf(params: JsonObject): JsonObject {
  const { customer: _, revision: __, ...args } = params;
  return args;
}

/** The state of a scope as effects see it. */
export function snapshotOf({ revision, documents }: Scope): Snapshot {
  return { version: revision, ...documents };
}

function effectOf(tool: Tool): DefinedEffect<JsonObject> {
  const form = tool.form.extend({ customer: z.string().max(100), revision: z.string().max(100) });
  const askedOf = (params: JsonObject): Asked => ({ tool: tool.name, args: argsOf(params) });
  const outcomeOn = (params: JsonObject, before: Snapshot): Outcome => tool.call(argsOf(params), bookOf(documentsOf(before)));
  const rules = Object.keys(form.shape).map((name) => [name, { class: classOf(name), sources: sourcesOf(name) }] as const);
  return defineEffect<JsonObject>({
    name: tool.name,
    version: "1",
    owner: "service-desk",
    // A strict object of a tool's arguments is plain JSON; its type is known to the tool alone.
    params: form as unknown as Schema<JsonObject>,
    paramRules: Object.fromEntries(rules),
    sideEffect: "mutating",
    risk: "medium",
    reversible: false,
    describe: (params) => sentenceOf(askedOf(params)),
    // One change of one thing in one state: what asks for another change of that state conflicts, what asks again is the same.
    key: (params) => `${tool.name}:${shortHash(targetOf(askedOf(params)))}:${String(params["revision"])}`,
    dedupe: "key",
    settleMs: 1_000,
    requires: [
      {
        name: "belongs_to_customer",
        holds: (params, before) => isOwn(documentsOf(before), { asked: askedOf(params), customer: String(params["customer"]) }),
      },
      { name: "state_of_revision", holds: ({ revision }, before) => before?.["version"] === revision },
      { name: "contract_allows", holds: (params, before) => outcomeOn(params, before).kind === "ok" },
    ],
    before: {
      query: scopeQuery,
      params: (params) => ({ tool: tool.name, args: argsOf(params) }),
      project: ([row]) => (row === undefined ? null : snapshotOf(row as unknown as Scope)), // the query answers with a scope
    },
    expect: {
      state: (params, before) => {
        const outcome = outcomeOn(params, before);
        return outcome.kind === "ok" ? Object.fromEntries(outcome.changes) : {};
      },
      mayChange: ["version"],
      deadlineMs: 60_000,
    },
  });
}

function documentsOf(snapshot: Snapshot): Scope["documents"] {
  const { version: _, ...documents } = snapshot ?? {};
  return documents as Scope["documents"]; // made by `snapshotOf`
}

function classOf(name: string): ParamClass {
  if (name === "amount" || name === "total_baggages" || name === "nonfree_baggages") return "amount";
  if (name === "reason") return "memo";
  return /_id$|_ids$|^customer$/.test(name) ? "target" : "param";
}

function sourcesOf(name: string) {
  return name === "revision" ? (["record"] as const) : (["principal"] as const);
}

function sentenceOf({ tool, args }: Asked): string {
  // By name: params come back from the book in canonical order, and the sentence must be the same.
  const said = Object.entries(args)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${name.replaceAll("_", " ")} ${typeof value === "string" ? value : canonicalJson(value)}`);
  return `${tool.replaceAll("_", " ")}: ${said.join(", ")}`;
}

/** Keys stand in the clear, and ids of people are names here. */
function shortHash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
