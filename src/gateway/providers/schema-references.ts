import type { Json, JsonObject } from "../../contract/json.ts";

/** Says whether what a local reference leads to leads back to it. */
export function recurs(reference: string, root: JsonObject): boolean {
  return leadsBack({ reference, root, above: [], clear: new Set() });
}

/** What a reference to a definition of the root points at; `undefined` for any other. */
export function pointedAt(reference: string, root: JsonObject): Json | undefined {
  const [, place = "", name = ""] = /^#\/(\$defs|definitions)\/([^/]+)$/.exec(reference) ?? [];
  const members = root[place];
  return isObject(members) ? members[name.replaceAll("~1", "/").replaceAll("~0", "~")] : undefined;
}

/** Says whether a value of JSON is an object. */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A walk along references: what is above, and what was seen to lead nowhere back. */
interface Walk {
  readonly reference: string;
  readonly root: JsonObject;
  readonly above: readonly string[];
  readonly clear: Set<string>;
}

function leadsBack({ reference, root, above, clear }: Walk): boolean {
  if (reference === "#" || above.includes(reference)) return true;
  if (clear.has(reference)) return false;
  const target = pointedAt(reference, root);
  const below = target === undefined ? [] : referencesIn(target);
  if (below.some((next) => leadsBack({ reference: next, root, above: [...above, reference], clear }))) return true;
  clear.add(reference);
  return false;
}

function referencesIn(value: Json): readonly string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    key === "$ref" && typeof member === "string" ? [member] : referencesIn(member),
  );
}
