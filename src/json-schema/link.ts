import type { Json } from "../contract/json.ts";
import { applicators } from "./applicators.ts";
import { assertions } from "./assertions.ts";
import { isRecord } from "./json-value.ts";
import { keywords } from "./keywords.ts";
import { memberKeywords } from "./members.ts";
import type { Check, SchemaNode } from "./node.ts";
import { checkDynamicReference, checkReference } from "./references.ts";
import { nodeAt, type SchemaTree } from "./schema-tree.ts";

/** Gives every subschema its checks, those that references find on the way included. Throws `definition_invalid`. */
export function linkTree(tree: SchemaTree): void {
  // The list grows while it is walked.
  for (const node of tree.nodes) {
    if (isRecord(node.raw)) node.checks.push(...checksOf(tree, node, node.raw));
  }
}

/** These look at what the others have looked at, so they come last. */
const last = ["unevaluatedItems", "unevaluatedProperties"];

function checksOf(tree: SchemaTree, node: SchemaNode, raw: { readonly [keyword: string]: Json }): readonly Check[] {
  // In draft 7 nothing stands beside `$ref`.
  if (tree.draft === "7" && raw["$ref"] !== undefined) return [checkReference(tree, node, String(raw["$ref"]))];
  const own = Object.keys(raw).filter((keyword) => keywords[keyword]?.drafts.includes(tree.draft));
  const inOrder = [...own.filter((keyword) => !last.includes(keyword)), ...own.filter((keyword) => last.includes(keyword))];
  return inOrder.flatMap((keyword) => checkOf(tree, node, { keyword, value: raw[keyword] ?? null, beside: raw }));
}

function checkOf(
  tree: SchemaTree,
  node: SchemaNode,
  { keyword, value, beside }: { keyword: string; value: Json; beside: { readonly [keyword: string]: Json } },
): readonly Check[] {
  if (keyword === "$ref") return [checkReference(tree, node, String(value))];
  if (keyword === "$dynamicRef") return [checkDynamicReference(tree, node, String(value))];
  const assertion = assertions[keyword];
  if (assertion !== undefined) return [assertion(value)];
  const applicator = applicators[keyword] ?? memberKeywords[keyword];
  const nodeOf = (inner: Json) => nodeAt(tree, inner, { place: `${node.place}/${keyword}`, resource: node.resource, depth: 0 });
  return applicator === undefined ? [] : [applicator({ value, beside, nodeOf })];
}
