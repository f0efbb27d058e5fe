import type { Json, JsonObject } from "../../../../src/contract/json.ts";
import { asObject } from "../../words/changes.ts";

/** A text of an entry's body; empty where there is none. */
export function textAt(body: JsonObject, name: string): string {
  const value = body[name];
  return typeof value === "string" ? value : "";
}

/** A number of an entry's body; `null` where there is none. */
export function numberAt(body: JsonObject, name: string): number | null {
  const value = body[name];
  return typeof value === "number" ? value : null;
}

/** An object of an entry's body; empty where there is none. */
export function objectAt(body: JsonObject, name: string): JsonObject {
  return asObject(body[name] ?? null);
}

/** A list of objects of an entry's body; `null` where it was not kept, or is not told to this reader. */
export function listAt(body: JsonObject, name: string): readonly JsonObject[] | null {
  const value: Json | undefined = body[name];
  return Array.isArray(value) ? value.map((one: Json) => asObject(one)) : null;
}

/** The word of a closed list that a body holds under a name; `null` where it holds none of them. */
export function wordAt<W extends string>(body: JsonObject, name: string, words: readonly W[]): W | null {
  return words.find((word) => word === body[name]) ?? null;
}
