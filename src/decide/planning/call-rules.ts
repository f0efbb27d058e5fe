import type { Capability } from "../../contract/capability.ts";
import type { AnyEffect } from "../../contract/effect.ts";
import type { ArgRule, CallRule } from "../../contract/plan.ts";
import type { Tool } from "../../contract/tool.ts";

/** What a plan of this capability may call: the tools of its loop, and its effects. */
export function callRulesOf({ deciding, effects }: Pick<Capability, "deciding" | "effects">): readonly CallRule[] {
  const tools = deciding.kind === "loop" ? deciding.tools : [];
  return [...tools.map(ruleOfTool), ...effects.map(ruleOfEffect)];
}

/** What a tool returns is labelled by the records themselves. */
function ruleOfTool({ name, description, argsJson, argRules = {} }: Tool): CallRule {
  const taken = Object.keys((argsJson["properties"] ?? {}) as object); // an object's schema, as `defineTool` holds it to
  const required = Array.isArray(argsJson["required"]) ? argsJson["required"] : [];
  const args = taken.map((arg): [string, ArgRule] => {
    const rule = argRules[arg] ?? { class: "target", type: "text" };
    return [arg, required.includes(arg) ? rule : { ...rule, optional: true }];
  });
  return { name, description, kind: "read", space: "own", reversible: true, args: Object.fromEntries(args), fields: {} };
}

function ruleOfEffect({ name, paramRules, sideEffect, reversible }: AnyEffect): CallRule {
  const args = Object.entries(paramRules).map(([param, { sources: _, type = "text", ...rule }]): [string, ArgRule] => [
    param,
    { ...rule, type },
  ]);
  const space = sideEffect === "external" ? "external" : "own";
  const description = `Proposes the effect ${name}.`;
  return { name, description, kind: "write", space, reversible, args: Object.fromEntries(args), fields: {} };
}
