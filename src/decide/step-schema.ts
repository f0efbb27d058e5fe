import type { Json, JsonObject } from "../contract/json.ts";
import { limits } from "../contract/limits.ts";
import type { Schema } from "../contract/schema.ts";
import type { Tool } from "../contract/tool.ts";

/** What the model replies in each step: one call of a tool, or the decision. The tool may be one that is not on the list. */
export interface StepReply {
  readonly next: { readonly tool: string; readonly arguments: Json } | { readonly final: unknown };
}

/**
 * The schema of a step's reply. Arguments and decision are checked by their own schemas. A tool that is not on the list fits, so that
 * it is seen and ends the loop at once: as a misfit it would be asked for again.
 */
export function stepSchema({
  tools,
  decision,
  decisionJson,
}: {
  tools: readonly Tool[];
  decision: Schema;
  decisionJson: JsonObject;
}): Schema<StepReply> {
  const shown = shownSteps(tools, decisionJson);
  const validate = (reply: unknown) => checkReply(reply, { tools, decision });
  return {
    "~standard": { version: 1, vendor: "countersign", validate, jsonSchema: { input: () => shown, output: () => shown } },
  };
}

/** Says whether a reply ends the loop with a decision. One that names a tool beside it does not: it was let through unchecked. */
export function isFinal(next: StepReply["next"]): next is { readonly final: unknown } {
  return "final" in next && !("tool" in next);
}

type Checked = Awaited<ReturnType<Schema<StepReply>["~standard"]["validate"]>>;
type Rules = { readonly tools: readonly Tool[]; readonly decision: Schema };

async function checkReply(reply: unknown, { tools, decision }: Rules): Promise<Checked> {
  if (!isObject(reply) || !hasOnly(reply, ["next"]) || !isObject(reply["next"])) return misfit([], 'write {"next":{…}}');
  const { next } = reply;
  if (typeof next["tool"] === "string" && !tools.some((tool) => tool.name === next["tool"]))
    // Kept as it was written: only its name is ever looked at.
    return { value: { next: next as unknown as { tool: string; arguments: Json } } };
  if (hasOnly(next, ["final"])) {
    const final = await checkPart(decision, next["final"], ["next", "final"]);
    return "issues" in final ? final : { value: { next: { final: final.value } } };
  }
  const tool = tools.find((one) => one.name === next["tool"]);
  if (tool === undefined || !hasOnly(next, ["tool", "arguments"]))
    return misfit(["next"], 'write either "tool" and "arguments", or "final"');
  if (JSON.stringify(next["arguments"])?.length > limits.toolArguments)
    return misfit(["next", "arguments"], `write at most ${limits.toolArguments} characters of arguments`);
  const args = await checkPart(tool.args, next["arguments"], ["next", "arguments"]);
  // What a schema of arguments parses out of JSON is JSON: it has no transforms.
  return "issues" in args ? args : { value: { next: { tool: tool.name, arguments: args.value as Json } } };
}

type Part = { readonly value: unknown } | { readonly issues: readonly { message: string; path: readonly PropertyKey[] }[] };

async function checkPart(schema: Schema, value: unknown, path: readonly string[]): Promise<Part> {
  const result = await schema["~standard"].validate(value);
  if (result.issues === undefined) return { value: result.value };
  return {
    issues: result.issues.map((issue) => ({
      message: issue.message,
      path: [...path, ...(issue.path ?? []).map((part) => (typeof part === "object" ? part.key : part))],
    })),
  };
}

function misfit(path: readonly string[], message: string): Checked {
  return { issues: [{ message, path }] };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function hasOnly(value: object, keys: readonly string[]): boolean {
  return Object.keys(value).length === keys.length && keys.every((key) => Object.hasOwn(value, key));
}

/** The wire schema: the tools of the list, each with its own arguments, and the decision. Its root is an object, as providers want it. */
function shownSteps(tools: readonly Tool[], decisionJson: JsonObject): JsonObject {
  const choices = [
    ...tools.map(({ name, argsJson }, place) => ({
      tool: { type: "string", enum: [name] },
      arguments: placed(argsJson, `/properties/next/anyOf/${place}/properties/arguments`),
    })),
    { final: placed(decisionJson, `/properties/next/anyOf/${tools.length}/properties/final`) },
  ];
  return closedObject({ next: { anyOf: choices.map(closedObject) } });
}

function closedObject(properties: JsonObject): JsonObject {
  return { type: "object", properties, required: Object.keys(properties), additionalProperties: false };
}

/** A schema at a place within another one: what points into it points there now. */
function placed(schema: JsonObject, pointer: string): JsonObject {
  const { $schema: _, ...rest } = schema;
  return moved(rest, pointer) as JsonObject; // an object stays one
}

/** Values of these keywords are data, in which nothing points. */
const dataKeywords: readonly string[] = ["const", "enum", "default", "examples"];

function moved(value: Json, pointer: string): Json {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => moved(item, pointer));
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      if (key === "$ref" && typeof member === "string" && member.startsWith("#")) return [key, `#${pointer}${member.slice(1)}`];
      return [key, dataKeywords.includes(key) ? member : moved(member, pointer)];
    }),
  );
}
