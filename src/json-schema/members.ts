import type { Json } from "../contract/json.ts";
import type { Applying, NodeOf } from "./applicators.ts";
import { enterMember, evaluate, misfit, spend } from "./evaluate.ts";
import { isList, isRecord } from "./json-value.ts";
import type { Check, Frame, SchemaNode } from "./node.ts";
import { type Pattern, readPattern } from "./pattern.ts";

/** Keywords whose subschemas look at the members of a value. */
export const memberKeywords: Readonly<Record<string, (applying: Applying) => Check>> = {
  properties: ({ value, nodeOf }) => {
    const nodes = [...mapOf(value, nodeOf)];
    return ofRecord((given, frame) => {
      let fits = true;
      for (const [key, node] of nodes) {
        spend(frame.run);
        if (Object.hasOwn(given, key) && !look(node, { given, key }, frame)) fits = false;
      }
      return fits;
    });
  },
  patternProperties: ({ value, nodeOf }) => {
    const nodes = patternsOf(value).map((pattern) => ({ ...pattern, node: nodeOf(pattern.raw) }));
    return ofRecord((given, frame) => {
      let fits = true;
      for (const key of Object.keys(given)) {
        for (const { matches, node } of nodes) {
          spend(frame.run);
          if (matches(key, frame.run) && !look(node, { given, key }, frame)) fits = false;
        }
      }
      return fits;
    });
  },
  additionalProperties: ({ value, beside, nodeOf }) => {
    const node = nodeOf(value);
    const named = new Set(Object.keys(isRecord(beside["properties"] ?? null) ? (beside["properties"] ?? {}) : {}));
    const patterns = patternsOf(beside["patternProperties"] ?? {});
    return eachKey(node, (key, { run }) => !named.has(key) && !patterns.some(({ matches }) => matches(key, run)));
  },
  propertyNames: ({ value, nodeOf }) => {
    const node = nodeOf(value);
    return ofRecord((given, frame) => {
      const strange = Object.keys(given).filter((key) => !evaluate(node, key, enterMember(frame, node, { key, isSilent: true })));
      return strange.length === 0 || misfit(frame, `has ${strange.length} properties whose names are not allowed`);
    });
  },
  unevaluatedProperties: ({ value, nodeOf }) => eachKey(nodeOf(value), (key, frame) => frame.marks?.keys.has(key) !== true),
  prefixItems: ({ value, nodeOf }) => eachPrefix(value, nodeOf),
  items: ({ value, beside, nodeOf }) => {
    if (isList(value)) return eachPrefix(value, nodeOf);
    const prefix = isList(beside["prefixItems"] ?? null) ? Number(Object.keys(beside["prefixItems"] ?? []).length) : 0;
    return eachItem(nodeOf(value), (place) => place >= prefix);
  },
  additionalItems: ({ value, beside, nodeOf }) => {
    const prefix = beside["items"] ?? null;
    return isList(prefix) ? eachItem(nodeOf(value), (place) => place >= prefix.length) : () => true;
  },
  contains: ({ value, beside, nodeOf }) => {
    const node = nodeOf(value);
    const [least, most] = [Number(beside["minContains"] ?? 1), Number(beside["maxContains"] ?? Number.POSITIVE_INFINITY)];
    return (given, frame) => {
      if (!isList(given)) return true;
      const found = given.filter((_, place) => look(node, { given, key: place, isSilent: true }, frame)).length;
      return (found >= least && found <= most) || misfit(frame, `has ${found} of the items that it must contain`);
    };
  },
  unevaluatedItems: ({ value, nodeOf }) => eachItem(nodeOf(value), (place, frame) => frame.marks?.places.has(place) !== true),
};

/** A pattern of `patternProperties` with its subschema. */
function patternsOf(value: Json): readonly { raw: Json; matches: Pattern["matches"] }[] {
  return Object.entries(isRecord(value) ? value : {}).map(([source, raw]) => {
    const pattern = readPattern(source);
    // `keywords.ts` has read it before.
    return { raw, matches: typeof pattern === "string" ? () => true : pattern.matches };
  });
}

/** Looks at one member; a member that fits is marked as looked at. */
function look(
  node: SchemaNode,
  { given, key, isSilent = false }: { given: Json; key: string | number; isSilent?: boolean },
  frame: Frame,
): boolean {
  const member = memberOf(given, key);
  const fits = evaluate(node, member, enterMember(frame, node, { key, isSilent: isSilent || frame.isSilent }));
  if (fits && typeof key === "string") frame.marks?.keys.add(key);
  if (fits && typeof key === "number") frame.marks?.places.add(key);
  return fits;
}

function memberOf(given: Json, key: string | number): Json {
  if (isList(given)) return given[Number(key)] ?? null;
  return isRecord(given) ? (given[key] ?? null) : null;
}

function eachKey(node: SchemaNode, isMeant: (key: string, frame: Frame) => boolean): Check {
  return ofRecord((given, frame) => {
    let fits = true;
    for (const key of Object.keys(given)) {
      spend(frame.run);
      if (!isMeant(key, frame)) continue;
      if (node.raw === false) fits = misfit(frame, `has the property \`${key.slice(0, 100)}\`, which is not allowed`);
      else if (!look(node, { given, key }, frame)) fits = false;
    }
    return fits;
  });
}

function eachItem(node: SchemaNode, isMeant: (place: number, frame: Frame) => boolean): Check {
  return (given, frame) => {
    if (!isList(given)) return true;
    let fits = true;
    for (let place = 0; place < given.length; place += 1) {
      spend(frame.run);
      if (isMeant(place, frame) && !look(node, { given, key: place }, frame)) fits = false;
    }
    return fits;
  };
}

function eachPrefix(value: Json, nodeOf: NodeOf): Check {
  const nodes = isList(value) ? value.map(nodeOf) : [];
  return (given, frame) => {
    if (!isList(given)) return true;
    let fits = true;
    for (const [place, node] of nodes.entries()) {
      if (place >= given.length) break;
      if (!look(node, { given, key: place }, frame)) fits = false;
    }
    return fits;
  };
}

function ofRecord(check: (given: { readonly [key: string]: Json }, frame: Frame) => boolean): Check {
  return (given, frame) => !isRecord(given) || check(given, frame);
}

function mapOf(value: Json, nodeOf: NodeOf): ReadonlyMap<string, SchemaNode> {
  return new Map(Object.entries(isRecord(value) ? value : {}).map(([key, raw]) => [key, nodeOf(raw)]));
}
