import type { Json } from "../contract/json.ts";
import { requiring, textsOf } from "./assertions.ts";
import { enter, evaluate, join, misfit, spend } from "./evaluate.ts";
import { isList, isRecord } from "./json-value.ts";
import type { Check, Frame, SchemaNode } from "./node.ts";

/** Gives the subschema at a keyword's value. */
export type NodeOf = (raw: Json) => SchemaNode;
/** What a keyword's check is made from; `beside` are the other keywords of its subschema. */
export interface Applying {
  readonly value: Json;
  readonly beside: { readonly [keyword: string]: Json };
  readonly nodeOf: NodeOf;
}

/** Keywords whose subschemas look at the same value. */
export const applicators: Readonly<Record<string, (applying: Applying) => Check>> = {
  allOf: ({ value, nodeOf }) => {
    const nodes = listOf(value, nodeOf);
    return (given, frame) => {
      let fits = true;
      for (const node of nodes) {
        if (!apply(node, given, frame)) fits = false;
        if (!fits && frame.isSilent) return false;
      }
      return fits;
    };
  },
  anyOf: ({ value, nodeOf }) => {
    const nodes = listOf(value, nodeOf);
    return (given, frame) => {
      let fits = false;
      for (const node of nodes) {
        if (ask(node, given, frame)) fits = true;
        // All that fit say what they looked at.
        if (fits && frame.marks === null) return true;
      }
      return fits || misfit(frame, `must fit at least one of ${nodes.length} alternatives`);
    };
  },
  oneOf: ({ value, nodeOf }) => {
    const nodes = listOf(value, nodeOf);
    return (given, frame) => {
      let fitting = 0;
      for (const node of nodes) {
        if (ask(node, given, frame)) fitting += 1;
        if (fitting > 1) break;
      }
      return fitting === 1 || misfit(frame, `must fit exactly one of ${nodes.length} alternatives`);
    };
  },
  not: ({ value, nodeOf }) => {
    const node = nodeOf(value);
    return (given, frame) =>
      !evaluate(node, given, enter(frame, node, { isSilent: true })) || misfit(frame, "must not have this form");
  },
  if: ({ value, beside, nodeOf }) => {
    const condition = nodeOf(value);
    const [then, otherwise] = [beside["then"], beside["else"]].map((raw) => (raw === undefined ? null : nodeOf(raw)));
    return (given, frame) => {
      const next = ask(condition, given, frame) ? then : otherwise;
      return next === null || next === undefined || apply(next, given, frame);
    };
  },
  dependentSchemas: ({ value, nodeOf }) => depending(Object.entries(isRecord(value) ? value : {}), nodeOf),
  dependencies: ({ value, nodeOf }) => depending(Object.entries(isRecord(value) ? value : {}), nodeOf),
};

/** Applies a subschema to the same value, and takes over what it looked at. */
function apply(node: SchemaNode, given: Json, frame: Frame): boolean {
  const own = enter(frame, node);
  const fits = evaluate(node, given, own);
  if (fits) join(frame, own);
  return fits;
}

/** The same as a question: a misfit is no issue. */
function ask(node: SchemaNode, given: Json, frame: Frame): boolean {
  const own = enter(frame, node, { isSilent: true });
  const fits = evaluate(node, given, own);
  if (fits) join(frame, own);
  return fits;
}

function listOf(value: Json, nodeOf: NodeOf): readonly SchemaNode[] {
  return isList(value) ? value.map(nodeOf) : [];
}

function depending(entries: readonly (readonly [string, Json])[], nodeOf: NodeOf): Check {
  const parts = entries.map(([key, raw]): { key: string; check: Check } => {
    if (isList(raw)) return { key, check: requiring(textsOf(raw)) };
    const node = nodeOf(raw);
    return { key, check: (given, frame) => apply(node, given, frame) };
  });
  return (given, frame) => {
    if (!isRecord(given)) return true;
    let fits = true;
    for (const { key, check } of parts) {
      spend(frame.run);
      if (Object.hasOwn(given, key) && !check(given, frame)) fits = false;
    }
    return fits;
  };
}
