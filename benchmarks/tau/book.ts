/**
 * A book of documents, each under `collection/id`, and copies of it on which changes are tried out. A copy holds what differs alone,
 * so hundreds of them cost little more than one.
 */
import { createHash } from "node:crypto";
import { type Json, type JsonObject, toFrozenJson } from "../../src/contract/json.ts";
import { stateText } from "./canonical.ts";

/** What a tool reads. */
export interface Book {
  /** The document under `collection/id`, or `null`. */
  readonly read: (path: string) => JsonObject | null;
  /** All documents of a collection, in the order of their ids. */
  readonly list: (collection: string) => readonly JsonObject[];
}

/** What a tool wants changed: whole documents by their paths. */
export type Changes = ReadonlyMap<string, JsonObject>;

/** A book to which changes are made. */
export interface Copy extends Book {
  readonly make: (changes: Changes) => void;
  /** What differs from the original. */
  readonly changed: () => Changes;
  /** SHA-256 in hex over the whole state. */
  readonly hash: () => string;
}

/** The state that every task begins with. */
export interface Original {
  readonly paths: readonly string[];
  readonly read: (path: string) => JsonObject | null;
  readonly copy: () => Copy;
}

/** Opens a state as the set writes it: collections of documents by id. */
export function openOriginal(state: { readonly [collection: string]: { readonly [id: string]: JsonObject } }): Original {
  const documents = new Map<string, JsonObject>();
  for (const [collection, byId] of Object.entries(state)) {
    for (const [id, document] of Object.entries(byId)) documents.set(`${collection}/${id}`, documentOf(document));
  }
  const texts = new Map([...documents].map(([path, document]) => [path, stateText(document)]));
  const ids = new Map(Object.keys(state).map((collection) => [collection, Object.keys(state[collection] ?? {}).sort()]));
  const wholes = new Map(
    [...ids].map(([collection, all]) => [collection, membersText(all, (id) => texts.get(`${collection}/${id}`) ?? "null")]),
  );
  return {
    paths: [...documents.keys()],
    read: (path) => documents.get(path) ?? null,
    copy: () => openCopy({ documents, texts, ids, wholes }),
  };
}

/** A frozen plain copy of a value that a tool made; members that are `undefined` are left out. */
export function documentOf(value: object): JsonObject {
  return toFrozenJson(value) as JsonObject; // a copy of an object is one
}

interface Kept {
  readonly documents: ReadonlyMap<string, JsonObject>;
  readonly texts: ReadonlyMap<string, string>;
  readonly ids: ReadonlyMap<string, readonly string[]>;
  /** The text of each collection as it is in the original. */
  readonly wholes: ReadonlyMap<string, string>;
}

function openCopy({ documents, texts, ids, wholes }: Kept): Copy {
  const changed = new Map<string, JsonObject>();
  const read = (path: string): JsonObject | null => changed.get(path) ?? documents.get(path) ?? null;
  const idsOf = (collection: string): string[] => {
    const made = [...changed.keys()].filter((path) => path.startsWith(`${collection}/`) && !documents.has(path));
    return [...(ids.get(collection) ?? []), ...made.map((path) => path.slice(collection.length + 1))].sort();
  };
  return {
    read,
    list: (collection) =>
      idsOf(collection)
        .map((id) => read(`${collection}/${id}`))
        .filter((one) => one !== null),
    make: (changes) => {
      for (const [path, document] of changes) changed.set(path, documentOf(document));
    },
    changed: () => changed,
    hash: () => {
      const touched = new Set([...changed.keys()].map((path) => path.split("/")[0]));
      const textOf = (path: string): string => {
        const document = changed.get(path);
        return document === undefined ? (texts.get(path) ?? "null") : stateText(document);
      };
      const collections = [...ids.keys()].sort().map((collection) => {
        const members = touched.has(collection) ? null : wholes.get(collection);
        return `${JSON.stringify(collection)}:${members ?? membersText(idsOf(collection), (id) => textOf(`${collection}/${id}`))}`;
      });
      return sha256(`{${collections.join(",")}}`);
    },
  };
}

function membersText(ids: readonly string[], textOf: (id: string) => string): string {
  return `{${ids.map((id) => `${JSON.stringify(id)}:${textOf(id)}`).join(",")}}`;
}

/** SHA-256 in hex of a value's state text. */
export function hashOf(value: Json): string {
  return sha256(stateText(value));
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
