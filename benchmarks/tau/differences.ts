import type { Json, JsonObject } from "../../src/contract/json.ts";
import type { Copy } from "./book.ts";
import { stateText } from "./canonical.ts";
import type { Difference } from "./read-set.ts";

type Open = Json | Open[] | { [key: string]: Open };

/**
 * Makes the differences that the set lists to a fresh copy and says whether it then equals another copy: the same documents differ
 * from the original, and each is the same. Paths are JSON pointers below the whole state.
 */
export function areDifferences(differences: readonly Difference[], { fresh, other }: { fresh: Copy; other: Copy }): boolean {
  for (const one of differences) {
    const [collection = "", id = "", ...rest] = partsOf(one.path);
    const path = `${collection}/${id}`;
    const document = structuredClone(fresh.read(path)) as Open; // a copy that nobody else holds
    const made = rest.length === 0 ? (one.after ?? null) : put(document, { ...one, parts: rest });
    fresh.make(new Map([[path, made as JsonObject]])); // a document of the state is an object
  }
  const paths = new Set([...fresh.changed().keys(), ...other.changed().keys()]);
  return [...paths].every((path) => stateText(fresh.read(path)) === stateText(other.read(path)));
}

function partsOf(pointer: string): string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function put(document: Open, { op, after = null, parts }: Pick<Difference, "op" | "after"> & { parts: readonly string[] }): Open {
  const holder = parts.slice(0, -1).reduce<Open>((here, part) => memberOf(here, part), document);
  const last = parts.at(-1) ?? "";
  if (Array.isArray(holder)) return putIntoList(holder as Open[], { op, after, place: Number(last), document }); // a copy of our own
  if (typeof holder !== "object" || holder === null) return document;
  const members = holder as { [key: string]: Open }; // not an array
  if (op === "remove") delete members[last];
  else members[last] = after;
  return document;
}

function putIntoList(
  list: Open[],
  { op, after, place, document }: { op: Difference["op"]; after: Json; place: number; document: Open },
): Open {
  if (op === "add") list.splice(place, 0, after);
  else list.splice(place, 1, ...(op === "replace" ? [after] : []));
  return document;
}

function memberOf(value: Open, part: string): Open {
  if (Array.isArray(value)) return (value as Open[])[Number(part)] ?? null; // a copy of our own
  return typeof value === "object" && value !== null ? ((value as { [key: string]: Open })[part] ?? null) : null; // not an array
}
