import { hash } from "node:crypto";
import canonicalize from "canonicalize";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { EntryDraft } from "../contract/entry.ts";
import { isCountersignError } from "../contract/errors.ts";
import { canonicalJson, isKeepableText, type Json, type JsonObject } from "../contract/json.ts";
import { buildEntry, columnsOf } from "./entries.ts";
import { commitmentOf, payloadKeys } from "./payload.ts";
import { pooledRandom } from "./random.ts";

const keys = payloadKeys(Buffer.alloc(32, 7));
const random = pooledRandom();
const draft: EntryDraft = {
  id: "01890a5d-ac96-774b-bcce-b302099a8057",
  tenant: "acme",
  kind: "observed",
  ts: 1_764_460_800_000,
  writer: "acting",
  decisionId: "01890a5d-ac96-774b-bcce-b302099a8058",
  cause: null,
  facts: { operationId: "o-1", verdict: "complete", capability: "replace-device" },
  bodies: { observed: { status: "replaced" }, expected: { status: "replaced" } },
};

const keepable = fc.string({ unit: "binary", maxLength: 12 }).filter(isKeepableText);
const json = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.constant(null),
    fc.boolean(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer(),
    keepable,
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(keepable, tie("value"), { maxKeys: 5 }),
  ),
})).value;

describe("canonical bytes", () => {
  test("are those of the RFC 8785 library for any JSON value", () => {
    fc.assert(
      fc.property(json, (value) => canonicalJson(value) === canonicalize(value)),
      { numRuns: 2_000 },
    );
  });

  test("of an entry are those of the library, parse back to it, and give its hash", () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.stringMatching(/^[a-z]{1,8}Fact$/), fc.oneof(fc.maxSafeInteger(), keepable, fc.boolean())),
        (facts) => {
          const { bytes, hash: told } = buildEntry({ draft: { ...draft, facts }, keys, random });
          expect(bytes).toBe(canonicalize(JSON.parse(bytes)));
          expect(JSON.parse(bytes)).toMatchObject({ ...facts, id: draft.id, kind: "observed", v: 1 });
          expect(told).toBe(hash("sha256", bytes, "hex"));
        },
      ),
    );
  });
});

describe("an entry", () => {
  test("holds commitments to its bodies and nothing of the bodies themselves", () => {
    const { bytes, payload, id } = buildEntry({ draft, keys, random });
    expect(bytes).not.toContain("replaced");
    // Canonical JSON of an object.
    const { commitments } = JSON.parse(bytes) as { commitments: JsonObject };
    const opened = keys.decrypt({ tenant: "acme", entryId: id, body: payload ?? Buffer.alloc(0) });
    expect(Object.fromEntries(opened.map((body) => [body.name, commitmentOf(body)]))).toEqual(commitments);
    expect(opened.map(({ name }) => name)).toEqual(["expected", "observed"]);
  });

  test("commits to the same body differently each time, since its salt is drawn", () => {
    const [first, second] = [buildEntry({ draft, keys, random }), buildEntry({ draft, keys, random })];
    expect(first.hash).not.toBe(second.hash);
  });

  test("repeats in its columns what its bytes say", () => {
    const { bytes, columns } = buildEntry({ draft, keys, random });
    expect(columnsOf(JSON.parse(bytes))).toEqual(columns);
    expect(columns).toMatchObject({ tenant: "acme", kind: "observed", capability: "replace-device", route: null, effects: 0 });
  });

  test.each([
    ["a fraction", { share: 0.5 }],
    ["a fraction far down", { list: [{ share: 1.25 }] }],
    ["an integer that JSON readers round", { n: 2 ** 53 }],
    ["NUL", { text: "a\0b" }],
    ["a lone surrogate", { text: "\ud800" }],
  ])("with %s is refused", (_, facts) => {
    expect(() => buildEntry({ draft: { ...draft, facts }, keys, random })).toThrow(
      expect.toSatisfy((thrown: unknown) => isCountersignError(thrown, "unserialisable")),
    );
  });

  test("whose facts would overwrite a field of its own is refused", () => {
    expect(() => buildEntry({ draft: { ...draft, facts: { tenant: "globex" } }, keys, random })).toThrow(/`tenant`/);
  });
});
