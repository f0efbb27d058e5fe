import type { Json } from "../contract/json.ts";
import { enter, evaluate, join, spend } from "./evaluate.ts";
import { isList, isRecord } from "./json-value.ts";
import type { Check, Frame, Resource, SchemaNode, Scope } from "./node.ts";
import { nodeAt, resolveUri, type SchemaTree, unreadable } from "./schema-tree.ts";

/** The check of `$ref`: the value must fit the subschema that it leads to. Throws `definition_invalid` where it leads nowhere. */
export function checkReference(tree: SchemaTree, node: SchemaNode, reference: string): Check {
  const { target } = lookUp(tree, node, { keyword: "$ref", reference });
  return (value, frame) => follow(target, value, frame);
}

/** The check of `$dynamicRef`: the outermost resource that was entered and has the dynamic anchor says what it leads to. */
export function checkDynamicReference(tree: SchemaTree, node: SchemaNode, reference: string): Check {
  const { target, fragment } = lookUp(tree, node, { keyword: "$dynamicRef", reference });
  const isDynamic = target.resource.dynamicAnchors.get(fragment) === target;
  return (value, frame) => follow(isDynamic ? outermost(frame, fragment, target) : target, value, frame);
}

function follow(target: SchemaNode, value: Json, frame: Frame): boolean {
  const own = enter(frame, target);
  const fits = evaluate(target, value, own);
  if (fits) join(frame, own);
  return fits;
}

function outermost({ scope, run }: Frame, anchor: string, target: SchemaNode): SchemaNode {
  let found = target;
  for (let at: Scope | null = scope; at !== null; at = at.outer) {
    spend(run);
    found = at.resource.dynamicAnchors.get(anchor) ?? found;
  }
  return found;
}

interface Named {
  readonly keyword: string;
  readonly reference: string;
}

function lookUp(tree: SchemaTree, node: SchemaNode, { keyword, reference }: Named): { target: SchemaNode; fragment: string } {
  const place = `${node.place}/${keyword}`;
  const uri = resolveUri(reference, node.resource.uri);
  const resource = uri === null ? undefined : tree.resources.get(uri.base);
  if (uri === null || resource === undefined)
    throw unreadable(place, "stands a reference to another schema; nothing is fetched, so put it into `$defs`");
  const { fragment } = uri;
  const target =
    fragment === "" || fragment.startsWith("/") ? byPointer(tree, resource, { fragment, place }) : resource.anchors.get(fragment);
  if (target === undefined) throw unreadable(place, "stands a reference that leads nowhere");
  return { target, fragment };
}

/** The subschema at a JSON pointer within a resource, also at a place that no keyword holds as a schema. */
function byPointer(tree: SchemaTree, start: Resource, { fragment, place }: { fragment: string; place: string }): SchemaNode {
  let raw: Json | undefined = start.raw;
  let resource = start;
  for (const key of fragment.split("/").slice(1).map(unescaped)) {
    raw = memberOf(raw, key);
    if (raw === undefined) throw unreadable(place, "stands a reference that leads nowhere");
    resource = tree.nodeOf.get(raw)?.resource ?? resource;
  }
  return nodeAt(tree, raw, { place: fragment, resource, depth: 0 });
}

function memberOf(raw: Json, key: string): Json | undefined {
  if (isList(raw)) return /^(0|[1-9]\d*)$/.test(key) ? raw[Number(key)] : undefined;
  return isRecord(raw) && Object.hasOwn(raw, key) ? raw[key] : undefined;
}

function unescaped(token: string): string {
  return token.replaceAll("~1", "/").replaceAll("~0", "~");
}
