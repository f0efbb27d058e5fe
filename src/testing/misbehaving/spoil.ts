import type { Reply } from "./answers.ts";
import { oneOf, type Roll } from "./roll.ts";

/** A reply's text spoiled in one way. The text is JSON as a rule; what is no object is replaced by a small one. */
export type Spoil = (text: string, roll: Roll) => Reply;

/** The ways in which a model's text goes wrong, by name. */
export const spoils = {
  wrong_shape: (text, roll) => reply(wrongShape(text, roll)),
  prose_around: (text, roll) => {
    const before = `Sure! Here is what you asked for:\n\n${text}`;
    const after = `${text}\n\nLet me know if you need anything else.`;
    return reply(oneOf(roll, [before, after, `${before}\n\nLet me know if you need anything else.`]));
  },
  code_fence: (text, roll) => reply(`\`\`\`${oneOf(roll, ["json", "", "JSON"])}\n${text}\n\`\`\``),
  two_replies: (text, roll) => reply(text + oneOf(roll, ["", "\n", " "]) + text),
  cut_json: (text, roll) => cut(text, roll(Buffer.byteLength(text))),
  cut_character: (text, roll) => cutInside({ text: withValue(text, '"😀"', roll), part: "😀", roll }),
  cut_escape: (text, roll) => cutInside({ text: withValue(text, String.raw`"\uD83D\uDE00"`, roll), part: surrogates, roll }),
  lone_surrogate: (text, roll) =>
    reply(withValue(text, oneOf(roll, [String.raw`"\ud83d"`, String.raw`"\ude00"`, '"\ud83d"']), roll)),
  escaped_nul: (text, roll) => reply(withValue(text, String.raw`"a\u0000b"`, roll)),
  duplicate_keys: (text, roll) => reply(withKeyTwice(text, roll)),
  prototype_key: (text) => reply(`{${['"__proto__":{"isAdmin":true}', ...membersOf(text).map(written)].join(",")}}`),
  not_a_number: (text, roll) => reply(withValue(text, oneOf(roll, ["NaN", "Infinity", "-Infinity"]), roll)),
  huge_integer: (text, roll) => reply(withValue(text, oneOf(roll, ["9E1874", "-9E1874", "9007199254740993", "1e400"]), roll)),
  long_string: (text, roll) => reply(withValue(text, JSON.stringify("long ".repeat(20_000 + roll(1000))), roll)),
  deep_nesting: (text, roll) => {
    const depth = 10_000 + roll(1000);
    return reply(withValue(text, "[".repeat(depth) + "]".repeat(depth), roll));
  },
  trailing_comma: (text) => reply(text.replace(/\}\s*$/, ",}")),
  python_words: (text, roll) => reply(withValue(text, oneOf(roll, ["None", "True", "'single'", "undefined"]), roll)),
  empty_text: (_text, roll) => reply(oneOf(roll, ["", " ", "\n", "null"])),
} satisfies Record<string, Spoil>;

const surrogates = String.raw`\uD83D\uDE00`;

function reply(text: string): Reply {
  return { kind: "reply", text };
}

function cut(text: string, cutAt: number): Reply {
  return { kind: "reply", text, cutAt };
}

/** The cut leaves at least one byte of the part, and not the whole. */
function cutInside({ text, part, roll }: { text: string; part: string; roll: Roll }): Reply {
  const start = Buffer.byteLength(text.slice(0, text.lastIndexOf(part)));
  return cut(text, start + 1 + roll(Buffer.byteLength(part) - 1));
}

function membersOf(text: string): readonly [[string, unknown], ...[string, unknown][]] {
  const [first, ...others] = Object.entries(objectOf(text));
  return first === undefined ? [["a", 1]] : [first, ...others];
}

function objectOf(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
  } catch {
    return {};
  }
}

/** The object with one of its values written as given, JSON or not. */
function withValue(text: string, raw: string, roll: Roll): string {
  const members = membersOf(text);
  const at = roll(members.length);
  return `{${members.map((member, i) => (i === at ? `${JSON.stringify(member[0])}:${raw}` : written(member))).join(",")}}`;
}

function written([key, value]: readonly [string, unknown]): string {
  return `${JSON.stringify(key)}:${JSON.stringify(value)}`;
}

function withKeyTwice(text: string, roll: Roll): string {
  const members = membersOf(text);
  const [key] = oneOf(roll, members);
  const more = `${JSON.stringify(key)}:${oneOf(roll, ["null", "0", '"another"'])}`;
  const all = members.map(written);
  return `{${oneOf(roll, [
    [more, ...all],
    [...all, more],
  ]).join(",")}}`;
}

function wrongShape(text: string, roll: Roll): string {
  const members = membersOf(text);
  const [key, value] = oneOf(roll, members);
  const others = members.filter(([name]) => name !== key);
  const changed = (kept: unknown) => JSON.stringify(Object.fromEntries([...others, [key, kept]]));
  return oneOf(roll, [
    () => JSON.stringify(Object.fromEntries(others)),
    () => changed({ inside: value }),
    () => changed([value]),
    () => changed(value === null ? 0 : null),
    () => JSON.stringify({ ...Object.fromEntries(members), notAskedFor: true }),
    () => JSON.stringify([Object.fromEntries(members)]),
    () => JSON.stringify(text),
    () => oneOf(roll, ["{}", "[]", "0", "true", "null"]),
  ])();
}
