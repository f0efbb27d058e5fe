import { describe, expect, it } from "vitest";
import { envelope, lendProjector, loaded, passage, projector } from "../../../test/decide/samples.ts";
import type { OutputRules } from "../../contract/capability.ts";
import type { Json } from "../../contract/json.ts";
import type { HiddenSearch } from "../../contract/ports.ts";
import { createTestDeps, impatientDeadline } from "../../testing/index.ts";

import type { Deps } from "../state.ts";
import { type GuardedOutput, runGuards } from "./run-guards.ts";

const rules = { maxTextLength: 120, linkHosts: ["help.example"], forbidden: ["we guarantee"] };
const blockedBy = (guard: string) => ({ kind: "blocked", guard, reason: expect.any(String) });

describe("the output guards", () => {
  it("let an ordinary output through as it is", async () => {
    const output = { text: "Room r1 opens at 07:00. See https://help.example/rooms", n: 7, list: [true, null] };
    expect(await guard(output)).toEqual({ kind: "passed", output });
  });

  describe("secrets", () => {
    it.each([
      ["a private key", "-----BEGIN RSA PRIVATE KEY-----"],
      ["an API key", `sk-live-${"a1".repeat(10)}`],
      ["a cloud key", "AKIA0123456789ABCDEF"],
      ["a repository token", `ghp_${"x".repeat(36)}`],
      ["a signed token", `eyJ${"a".repeat(20)}.eyJ${"b".repeat(20)}.${"c".repeat(20)}`],
      ["a database URL with its password", "postgres://app:hunter2@db.example/app"],
      ["a cloud key with an invisible character in it", "AKIA0123\u2060456789ABCDEF"],
      ["a cloud key behind an invisible character", "x\u200BAKIA0123456789ABCDEF"],
    ])("block %s", async (_what, text) => {
      expect(await guard({ text: `it is ${text} here` })).toEqual(blockedBy("secrets"));
    });

    it.each<[string, Json]>([
      ["in a text", { text: "the word is Canary/7~f3" }],
      ["in other case", { text: "CANARY/7~F3" }],
      ["in a key", { "Canary/7~f3": "x" }],
      ["in the key of an empty object", { deep: [{ "Canary/7~f3": {} }] }],
      ["in the key of an empty list", { "Canary/7~f3": [] }],
      ["with an invisible character in it", { text: "Can\u200Bary/7~f3" }],
      ["in wide letters", { text: "Ｃanary/7~f3" }],
    ])("block a canary %s", async (_where, output) => {
      expect(await guard(output, { canaries: ["", "Canary/7~f3"] })).toEqual(blockedBy("secrets"));
    });
  });

  describe("personal data", () => {
    const hidden = (...values: string[]) => ({
      hiddenValues: { findHidden: async ({ texts }: HiddenSearch) => values.filter((value) => texts.join("\n").includes(value)) },
    });

    it.each<[string, Json]>([
      ["in a text", { text: "her salary is 61000" }],
      ["as a number", { salary: 61_000 }],
      ["in a key", { "61000": 1 }],
      ["in the key of an empty object", { "61000": {} }],
      ["with an invisible character in it", { text: "61\u00AD000" }],
      ["in wide digits", { text: "６１０００" }],
    ])("block a value that is hidden from the requester %s", async (_where, output) => {
      expect(await guard(output, hidden("61000"))).toEqual(blockedBy("personal_data"));
    });

    it("compare hidden values without regard to case, and let those pass that the requester wrote", async () => {
      expect(await guard({ text: "ask LINA PETROV" }, hidden("lina petrov"))).toEqual(blockedBy("personal_data"));
      expect(
        await guard({ text: "ask Lina Petrov" }, { ...hidden("lina petrov"), inputs: { text: "is Lina Petrov in?" } }),
      ).toMatchObject({ kind: "passed" });
    });

    it("do not take a longer word of the request for the hidden value", async () => {
      expect(await guard({ text: "Ann has it" }, { ...hidden("ann"), inputs: { text: "the Annual report" } })).toEqual(
        blockedBy("personal_data"),
      );
    });

    it("block whatever the search found, and let those pass that the requester wrote with invisible characters", async () => {
      const found = { hiddenValues: { findHidden: async () => ["LT-2051"] } };
      expect(await guard({ text: "fine" }, found)).toEqual(blockedBy("personal_data"));
      expect(await guard({ text: "fine" }, { ...found, inputs: { text: "is it lt\u200B-2051?" } })).toMatchObject({
        kind: "passed",
      });
    });

    it.each(["bo\u200Bb@x.example", "bob＠x.example", "bob@x\u00AD.example"])(
      "block the address `%s`, which cannot be cut out as it is written, unless it may be said",
      async (address) => {
        expect(await guard({ text: `mail ${address} now` })).toEqual(blockedBy("personal_data"));
        const inputs = { text: "my mail is bob@x.example" };
        expect(await guard({ text: `mail bob@x.example now` }, { inputs })).toMatchObject({ kind: "passed" });
      },
    );

    it("cut out addresses that neither request nor context holds, in any case", async () => {
      const output = { text: "Mail BOB@X.EXAMPLE, jane.doe+tax@x.example or ob@x.example", list: ["bob@x.example"] };
      const removed = "[address removed]";
      expect(await guard(output)).toEqual({
        kind: "passed",
        output: { text: `Mail ${removed}, ${removed} or ${removed}`, list: [removed] },
      });
    });

    it("keep addresses of the request and of the context, whatever their case", async () => {
      const inputs = { text: "my mail is Bob@x.example" };
      const context = loaded({ ...passage, kind: "passage", need: "rules", text: "Desk: desk@x.example." });
      const output = { text: "BOB@x.example wrote to desk@x.example" };
      expect(await guard(output, { inputs, context })).toEqual({ kind: "passed", output });
      expect(await guard({ text: "ob@x.example" }, { inputs, context })).toEqual({
        kind: "passed",
        output: { text: "[address removed]" },
      });
    });

    it("block more addresses than can be looked at one by one", async () => {
      const many = (count: number) => ({ list: Array.from({ length: count }, (_none, place) => `a${place}@x.example`) });
      expect(await guard(many(100))).toMatchObject({ kind: "passed" });
      expect(await guard(many(101))).toEqual(blockedBy("personal_data"));
    });

    it("block an address in a key, since a key cannot be cut", async () => {
      expect(await guard({ owners: { "bob@x.example": "laptop" } })).toEqual(blockedBy("personal_data"));
    });
  });

  describe("forbidden statements", () => {
    it.each(["We guarantee it", "we\n  GUARANTEE", "ｗｅ ｇｕａｒａｎｔｅｅ", "we guar\u200Bantee"])(
      "block `%s`",
      async (text) => {
        expect(await guard({ text })).toEqual(blockedBy("forbidden_statements"));
      },
    );
  });

  describe("length and links", () => {
    it("block a text over the limit and pass one at it", async () => {
      expect(await guard({ text: "x".repeat(121) })).toEqual(blockedBy("length_and_links"));
      expect(await guard({ text: "x".repeat(120) })).toMatchObject({ kind: "passed" });
    });

    it.each([
      "See https://help.example.",
      "(https://help.example)",
      "https://help.example, then wait",
      "https://HELP.example:8443/a?b=c@evil.example#d",
      "<https://help.example/a>",
      "use https: it is safer",
      "From the data: 7 rooms. Profile: none. File: a.pdf",
      "and/or, 1//2",
    ])("pass `%s`", async (text) => {
      expect(await guard({ text })).toMatchObject({ kind: "passed" });
    });

    it.each([
      "https://evil.example",
      "https://help.example@evil.example",
      "https://user@help.example",
      "https://help.example\\@evil.example",
      "https://evil.example\\@help.example",
      "https://help.example)@evil.example",
      "https://help.example'@evil.example",
      "https://help.example>@evil.example",
      "https://help.example.evil.example",
      "https://nothelp.example",
      `https://${"x".repeat(20)}@help.example.evil.example`,
      "https:///evil.example",
      "https:/evil.example",
      "https:evil.example",
      "https:\\\\evil.example",
      "HTTPS://EVIL.example",
      "ftp://evil.example",
      "[a](//evil.example/x)",
      "[a](\\\\evil.example/x)",
      "https://help\u3002example",
      "https://[::1]/",
      "javascript:alert(1)",
      "JavaScript: alert(1)",
      "data:text/html,x",
      "data:,x",
      "data:;base64,eA==",
      "file:///etc/passwd",
    ])("block `%s`", async (text) => {
      expect(await guard({ text })).toEqual(blockedBy("length_and_links"));
    });

    it("block a port-shaped password before the true host", async () => {
      expect(await guard({ text: "https://help.example:443@evil.example/" })).toMatchObject({ kind: "blocked" });
    });

    it("read an authority to its end, however long it is", async () => {
      const text = `https://${"x".repeat(242)}@help.example.evil.example`;
      expect(await guard({ text }, { rules: { ...rules, maxTextLength: 1000 } })).toEqual(blockedBy("length_and_links"));
    });

    it("block a link in a key", async () => {
      expect(await guard({ "https://evil.example": 1 })).toEqual(blockedBy("length_and_links"));
    });
  });

  it("never repeat what they found", async () => {
    const ruling = await guard({ text: "61000" }, { hiddenValues: { findHidden: async () => ["61000"] } });
    expect(JSON.stringify(ruling)).not.toContain("61000");
  });

  it.each([
    "1.1.",
    "a",
    "123-45-",
    " ",
    "a@",
    "a.",
    "@a.",
    "a@a.",
    "https:",
    "https://a@",
    "//",
    "(//a.",
    "data:",
    "data:a",
    "postgres://a:",
    "eyJa",
    "AKIA",
    "\u200B",
  ])("take linear time on 200,000 characters of `%s`", async (piece) => {
    const before = process.cpuUsage();
    await guard({ text: piece.repeat(200_000 / piece.length) }, { rules: { ...rules, maxTextLength: 300_000 } });
    // What takes quadratic time here takes five times as long and more; processor time, since the machine has other work.
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(2000);
  });
});

describe("an output guard that is down blocks", () => {
  it.each<[string, Situation]>([
    ["secrets", throwing("canaries")],
    ["personal_data", { hiddenValues: { findHidden: () => Promise.reject(new Error("500")) } }],
    ["personal_data", { hiddenValues: { findHidden: thrower } }],
  ])("%s, whose port throws", async (name, deps) => {
    expect(await guard({ text: "fine" }, deps)).toEqual({ kind: "blocked", guard: name, reason: "the guard could not be run" });
  });

  it.each<[string, keyof OutputRules]>([
    ["forbidden_statements", "forbidden"],
    ["length_and_links", "maxTextLength"],
    ["length_and_links", "linkHosts"],
  ])("%s, whose rule `%s` cannot be read", async (name, rule) => {
    expect(await guard({ text: "fine" }, { rules: Object.assign(throwing(rule), without(rule)) })).toMatchObject({
      kind: "blocked",
      guard: name,
    });
  });

  it("when its port never answers", async () => {
    const silent = { hiddenValues: { findHidden: () => new Promise<never>(() => {}) }, deadline: impatientDeadline };
    expect(await guard({ text: "fine" }, silent)).toEqual({
      kind: "blocked",
      guard: "personal_data",
      reason: "the guard could not be run",
    });
  });

  it("when its port dies between the cut and the second look", async () => {
    let calls = 0;
    const findHidden = async () => {
      calls += 1;
      if (calls > 1) throw new Error("500");
      return [];
    };
    expect(await guard({ text: "bob@x.example" }, { hiddenValues: { findHidden } })).toMatchObject({
      kind: "blocked",
      guard: "personal_data",
    });
  });
});

interface Situation extends Partial<Omit<Deps, "context">> {
  readonly inputs?: unknown;
  readonly context?: ReturnType<typeof loaded>;
  readonly rules?: OutputRules;
}

function guard(output: Json, situation: Situation = {}): Promise<GuardedOutput> {
  const { inputs = { text: "a projector, please" }, context = loaded(projector), rules: own = rules } = situation;
  const made = createTestDeps({ capability: { ...lendProjector(), output: own } });
  // A spread would read a getter that throws, so what is down is put over the made deps as it is.
  const { inputs: _, context: __, rules: ___, ...deps } = Object.getOwnPropertyDescriptors(situation);
  return runGuards({ output, inputs, envelope, context, deps: Object.defineProperties(made, deps) });
}

function thrower(): never {
  throw new Error("down");
}

// The value is never read: reading it throws.
function throwing<K extends string>(key: K): Record<K, never> {
  return Object.defineProperty({}, key, { get: thrower, enumerable: true, configurable: true }) as Record<K, never>;
}

function without(rule: keyof OutputRules): OutputRules {
  return Object.fromEntries(Object.entries(rules).filter(([name]) => name !== rule)) as unknown as OutputRules; // the one left out throws
}
