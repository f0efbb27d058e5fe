import { CountersignError } from "../../contract/errors.ts";

/** How the texts of a place are looked at: `schema` by their form alone, `kept` not at all. */
type Look = "full" | "schema" | "kept";

/** How a text or number is looked at that is handed on. */
export type OpenLook = Exclude<Look, "kept">;

/** What is done to the leaves and keys of a value. */
export interface LeafMap {
  readonly text: (text: string, look: OpenLook) => string;
  readonly count: (count: number, look: OpenLook) => number | string;
  /** Told where two keys of one object become the same; the second gets a number behind it. */
  readonly onSameKey?: () => void;
}

/** Deeper than this nothing is written that a model could use; it may be a cycle. */
const deepest = 1_000;

/**
 * Maps all text leaves, numbers and keys of a plain value, at any depth. Returns a copy that shares no object and no list with the value.
 * Throws `unserialisable` for what is no plain JSON, a cycle included; members that are `undefined` stay.
 */
export function mapLeaves<T extends object>(value: T, map: LeafMap): T {
  // The copy has the members of the value with other texts in them.
  return mapValue({ value, look: "full", depth: 0, map, form: formOf(value) }) as T;
}

/** As `mapLeaves`, for a value that a model has written: nothing in it is a word of ours. */
export function mapJson<T>(value: T, map: LeafMap): T {
  return mapValue({ value, look: "full", depth: 0, map, form: anyForm }) as T; // as above
}

interface Mapping {
  readonly value: unknown;
  readonly look: Look;
  readonly depth: number;
  readonly map: LeafMap;
  readonly form: Form;
}

/** What of a value are words of ours. A depth is that of the object which holds the member. */
interface Form {
  /** How a member is looked at, given how its object is. */
  readonly lookOf: (look: Look, depth: number, key: string) => Look;
  readonly isOurName: (depth: number, key: string) => boolean;
}

const anyForm: Form = { lookOf: (look) => look, isOurName: () => false };

const requestNames = ["model", "purpose", "step", "attempt", "system", "messages", "jsonSchema"];
const requestWords = ["model", "purpose", "step", "attempt"];
const messageNames = ["role", "text"];

/** A request to a provider has words of ours in it, which a provider must be able to read. */
const requestForm: Form = {
  lookOf: (look, depth, key) => {
    if (depth === 0 && requestWords.includes(key)) return "kept";
    if (depth === 0 && key === "jsonSchema") return "schema";
    // `/messages/0/role`
    return depth === 2 && key === "role" && look === "full" ? "kept" : look;
  },
  isOurName: (depth, key) => (depth === 0 && requestNames.includes(key)) || (depth === 2 && messageNames.includes(key)),
};

/** The words of JSON Schema itself: whoever has such a name must not take the form from a request. */
const schemaWords = new Set(
  [
    "$defs $id $ref $schema additionalProperties allOf anyOf const contains default definitions description else enum examples",
    "exclusiveMaximum exclusiveMinimum format if items maxItems maxLength maxProperties maximum minItems minLength minProperties minimum",
    "multipleOf not nullable oneOf pattern patternProperties prefixItems properties propertyNames required then title type uniqueItems",
    "array boolean integer null number object string date date-time email time uri uuid",
  ].flatMap((line) => line.split(" ")),
);

/** Whether a text is a word of ours. */
function isOurs(text: string, look: OpenLook): boolean {
  return look === "schema" && schemaWords.has(text);
}

function formOf(value: object): Form {
  return requestNames.every((key) => Object.hasOwn(value, key)) ? requestForm : anyForm;
}

function mapValue(mapping: Mapping): unknown {
  const { value, look, map } = mapping;
  switch (typeof value) {
    case "string":
      return look === "kept" || isOurs(value, look) ? value : map.text(value, look);
    case "number":
      return look === "kept" || !Number.isFinite(value) ? value : map.count(value, look);
    case "boolean":
    case "undefined":
      return value;
    case "object":
      return value === null ? value : mapObject(value, mapping);
    default:
      throw refuse(`a ${typeof value}`);
  }
}

function mapObject(value: object, mapping: Mapping): unknown {
  if (mapping.depth > deepest) throw refuse("what is too deep, or a cycle");
  // Whoever writes the payload would ask it for something that was never looked at.
  if ("toJSON" in value && typeof value.toJSON === "function") throw refuse("an object that is not plain");
  if (Array.isArray(value)) return mapList(value, mapping);
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) throw refuse("an object that is not plain");
  return mapRecord(value, mapping);
}

function mapList(list: readonly unknown[], mapping: Mapping): unknown {
  const { depth, look, form } = mapping;
  return Array.from(list, (value) => mapValue({ ...mapping, value, depth: depth + 1, look: form.lookOf(look, depth, "") }));
}

function mapRecord(record: object, mapping: Mapping): unknown {
  const { depth, look, map, form } = mapping;
  const names = new Set<string>();
  const mapped = Object.entries(record).map(([key, value]): [string, unknown] => {
    const isKept = look === "kept" || isOurs(key, look) || form.isOurName(depth, key);
    const wanted = isKept ? key : map.text(key, look);
    if (names.has(wanted)) map.onSameKey?.();
    const name = freeName(wanted, names);
    names.add(name);
    return [name, mapValue({ ...mapping, value, depth: depth + 1, look: form.lookOf(look, depth, key) })];
  });
  // Made entry by entry: a member of the name `__proto__` stays one.
  return Object.fromEntries(mapped);
}

/** Two keys that were masked may look the same; neither may take the other's place. */
function freeName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  for (let number = 2; ; number += 1) if (!taken.has(`${name} (${number})`)) return `${name} (${number})`;
}

function refuse(what: string): CountersignError {
  return new CountersignError("unserialisable", `the payload holds ${what}; use plain JSON values`);
}
