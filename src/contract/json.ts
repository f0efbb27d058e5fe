import { CountersignError } from "./errors.ts";

/** Plain JSON: what may be stored, hashed and sent. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
/** A plain JSON object. */
export type JsonObject = { readonly [key: string]: Json };

/** Text without NUL and without lone surrogates: the only text that every store and canonical form can keep. */
export function isKeepableText(text: string): boolean {
  return text.isWellFormed() && !text.includes("\0");
}

/**
 * Canonical JSON text after RFC 8785 (JCS): keys sorted by UTF-16 code units, numbers as ECMAScript writes them.
 * Refuses with `unserialisable` what JSON would lose: BigInt, Date, NaN, functions, cycles, `toJSON`, NUL, lone surrogates.
 * @example
 * canonicalJson({ b: 1, a: [true, null] }); // '{"a":[true,null],"b":1}'
 */
export function canonicalJson(value: unknown): string {
  // The quick way takes a third of the time. It leaves to the careful way what it cannot write, which knows the path to it.
  const ordered = inOrder(value, 0);
  const text = ordered === undefined ? "\\u" : JSON.stringify(ordered);
  // `JSON.stringify` escapes as `\u` what may not be kept (NUL, lone surrogates), and a few controls that may.
  return text.includes("\\u") ? write(value, "", new Set()) : text;
}

/** What `toFrozenJson` made: frozen, so in canonical order for good. Only spares looking again; nothing else follows from it. */
const inOrderForGood = new WeakSet<object>();

/** Deeper than this may be a cycle; the careful way tells. */
const quickDepth = 100;

/** The value with the keys of all its objects in canonical order: itself where they are so, else a copy; `undefined` if not plain. */
function inOrder(value: unknown, depth: number): unknown {
  if (typeof value === "string" || typeof value === "boolean" || value === null) return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  if (typeof value !== "object" || depth > quickDepth || "toJSON" in value) return undefined;
  if (inOrderForGood.has(value)) return value;
  return Array.isArray(value) ? arrayInOrder(value, depth + 1) : recordInOrder(value, depth + 1);
}

function arrayInOrder(value: readonly unknown[], depth: number): readonly unknown[] | undefined {
  let copy: unknown[] | undefined;
  for (let i = 0; i < value.length; i += 1) {
    const member = inOrder(value[i], depth);
    if (member === undefined) return undefined;
    if (member === value[i]) continue;
    copy ??= value.slice();
    copy[i] = member;
  }
  return copy ?? value;
}

function recordInOrder(value: object, depth: number): object | undefined {
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return undefined;
  // A plain object is indexed by its own keys only.
  const record = value as Record<string, unknown>;
  const keys = Object.keys(record);
  // Copied from the first member on that differs; most records are written in order and need no copy.
  let copy: Record<string, unknown> | undefined = sortKeys(keys) ? undefined : {};
  for (let i = 0; i < keys.length; i += 1) {
    const key = keys[i] as string; // within the bounds of the list
    const member = record[key];
    if (member === undefined) continue;
    const ordered = isMovedByJavaScript(key) ? undefined : inOrder(member, depth);
    if (ordered === undefined) return undefined;
    if (ordered !== member) copy ??= firstOf(record, keys, i);
    if (copy !== undefined) copy[key] = ordered;
  }
  return copy ?? value;
}

/** The members before a place in the list of keys, in that order. */
function firstOf(record: Record<string, unknown>, keys: readonly string[], end: number): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const key of keys.slice(0, end)) copy[key] = record[key];
  return copy;
}

/** Sorts the keys in place where they are not sorted; says whether they were. By insertion where there are few: most records are small. */
function sortKeys(keys: string[]): boolean {
  let isSame = true;
  for (let i = 1; i < keys.length; i += 1) {
    const key = keys[i] as string; // within the bounds of the list, as are those below
    if ((keys[i - 1] as string) <= key) continue;
    if (keys.length > fewKeys) {
      keys.sort();
      return false;
    }
    isSame = false;
    let at = i;
    for (; at > 0 && (keys[at - 1] as string) > key; at -= 1) keys[at] = keys[at - 1] as string;
    keys[at] = key;
  }
  return isSame;
}

const fewKeys = 24;

/** JavaScript keeps these where it likes, whatever the order of insertion. */
function isMovedByJavaScript(key: string): boolean {
  return key === "__proto__" || (key >= "0" && key < ":");
}

function write(value: unknown, path: string, above: Set<object>): string {
  switch (typeof value) {
    case "string":
      if (!isKeepableText(value)) throw refuse(path, "text with NUL or a lone surrogate");
      return JSON.stringify(value);
    case "number":
      if (!Number.isFinite(value)) throw refuse(path, `the number ${value}`);
      return JSON.stringify(value);
    case "boolean":
      return value ? "true" : "false";
    case "object":
      return value === null ? "null" : writeObject(value, path, above);
    default:
      throw refuse(path, `a ${typeof value}`);
  }
}

function writeObject(value: object, path: string, above: Set<object>): string {
  if (above.has(value)) throw refuse(path, "a cycle");
  above.add(value);
  const text = Array.isArray(value) ? writeArray(value, path, above) : writeRecord(value, path, above);
  above.delete(value);
  return text;
}

function writeArray(value: readonly unknown[], path: string, above: Set<object>): string {
  let text = "[";
  for (let i = 0; i < value.length; i += 1) {
    text += (i === 0 ? "" : ",") + write(value[i], `${path}/${i}`, above);
  }
  return `${text}]`;
}

function writeRecord(value: object, path: string, above: Set<object>): string {
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null)
    throw refuse(path, `an object of class \`${value.constructor?.name}\``);
  if ("toJSON" in value) throw refuse(path, "an object with `toJSON`");
  // A plain object is indexed by its own keys only.
  const record = value as Record<string, unknown>;
  let text = "{";
  for (const key of Object.keys(record).sort()) {
    const member = record[key];
    if (member === undefined) continue;
    if (!isKeepableText(key)) throw refuse(path, "a key with NUL or a lone surrogate");
    text += `${(text === "{" ? "" : ",") + JSON.stringify(key)}:${write(member, `${path}/${key}`, above)}`;
  }
  return `${text}}`;
}

function refuse(path: string, what: string): CountersignError {
  return new CountersignError("unserialisable", `\`${path === "" ? "/" : path}\` holds ${what}; use plain JSON values`, {
    facts: { path },
  });
}

/** Copies a value into frozen plain JSON with its keys in canonical order, or refuses it with `unserialisable`. */
export function toFrozenJson(value: unknown): Json {
  // The quick way leaves to the careful one what it cannot copy; what `canonicalJson` accepts parses back to the same plain value.
  if (typeof value === "object" && value !== null && inOrderForGood.has(value)) return value as Json; // made here
  const copy = frozenCopy(value, 0);
  if (copy === undefined) return deepFreeze(JSON.parse(write(value, "", new Set())) as Json);
  if (typeof copy === "object" && copy !== null) inOrderForGood.add(copy);
  return copy;
}

/** What `toFrozenJson` made with one member more, as a new frozen value; what is below it is shared, since nobody can change it. */
export function frozenWith(made: JsonObject, name: string, member: string): JsonObject {
  const members: { [key: string]: Json } = { ...made, [name]: member };
  const isPlain = isKeepableText(member) && isKeepableText(name) && !isMovedByJavaScript(name);
  if (!inOrderForGood.has(made) || !isPlain) return toFrozenJson(members) as JsonObject; // a copy of an object is one
  const ordered: { [key: string]: Json } = {};
  for (const key of Object.keys(members).sort()) ordered[key] = members[key] as Json; // it lists its own keys
  Object.freeze(ordered);
  inOrderForGood.add(ordered);
  return ordered;
}

function frozenCopy(value: unknown, depth: number): Json | undefined {
  if (typeof value === "string") return isKeepableText(value) ? value : undefined;
  if (typeof value === "boolean" || value === null) return value;
  // JSON has no minus zero.
  if (typeof value === "number") return Number.isFinite(value) ? value + 0 : undefined;
  if (typeof value !== "object" || depth > quickDepth || "toJSON" in value) return undefined;
  if (inOrderForGood.has(value)) return value as Json; // made by `toFrozenJson`
  return Array.isArray(value) ? frozenList(value, depth + 1) : frozenRecord(value, depth + 1);
}

function frozenList(value: readonly unknown[], depth: number): Json | undefined {
  const copy: Json[] = [];
  for (let i = 0; i < value.length; i += 1) {
    const member = frozenCopy(value[i], depth);
    if (member === undefined) return undefined;
    copy.push(member);
  }
  return Object.freeze(copy);
}

function frozenRecord(value: object, depth: number): Json | undefined {
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return undefined;
  // A plain object is indexed by its own keys only.
  const record = value as Record<string, unknown>;
  const keys = Object.keys(record);
  sortKeys(keys);
  const copy: { [key: string]: Json } = {};
  for (const key of keys) {
    const member = record[key];
    if (member === undefined) continue;
    const frozen = isMovedByJavaScript(key) || !isKeepableText(key) ? undefined : frozenCopy(member, depth);
    if (frozen === undefined) return undefined;
    copy[key] = frozen;
  }
  return Object.freeze(copy);
}

/** Freezes a plain value and everything below it, and returns it. The value is JSON, so it has no cycles. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  for (const member of Object.values(value)) deepFreeze(member);
  return Object.freeze(value);
}

/** Reads the value at an RFC 6901 pointer, or `undefined` where there is none. */
export function atPointer(value: Json, pointer: string): Json | undefined {
  let here: Json | undefined = value;
  for (const part of pointer.split("/").slice(1)) {
    if (typeof here !== "object" || here === null) return undefined;
    const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
    // Own members only: `__proto__` and `constructor` are not data.
    here = Object.hasOwn(here, key) ? (here as { [key: string]: Json })[key] : undefined;
  }
  return here;
}

/** Every leaf of a JSON value with its RFC 6901 pointer, in document order. */
export function leavesOf(value: Json, pointer = ""): { pointer: string; value: null | boolean | number | string }[] {
  if (typeof value !== "object" || value === null) return [{ pointer, value }];
  return Object.entries(value).flatMap(([key, member]) =>
    leavesOf(member, `${pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`),
  );
}
