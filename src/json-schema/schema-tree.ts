import { CountersignError } from "../contract/errors.ts";
import type { Json } from "../contract/json.ts";
import { isList, isRecord } from "./json-value.ts";
import { type Draft, foreignKeywords, type Holds, keywords } from "./keywords.ts";
import type { Resource, SchemaNode, SchemaObject } from "./node.ts";

/** Subschemas that one schema may hold. */
const maxNodes = 5_000;
/** Subschemas within subschemas. */
const maxDepth = 64;
/** Where a schema without `$id` is said to be. Nothing is ever fetched. */
const nowhere = "schema://contract/";

/** All subschemas of a schema, and how references find them. */
export interface SchemaTree {
  readonly draft: Draft;
  readonly root: SchemaNode;
  /** Grows while references lead to places that no keyword holds as a schema. */
  readonly nodes: SchemaNode[];
  readonly nodeOf: Map<Json, SchemaNode>;
  readonly resources: Map<string, Resource>;
}

interface At {
  readonly place: string;
  readonly resource: Resource;
  readonly depth: number;
}

/** Reads a schema into its subschemas and checks the form of every keyword. Throws `definition_invalid`. */
export function readTree(raw: SchemaObject | boolean, draft: Draft): SchemaTree {
  const resource: Resource = { uri: nowhere, raw, anchors: new Map(), dynamicAnchors: new Map() };
  const tree = { draft, nodes: [], nodeOf: new Map(), resources: new Map([[nowhere, resource]]) };
  return { ...tree, root: addNode(tree, raw, { place: "", resource, depth: 0 }) };
}

/** The subschema that stands at a keyword's value: the same one each time. */
export function nodeAt(tree: Omit<SchemaTree, "root">, raw: Json, at: At): SchemaNode {
  return tree.nodeOf.get(raw) ?? addNode(tree, raw, at);
}

/** The error for a schema that cannot be read, with the place that is to blame. */
export function unreadable(place: string, problem: string): CountersignError {
  const message = `the JSON Schema cannot be used: at \`${place === "" ? "/" : place.slice(0, 200)}\` ${problem}`;
  return new CountersignError("definition_invalid", message, { facts: { place: place.slice(0, 200) } });
}

function addNode(tree: Omit<SchemaTree, "root">, raw: Json, at: At): SchemaNode {
  if (typeof raw !== "boolean" && !isRecord(raw)) throw unreadable(at.place, "must stand a schema: an object, `true` or `false`");
  if (tree.nodes.length >= maxNodes) throw unreadable(at.place, `it holds more than ${maxNodes} subschemas`);
  if (at.depth > maxDepth) throw unreadable(at.place, `it is nested deeper than ${maxDepth} subschemas`);
  const resource = typeof raw === "boolean" ? at.resource : resourceOf(tree, raw, at);
  const node: SchemaNode = { place: at.place, raw, resource, checks: [] };
  tree.nodes.push(node);
  if (typeof raw === "boolean") return node;
  tree.nodeOf.set(raw, node);
  addAnchors(tree.draft, raw, node);
  for (const [keyword, value] of Object.entries(raw)) addMembers(tree, { keyword, value }, { ...at, resource });
  return node;
}

/** The resource that a subschema belongs to: one of its own where it has an `$id`. */
function resourceOf(tree: Omit<SchemaTree, "root">, raw: SchemaObject, { place, resource }: At): Resource {
  const id = raw["$id"];
  const isHidden = tree.draft === "7" && raw["$ref"] !== undefined;
  if (typeof id !== "string" || isHidden || (tree.draft === "7" && id.startsWith("#"))) return resource;
  const uri = resolveUri(id, resource.uri);
  if (uri === null || (uri.fragment !== "" && tree.draft === "2020-12"))
    throw unreadable(`${place}/$id`, "must stand a URI without a fragment");
  const own: Resource = { uri: uri.base, raw, anchors: new Map(), dynamicAnchors: new Map() };
  if (tree.resources.has(uri.base)) throw unreadable(`${place}/$id`, "stands a URI that another subschema has");
  tree.resources.set(uri.base, own);
  return own;
}

function addAnchors(draft: Draft, raw: SchemaObject, node: SchemaNode): void {
  const id = raw["$id"];
  const old = draft === "7" && raw["$ref"] === undefined && typeof id === "string" ? (id.split("#")[1] ?? "") : "";
  for (const name of draft === "7" ? [old] : [raw["$anchor"], raw["$dynamicAnchor"]]) {
    if (typeof name !== "string" || name === "") continue;
    if (node.resource.anchors.has(name)) throw unreadable(node.place, "has an anchor that another subschema has");
    node.resource.anchors.set(name, node);
    if (draft === "2020-12" && name === raw["$dynamicAnchor"]) node.resource.dynamicAnchors.set(name, node);
  }
}

function addMembers(tree: Omit<SchemaTree, "root">, { keyword, value }: { keyword: string; value: Json }, at: At): void {
  const place = `${at.place}/${escaped(keyword)}`;
  if (keyword === "$schema" && at.place !== "") throw unreadable(place, "stands a draft; only the whole schema has one");
  if (foreignKeywords[tree.draft].includes(keyword))
    throw unreadable(place, `stands a keyword that draft ${tree.draft} does not have, so nothing would hold it`);
  const known = keywords[keyword];
  if (known === undefined || !known.drafts.includes(tree.draft)) return;
  const problem = known.problem(value);
  if (problem !== null) throw unreadable(place, problem);
  if (tree.draft === "2020-12" && keyword === "items" && isList(value))
    throw unreadable(place, "must stand a schema; a list of schemas is `prefixItems` in this draft");
  for (const [key, raw] of membersOf(known.holds, value)) {
    addNode(tree, raw, { ...at, place: key === null ? place : `${place}/${escaped(key)}`, depth: at.depth + 1 });
  }
}

function membersOf(holds: Holds, value: Json): readonly (readonly [key: string | null, raw: Json])[] {
  switch (holds) {
    case "none":
      return [];
    case "schema":
      return [[null, value]];
    case "list":
    case "schemaOrList":
      return isList(value) ? value.map((raw, place) => [String(place), raw]) : [[null, value]];
    case "map":
      return isRecord(value) ? Object.entries(value) : [];
    case "dependencies":
      return isRecord(value) ? Object.entries(value).filter(([, raw]) => !isList(raw)) : [];
  }
}

/** A URI reference against a base, without its fragment and with it; `null` where it is none. */
export function resolveUri(reference: string, base: string): { readonly base: string; readonly fragment: string } | null {
  try {
    const url = new URL(reference, base);
    const fragment = decodeURIComponent(url.hash.slice(1));
    url.hash = "";
    return { base: url.href, fragment };
  } catch {
    return null;
  }
}

function escaped(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}
