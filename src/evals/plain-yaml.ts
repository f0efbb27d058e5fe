/** YAML of strangers as plain data: bounded, without aliases and tags, and without keys that would reach an object's own workings. */
import { LineCounter, parseDocument } from "yaml";

/** What a file of ours or of others may hold. */
export const fileLimits = { bytes: 2 * 1024 * 1024, depth: 32, values: 200_000 } as const;

/** The value of a text, or what is wrong with it and where: `line 12`, a JSON pointer, or nothing for all of it. */
export type PlainValue =
  | { readonly kind: "value"; readonly value: unknown }
  | { readonly kind: "fault"; readonly at: string; readonly expected: string };

/** Reads YAML, of which JSON is a part. What it cannot take is a value, so that every file's faults can be told at once. */
export function readPlainYaml(text: string): PlainValue {
  if (Buffer.byteLength(text) > fileLimits.bytes) return fault("", `at most ${fileLimits.bytes} bytes`);
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: true });
  const [first] = [...document.errors, ...document.warnings];
  if (first !== undefined) return fault(`line ${lines.linePos(first.pos[0]).line}`, `YAML: ${first.message}`);
  try {
    return checkPlain(document.toJS({ maxAliasCount: 0 }));
  } catch {
    // The one thing that a document without errors does not give is what its aliases stand for.
    return fault("", "YAML without aliases");
  }
}

/** Reads JSON under the same bounds. */
export function readPlainJson(text: string): PlainValue {
  if (Buffer.byteLength(text) > fileLimits.bytes) return fault("", `at most ${fileLimits.bytes} bytes`);
  try {
    return checkPlain(JSON.parse(text));
  } catch {
    return fault("", "one JSON value");
  }
}

const reserved = ["__proto__", "constructor", "prototype"];

interface Place {
  readonly at: string;
  readonly one: unknown;
  readonly depth: number;
}

/** Walks with a list of its own, since a deep value would end the stack. */
function checkPlain(value: unknown): PlainValue {
  const waiting: Place[] = [{ at: "", one: value, depth: 0 }];
  let seen = 0;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    seen += 1;
    if (seen > fileLimits.values) return fault("", `at most ${fileLimits.values} values`);
    const found = faultAt(next);
    if (found !== null) return found;
    const { at, one, depth } = next;
    if (typeof one !== "object" || one === null) continue;
    for (const [key, inner] of Object.entries(one)) waiting.push({ at: `${at}/${key}`, one: inner, depth: depth + 1 });
  }
  return { kind: "value", value };
}

function faultAt({ at, one, depth }: Place): PlainValue | null {
  if (depth > fileLimits.depth) return fault(at.slice(0, 100), `at most ${fileLimits.depth} levels`);
  if (typeof one !== "object" || one === null || Array.isArray(one)) return null;
  if (Object.getPrototypeOf(one) !== Object.prototype) return fault(at, "plain values");
  const key = Object.keys(one).find((name) => reserved.includes(name));
  return key === undefined ? null : fault(`${at}/${key}`, "another key: this one is reserved");
}

function fault(at: string, expected: string): PlainValue {
  return { kind: "fault", at, expected };
}
