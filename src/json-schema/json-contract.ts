/**
 * Contracts from elsewhere: a JSON Schema (draft 2020-12 or 7) that somebody else wrote, as one of our schemas.
 * It is read with suspicion: bounded in size, depth, steps and time; nothing is fetched and nothing of it is run as code. What it says
 * and we do not understand is refused, never passed over.
 */
import type { StandardSchemaV1 } from "@standard-schema/spec";
import { CountersignError, messageOf } from "../contract/errors.ts";
import { deepFreeze, type Json, type JsonObject } from "../contract/json.ts";
import type { Schema } from "../contract/schema.ts";
import { evaluate, LimitReached, startFrame } from "./evaluate.ts";
import { inspectJson, isRecord } from "./json-value.ts";
import type { Draft } from "./keywords.ts";
import { linkTree } from "./link.ts";
import type { SchemaNode, SchemaObject } from "./node.ts";
import { PatternWorkReached, plainTextLength, readPattern } from "./pattern.ts";
import { readTree, type SchemaTree, unreadable } from "./schema-tree.ts";
import { timeLimited } from "./time-limit.ts";

/** Longest JSON text of a schema, in UTF-16 code units. */
const maxSchemaText = 256 * 1024;
/** Longest time that a value is checked where patterns may be slow, in milliseconds. */
const checkMs = 100;
/** What plain patterns may cost without a time limit, in comparisons of a character: some 20 milliseconds. */
const quickPatternWork = 10_000_000;

/**
 * Reads a JSON Schema as a schema of ours; one that names no draft in `$schema` is of 2020-12. `format` is a remark, as both drafts have it.
 * Throws `definition_invalid` for a schema that is too large, refers to others, or says what is not understood.
 * @example
 * const args = jsonContract({ type: "object", properties: { order: { type: "string" } }, required: ["order"] });
 * const orderById = defineTool({
 *   name: "order_by_id", description: "Reads one order.", sideEffect: "read", args,
 *   need: (order) => ({ kind: "records", query: "orders.byId", params: order as JsonObject, maxAgeMs: 0 }),
 * });
 */
export function jsonContract(
  schema: JsonObject | boolean,
  { draftWithoutName = "2020-12" }: { draftWithoutName?: Draft } = {},
): Schema<Json> {
  const raw = ownCopy(schema);
  const tree = readTree(raw, draftOf(raw, draftWithoutName));
  linkTree(tree);
  const validate = validatorOf(tree);
  // A boolean has no room for keywords; `{}` and `{ not: {} }` say the same.
  const shown: JsonObject = raw === true ? {} : raw === false ? { not: {} } : raw;
  return {
    "~standard": { version: 1, vendor: "countersign", validate, jsonSchema: { input: () => shown, output: () => shown } },
  };
}

/** A copy that nobody else holds, with no part in two places. */
function ownCopy(schema: unknown): SchemaObject | boolean {
  const inspected = inspectJson(schema);
  if (inspected.kind === "refused") throw unreadable("", `it ${inspected.problem}`);
  const text = JSON.stringify(inspected.value);
  if (text.length > maxSchemaText) throw unreadable("", `its text is longer than ${maxSchemaText} characters`);
  const copy: Json = deepFreeze(JSON.parse(text) as Json); // made from the same value a line above
  if (typeof copy !== "boolean" && !isRecord(copy)) throw unreadable("", "must stand a schema: an object, `true` or `false`");
  return copy;
}

const drafts: ReadonlyMap<string, Draft> = new Map([
  ["https://json-schema.org/draft/2020-12/schema", "2020-12"],
  ["http://json-schema.org/draft-07/schema", "7"],
]);

function draftOf(raw: SchemaObject | boolean, draftWithoutName: Draft): Draft {
  const named = typeof raw === "boolean" ? undefined : raw["$schema"];
  if (named === undefined) return draftWithoutName;
  const draft = drafts.get(
    String(named)
      .replace(/#$/, "")
      .replace(/^https(:.*draft-07)/, "http$1"),
  );
  if (draft === undefined) throw unreadable("/$schema", "stands a draft that is not understood; 2020-12 and draft 7 are");
  return draft;
}

function validatorOf({ root, nodes }: SchemaTree): (value: unknown) => StandardSchemaV1.Result<Json> {
  const tracksMarks = nodes.some(({ raw }) => has(raw, "unevaluatedItems") || has(raw, "unevaluatedProperties"));
  const patterns = nodes.flatMap(({ raw }) => patternsOf(raw)).map(readPattern);
  const isPlain = patterns.every((pattern) => typeof pattern !== "string" && pattern.isPlain);
  const limited = patterns.length === 0 ? null : timeLimited(checkMs);
  return (value) => {
    const inspected = inspectJson(value);
    if (inspected.kind === "refused") return { issues: [{ message: inspected.problem, path: [] }] };
    const work = (patternWork: number) => () => check(root, inspected.value, { tracksMarks, patternWork });
    const unlimited = work(Number.POSITIVE_INFINITY);
    const isQuick = isPlain && inspected.longestText <= plainTextLength;
    try {
      if (limited === null) return unlimited();
      return isQuick ? quickly(work(quickPatternWork), () => limited(unlimited)) : limited(unlimited);
    } catch (thrown) {
      // Fail closed: what could not be checked to the end does not fit.
      if (thrown instanceof LimitReached || thrown instanceof RangeError)
        return { issues: [{ message: "could not be checked within its limits", path: [] }] };
      throw new CountersignError("internal", `a JSON Schema failed: ${messageOf(thrown)}`, { cause: thrown });
    }
  };
}

/** Most of the checks with patterns need no time limit, which costs more than they do. */
function quickly<T>(work: () => T, otherwise: () => T): T {
  try {
    return work();
  } catch (thrown) {
    if (thrown instanceof PatternWorkReached) return otherwise();
    throw thrown;
  }
}

function check(
  root: SchemaNode,
  value: Json,
  limits: { tracksMarks: boolean; patternWork: number },
): StandardSchemaV1.Result<Json> {
  const frame = startFrame(root, limits);
  return evaluate(root, value, frame) ? { value } : { issues: frame.run.issues };
}

function has(raw: SchemaObject | boolean, keyword: string): boolean {
  return typeof raw !== "boolean" && Object.hasOwn(raw, keyword);
}

function patternsOf(raw: SchemaObject | boolean): readonly string[] {
  if (typeof raw === "boolean") return [];
  const byName = raw["patternProperties"] ?? null;
  return [...(typeof raw["pattern"] === "string" ? [raw["pattern"]] : []), ...(isRecord(byName) ? Object.keys(byName) : [])];
}
