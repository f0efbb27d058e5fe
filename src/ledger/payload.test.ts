import { describe, expect, test } from "vitest";
import { isCountersignError } from "../contract/errors.ts";
import { limits } from "../contract/limits.ts";
import { commitmentOf, payloadKeys } from "./payload.ts";

const entryId = "01890a5d-ac96-774b-bcce-b302099a8057";
const keys = payloadKeys(Buffer.alloc(32, 7));
const salt = "00112233445566778899aabbccddeeff";
const short = [{ name: "stop", salt, text: '{"detail":"no such device"}' }];
const long = [
  { name: "proposal", salt, text: JSON.stringify({ summary: "Replace the laptop. ".repeat(1_000) }) },
  { name: "trace", salt: salt.replaceAll("0", "9"), text: '["Ünïcode","😀"]' },
];

function codeOf(work: () => unknown): string {
  try {
    work();
  } catch (thrown) {
    return isCountersignError(thrown) ? thrown.code : String(thrown);
  }
  return "nothing thrown";
}

describe("a payload", () => {
  test.each([
    ["short", short],
    ["long", long],
    ["without a body", []],
  ])("comes back as it was: %s", (_, bodies) => {
    const body = keys.encrypt({ tenant: "acme", entryId, bodies });
    expect(keys.decrypt({ tenant: "acme", entryId, body })).toEqual(bodies);
  });

  test("shows nothing of its bodies and is never the same twice", () => {
    const first = keys.encrypt({ tenant: "acme", entryId, bodies: short });
    expect(first.includes("device")).toBe(false);
    expect(first.equals(keys.encrypt({ tenant: "acme", entryId, bodies: short }))).toBe(false);
  });

  test("is unreadable under another tenant, entry or root key", () => {
    const body = keys.encrypt({ tenant: "acme", entryId, bodies: long });
    expect(codeOf(() => keys.decrypt({ tenant: "globex", entryId, body }))).toBe("payload_unreadable");
    expect(codeOf(() => keys.decrypt({ tenant: "acme", entryId: entryId.replace("7", "8"), body }))).toBe("payload_unreadable");
    expect(codeOf(() => payloadKeys(Buffer.alloc(32, 8)).decrypt({ tenant: "acme", entryId, body }))).toBe("payload_unreadable");
  });

  test("is unreadable after any one bit was turned, and when it was cut", () => {
    const body = keys.encrypt({ tenant: "acme", entryId, bodies: short });
    for (let at = 0; at < body.length; at += 1) {
      const turned = Buffer.from(body);
      turned[at] = (turned[at] ?? 0) ^ 1;
      expect(codeOf(() => keys.decrypt({ tenant: "acme", entryId, body: turned }))).toBe("payload_unreadable");
    }
    for (const length of [0, 1, 28, body.length - 1]) {
      expect(codeOf(() => keys.decrypt({ tenant: "acme", entryId, body: body.subarray(0, length) }))).toBe("payload_unreadable");
    }
  });

  test("that is long is stored shorter than it is, a short one without the detour", () => {
    const stored = (bodies: typeof short) => keys.encrypt({ tenant: "acme", entryId, bodies }).length;
    const written = (bodies: typeof short) =>
      bodies.reduce((sum, { name, salt: own, text }) => sum + name.length + own.length + text.length, 0);
    expect(stored(long)).toBeLessThan(written(long) / 10);
    expect(stored(short)).toBeGreaterThan(written(short));
  });

  test("that is larger than the limit is refused before it is written", () => {
    const bodies = [{ name: "context", salt, text: JSON.stringify("a".repeat(limits.payloadBytes)) }];
    expect(codeOf(() => keys.encrypt({ tenant: "acme", entryId, bodies }))).toBe("too_large");
  });
});

describe("keys", () => {
  test("of the wrong length are refused", () => {
    expect(codeOf(() => payloadKeys(Buffer.alloc(31)))).toBe("configuration_invalid");
  });

  test("hash the same text differently for each tenant, and stay the same over a restart", () => {
    const hashOf = (tenant: string) => keys.keyedHash({ tenant, text: "my laptop is broken" });
    expect(hashOf("acme")).not.toBe(hashOf("globex"));
    expect(payloadKeys(Buffer.alloc(32, 7)).keyedHash({ tenant: "acme", text: "my laptop is broken" })).toBe(hashOf("acme"));
  });

  test("commitments can be made again with any SHA-256 program", () => {
    // printf '%s%s' abc '{"a":1}' | sha256sum
    expect(commitmentOf({ salt: "abc", text: '{"a":1}' })).toBe(
      "62de7fc29a6144bf049a4c6b18ffc63a51131bb6acc1496e50ba3b27b6a2a42b",
    );
  });
});

describe("a tenant's own salt", () => {
  const salts = new Map<string, Buffer | null>([["acme", Buffer.alloc(32, 1)]]);
  const salted = payloadKeys(Buffer.alloc(32, 7), undefined, { saltOf: (tenant) => salts.get(tenant), know: async () => {} });
  const one = { tenant: "acme", entryId, bodies: short };

  test("is part of the tenant's key: without it, or with another, nothing opens", () => {
    const body = salted.encrypt(one);
    expect(salted.decrypt({ tenant: "acme", entryId, body })).toEqual(short);
    expect(codeOf(() => keys.decrypt({ tenant: "acme", entryId, body }))).toBe("payload_unreadable");
    salts.set("acme", Buffer.alloc(32, 2));
    expect(codeOf(() => salted.decrypt({ tenant: "acme", entryId, body }))).toBe("payload_unreadable");
  });

  test("that was destroyed, or never looked up, leaves no key to write or read with", () => {
    salts.set("acme", Buffer.alloc(0));
    expect(codeOf(() => salted.encrypt(one))).toBe("payload_unreadable");
    expect(codeOf(() => salted.keyedHash({ tenant: "acme", text: "x" }))).toBe("payload_unreadable");
    expect(codeOf(() => salted.encrypt({ ...one, tenant: "globex" }))).toBe("payload_unreadable");
  });

  test("of a tenant that never had one leaves the key as it was", () => {
    salts.set("acme", null);
    expect(keys.decrypt({ tenant: "acme", entryId, body: salted.encrypt(one) })).toEqual(short);
  });
});
