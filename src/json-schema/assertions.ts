import type { Json } from "../contract/json.ts";
import { misfit, spend } from "./evaluate.ts";
import { equalityKey, isList, isMultipleOf, isOfType, isRecord } from "./json-value.ts";
import type { Check, Frame, Run } from "./node.ts";
import { readPattern } from "./pattern.ts";

/** Makes the check of a keyword from its value, which has the form that `keywords.ts` asks for. */
type MakeCheck = (value: Json) => Check;

/** Keywords that look at a value itself and hold no subschemas. */
export const assertions: Readonly<Record<string, MakeCheck>> = {
  type: (value) => {
    const types = textsOf(value);
    return (given, frame) =>
      types.some((type) => isOfType(given, type)) || misfit(frame, `must be of type ${types.join(" or ")}`);
  },
  enum: (value) => {
    const allowed = new Set(isList(value) ? value.map(equalityKey) : []);
    return (given, frame) =>
      allowed.has(keyOf(given, frame)) || misfit(frame, `must be one of the ${allowed.size} listed values`);
  },
  const: (value) => {
    const only = equalityKey(value);
    return (given, frame) => keyOf(given, frame) === only || misfit(frame, "must be the one value that is allowed");
  },
  multipleOf: (value) => {
    const holds = ofNumber((given) => isMultipleOf(given, Number(value)), `must be a multiple of ${value}`);
    return (given, frame) => {
      // Where `isMultipleOf` counts with numbers of hundreds of digits.
      spend(frame.run, Number.isSafeInteger(given) && Number.isSafeInteger(value) ? 0 : 4);
      return holds(given, frame);
    };
  },
  maximum: (value) => ofNumber((given) => given <= Number(value), `must be at most ${value}`),
  exclusiveMaximum: (value) => ofNumber((given) => given < Number(value), `must be less than ${value}`),
  minimum: (value) => ofNumber((given) => given >= Number(value), `must be at least ${value}`),
  exclusiveMinimum: (value) => ofNumber((given) => given > Number(value), `must be more than ${value}`),
  maxLength: (value) => {
    const most = Number(value);
    const holds = (given: string, run: Run) => given.length <= most || (given.length <= 2 * most && lengthOf(given, run) <= most);
    return ofText(holds, `must be at most ${value} characters long`);
  },
  minLength: (value) => {
    const least = Number(value);
    const holds = (given: string, run: Run) =>
      given.length >= 2 * least || (given.length >= least && lengthOf(given, run) >= least);
    return ofText(holds, `must be at least ${value} characters long`);
  },
  pattern: (value) => {
    const pattern = readPattern(String(value));
    // `keywords.ts` has read it before.
    return ofText((given, run) => typeof pattern !== "string" && pattern.matches(given, run), "must match the pattern");
  },
  maxItems: (value) => ofList((given) => given.length <= Number(value), `must have at most ${value} items`),
  minItems: (value) => ofList((given) => given.length >= Number(value), `must have at least ${value} items`),
  uniqueItems: (value) => (given, frame) =>
    value === false ||
    !isList(given) ||
    new Set(given.map((item) => keyOf(item, frame))).size === given.length ||
    misfit(frame, "must have no item twice"),
  maxProperties: (value) => ofKeys((keys) => keys.length <= Number(value), `must have at most ${value} properties`),
  minProperties: (value) => ofKeys((keys) => keys.length >= Number(value), `must have at least ${value} properties`),
  required: (value) => requiring(textsOf(value)),
  dependentRequired: (value) => {
    const needed = Object.entries(isRecord(value) ? value : {}).map(([key, names]) => ({
      key,
      check: requiring(textsOf(names)),
    }));
    return (given, frame) => {
      if (!isRecord(given)) return true;
      spend(frame.run, needed.length);
      return needed.every(({ key, check }) => !Object.hasOwn(given, key) || check(given, frame));
    };
  },
};

/** The check that an object has the properties of these names. */
export function requiring(names: readonly string[]): Check {
  return (given, frame) => {
    if (!isRecord(given)) return true;
    spend(frame.run, names.length);
    const missing = names.filter((name) => !Object.hasOwn(given, name));
    for (const name of missing) misfit(frame, `lacks the property \`${name.slice(0, 100)}\``);
    return missing.length === 0;
  };
}

/** The texts of a list, or of one. */
export function textsOf(value: Json): readonly string[] {
  return (isList(value) ? value : [value]).filter((one) => typeof one === "string");
}

function ofNumber(holds: (given: number) => boolean, message: string): Check {
  return (given, frame) => typeof given !== "number" || holds(given) || misfit(frame, message);
}

function ofText(holds: (given: string, run: Run) => boolean, message: string): Check {
  return (given, frame) => typeof given !== "string" || holds(given, frame.run) || misfit(frame, message);
}

function ofList(holds: (given: readonly Json[]) => boolean, message: string): Check {
  return (given, frame) => !isList(given) || holds(given) || misfit(frame, message);
}

function ofKeys(holds: (keys: readonly string[]) => boolean, message: string): Check {
  return (given, frame) => {
    if (!isRecord(given)) return true;
    const keys = Object.keys(given);
    spend(frame.run, keys.length);
    return holds(keys) || misfit(frame, message);
  };
}

/** Comparing costs steps by the length of what is compared: an item may be compared at every level of a schema. */
function keyOf(value: Json, frame: Frame): string {
  // Its keys are put in order for this.
  if (isRecord(value)) spend(frame.run, Object.keys(value).length);
  const key = equalityKey(value);
  spend(frame.run, 1 + key.length / (typeof value === "string" ? 16 : 8));
  return key;
}

/** Length in characters (code points). */
function lengthOf(text: string, run: Run): number {
  spend(run, 1 + text.length / 16);
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}
