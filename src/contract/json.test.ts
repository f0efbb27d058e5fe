import canonicalize from "canonicalize";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isCountersignError } from "./errors.ts";
import { atPointer, canonicalJson, frozenWith, type Json, type JsonObject, leavesOf, toFrozenJson } from "./json.ts";

const plain = fc.jsonValue({ noUnicodeString: false, maxDepth: 5 }).filter((value) => isWellFormed(value));

function isWellFormed(value: unknown): boolean {
  return !/\\u(?:0000|d[89a-f])/i.test(JSON.stringify(value));
}

/** A value with its keys in another order, which must not change the canonical form. */
function shuffled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shuffled);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, member]) => [key, shuffled(member)]),
  );
}

const cycle: Record<string, unknown> = {};
cycle["self"] = cycle;

const unkeepable: readonly [string, unknown][] = [
  ["a BigInt", { amount: 10n }],
  ["a Date", { at: new Date(0) }],
  ["NaN", [Number.NaN]],
  ["infinity", { a: { b: Number.POSITIVE_INFINITY } }],
  ["a function", { run: () => 1 }],
  ["a symbol", [Symbol("x")]],
  ["undefined in a list", [undefined]],
  ["a cycle", cycle],
  ["an object with toJSON", { toJSON: () => "x" }],
  ["a Map", new Map([["a", 1]])],
  ["NUL in a text", { note: "a\0b" }],
  ["a lone surrogate in a text", ["\ud83d"]],
  ["NUL in a key", { "a\0": 1 }],
  ["a lone surrogate in a key", { "\udc00": 1 }],
];

describe("canonicalJson", () => {
  it("writes the same bytes as the library, whatever the order of the keys", () => {
    fc.assert(
      fc.property(plain, (value) => {
        expect(canonicalJson(value)).toBe(canonicalize(value));
        expect(canonicalJson(shuffled(value))).toBe(canonicalize(value));
      }),
      { numRuns: 400 },
    );
  });

  it.each([
    [{ b: 1, a: [true, null] }, '{"a":[true,null],"b":1}'],
    [{ 10: "a", 9: "b", x: 1 }, '{"10":"a","9":"b","x":1}'],
    [{ "\u20ac": 1, "\r": 2, "\ud83d\ude00": 3, "\u0080": 4 }, '{"\\r":2,"\u0080":4,"\u20ac":1,"\ud83d\ude00":3}'],
    [[-0, 1e21, 1e-7], "[0,1e+21,1e-7]"],
    [{ a: undefined, b: 1 }, '{"b":1}'],
    [{ c: { z: 1, a: 2 }, a: { y: 1 } }, '{"a":{"y":1},"c":{"a":2,"z":1}}'],
    ["a\\u0041 is four letters", '"a\\\\u0041 is four letters"'],
  ])("writes %j", (value, text) => {
    expect(canonicalJson(value)).toBe(text);
  });

  it("writes what is nested deeper than the quick way goes", () => {
    const deep = Array.from({ length: 300 }).reduce<Json>((inner) => ({ b: inner, a: 1 }), 0);
    expect(JSON.parse(canonicalJson(deep))).toEqual(deep);
  });
});

describe.each([
  ["canonicalJson", canonicalJson],
  ["toFrozenJson", toFrozenJson],
])("%s", (_name, run) => {
  it.each(unkeepable)("refuses %s and says where", (_what, value) => {
    const refused = refusal(() => run(value));
    expect(isCountersignError(refused, "unserialisable")).toBe(true);
    expect(String(refused)).toContain("use plain JSON values");
  });
});

describe("toFrozenJson", () => {
  it("copies to the same value, frozen all through and sharing nothing", () => {
    fc.assert(
      fc.property(plain, (value) => {
        const copy = toFrozenJson(value);
        expect(copy).toEqual(JSON.parse(canonicalJson(value)));
        expect(isFrozenThrough(copy)).toBe(true);
        if (typeof value === "object" && value !== null) expect(copy).not.toBe(value);
      }),
    );
  });

  it("keeps a key named __proto__ as data", () => {
    const copy = toFrozenJson(JSON.parse('{"__proto__":{"admin":true},"a":1}'));
    expect(canonicalJson(copy)).toBe('{"__proto__":{"admin":true},"a":1}');
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  });

  it("gives what canonicalJson writes like the original, keys of digits too", () => {
    for (const value of [{ 10: "a", 9: "b", x: { 2: 1, 11: 2 } }, [{ b: 1, a: { d: 1, c: 2 } }], { "1a": 1, 1: 2 }]) {
      expect(canonicalJson({ outer: toFrozenJson(value) })).toBe(canonicalize({ outer: value }));
    }
  });

  it("knows no minus zero", () => {
    expect(Object.is(toFrozenJson(-0), 0)).toBe(true);
  });
});

describe("frozenWith", () => {
  it("is the value with one member more, frozen through, in whatever order the name falls, and leaves the first as it was", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), plain), fc.string(), fc.string(), (record, name, member) => {
        fc.pre(isWellFormed({ record, name, member }));
        const made = toFrozenJson(record) as JsonObject; // a copy of an object is one
        const before = canonicalJson(made);
        const more = frozenWith(made, name, member);
        expect(canonicalJson(more)).toBe(canonicalize({ ...record, [name]: member }));
        expect(isFrozenThrough(more)).toBe(true);
        expect(canonicalJson(made)).toBe(before);
      }),
    );
  });

  it("takes names that JavaScript treats in its own way as data, and refuses what no store keeps", () => {
    const made = toFrozenJson({ b: 1 }) as JsonObject; // a copy of an object is one
    for (const name of ["__proto__", "10", "a"])
      expect(canonicalJson(frozenWith(made, name, "x"))).toBe(canonicalJson(JSON.parse(`{"b":1,"${name}":"x"}`)));
    expect(() => frozenWith(made, "a", "\0")).toThrow(/NUL/);
  });
});

describe("pointers", () => {
  it("lead back to each leaf", () => {
    fc.assert(
      fc.property(plain, (value) => {
        const json = toFrozenJson(value);
        for (const leaf of leavesOf(json)) expect(atPointer(json, leaf.pointer)).toEqual(leaf.value);
      }),
    );
  });

  it("lead to own members only", () => {
    expect(atPointer({ a: 1 }, "/constructor")).toBeUndefined();
    expect(atPointer({ a: [1, 2] }, "/a/1")).toBe(2);
    expect(atPointer({ "a/b": { "c~d": 3 } }, "/a~1b/c~0d")).toBe(3);
  });
});

function isFrozenThrough(value: unknown): boolean {
  return typeof value !== "object" || value === null || (Object.isFrozen(value) && Object.values(value).every(isFrozenThrough));
}

function refusal(run: () => unknown): unknown {
  try {
    return run();
  } catch (thrown) {
    return thrown;
  }
}
