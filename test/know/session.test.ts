import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { memoryOf } from "../../src/contract/context.ts";
import type { MemoryRule } from "../../src/contract/memory.ts";
import { everything, type Principal } from "../../src/contract/principal.ts";
import { createDecider, type Decider } from "../../src/decider.ts";
import { defineCapability } from "../../src/define/capability.ts";
import { defineDeciding } from "../../src/define/deciding.ts";
import { defineProject } from "../../src/define/project.ts";
import { payloadKeys } from "../../src/ledger/payload.ts";
import { replayKept } from "../../src/replay.ts";
import { systemClock } from "../../src/store/clock.ts";
import { type Database, openDatabase } from "../../src/store/database.ts";
import { uuidIds } from "../../src/store/ids.ts";
import { environmentVault } from "../../src/vault/environment.ts";
import { shippedPolicy } from "../setup/policy.ts";
import { createMigratedDatabase, type MigratedDatabase } from "../setup/project-database.ts";

// What a session remembers of itself: the notes that its decisions left, read under who asks, and what waits for a person.
const hour = 3_600_000;
const turns: MemoryRule = { of: "turn", scope: "session", most: 4, keepMs: hour };
const past: MemoryRule = { of: "decision", scope: "user", most: 10, keepMs: hour };
const common = { version: "1", owner: "desk", openTo: ["employee"], input: z.strictObject({ text: z.string() }), checks: [] };

const say = defineCapability<{ text: string }, { said: string }>({
  ...common,
  ...{ name: "say", description: "Says it." },
  decision: z.strictObject({ said: z.string() }),
  needs: () => [],
  deciding: { kind: "rule", version: "1", rule: ({ inputs }) => ({ said: inputs.text }) },
  propose: ({ decision }) => ({ summary: decision.said }),
});
const hold = defineCapability<{ text: string }, { said: string }>({
  ...common,
  ...{ name: "hold", description: "Says it once somebody has read it.", review: "before_delivery" },
  decision: z.strictObject({ said: z.string() }),
  needs: () => [],
  deciding: { kind: "rule", version: "1", rule: ({ inputs }) => ({ said: inputs.text }) },
  propose: ({ decision }) => ({ summary: decision.said }),
});
const seenForm = z.strictObject({ turns: z.array(z.string()), past: z.array(z.string()), runtime: z.json() });
const look = defineCapability<{ text: string }, z.infer<typeof seenForm>>({
  ...common,
  ...{ name: "look", description: "Says what it knows of before.", keepsInputs: true, output: { maxTextLength: 4000 } },
  decision: seenForm,
  remembers: [turns, past],
  needs: () => [
    { kind: "memory", name: "turns", of: "turn", scope: "session", limit: 4 },
    { kind: "memory", name: "past", of: "decision", scope: "user", limit: 10 },
  ],
  deciding: {
    kind: "rule",
    version: "1",
    rule: ({ context, envelope }) => ({
      turns: memoryOf(context, "turns").map(({ text }) => text),
      past: memoryOf(context, "past").map(({ text }) => text),
      runtime: envelope.runtime ?? null,
    }),
  },
  propose: ({ decision }) => ({ summary: JSON.stringify(decision) }),
});
const project = defineProject({ name: "session", capabilities: [say, hold, look] });

let store: MigratedDatabase;
let deciding: Database;
let decider: Decider;
let owner: pg.Client;
const payloadKey = randomBytes(32);
beforeAll(async () => {
  store = await createMigratedDatabase();
  owner = new pg.Client({ connectionString: store.adminUrl });
  await owner.connect();
  deciding = openDatabase({ url: store.urls.deciding, role: "deciding" });
  decider = await createDecider({
    ...{ project, database: deciding, payloadKey, policy: shippedPolicy, environment: "test", clock: systemClock },
    parts: defineDeciding({ providers: [], records: [], hiddenValues: null }),
    vault: environmentVault({ side: "deciding", env: {}, declared: { reads: [] } }),
    ids: uuidIds(systemClock),
    place: { region: "eu", flags: ["new_terms"] },
    onError: () => {},
  });
});
afterAll(async () => {
  await decider?.close();
  await deciding?.close();
  await owner?.end();
  await store?.drop();
});

const person = (id: string, own: Partial<Principal> = {}): Principal => ({
  ...{ tenant: "acme", id, roles: ["employee"], attributes: {}, onBehalfOf: null, allow: everything },
  ...own,
});
const ask = (principal: Principal, capability: string, text: string, session: string | null = null) =>
  decider.decide({ principal, capability, inputs: { text }, session });

async function looked(principal: Principal, session: string | null) {
  const { summary, id } = await ask(principal, "look", "?", session);
  return { id, seen: seenForm.parse(JSON.parse(summary ?? "null")) };
}

describe("a session", () => {
  it("remembers its last turns, newest first, and no more than the rule keeps", async () => {
    const ada = person("ada");
    for (const word of ["one", "two", "three", "four", "five"]) await ask(ada, "say", word, "s-1");
    const { seen } = await looked(ada, "s-1");
    expect(seen.turns).toEqual(
      ["five", "four", "three", "two"].map((word) => `say: ${word} (auto by no_effects; every check passed)`),
    );
    expect(seen.runtime).toEqual({ session: "s-1", workflow: null, openApprovals: [], region: "eu", flags: ["new_terms"] });
  });

  it("is scrubbed between sessions and people: another one, none, a stale one, an agent and another tenant see nothing", async () => {
    const ben = person("ben");
    await ask(ben, "say", "a secret of ben", "s-2");
    for (const [principal, session] of [
      [ben, "s-3"],
      [ben, null],
      [person("eve"), "s-2"],
      [person("bot", { onBehalfOf: "ben" }), "s-2"],
      [person("ben", { onBehalfOf: "eve" }), "s-2"],
      [person("ben", { tenant: "globex" }), "s-2"],
    ] as const)
      expect((await looked(principal, session)).seen.turns, session ?? "none").toEqual([]);
    // Beside the session: what ben himself decided before, whatever the session; nobody else's.
    expect((await looked(ben, null)).seen.past.at(-1)).toContain("a secret of ben");
    expect(JSON.stringify((await looked(person("eve"), "s-2")).seen)).not.toContain("ben");
  });

  it("knows an approval of three turns ago, and tells no words that nobody has released", async () => {
    const cleo = person("cleo");
    const held = await ask(cleo, "hold", "the words that wait", "s-4");
    for (const word of ["one", "two"]) await ask(cleo, "say", word, "s-4");
    const { seen } = await looked(cleo, "s-4");
    expect(seen.turns.at(-1)).toBe("hold: waits for a person");
    expect(JSON.stringify(seen)).not.toContain("the words that wait");
    expect(seen.runtime).toMatchObject({ openApprovals: [{ decisionId: held.id, capability: "hold", at: held.at }] });
    // Nobody else knows of it, also in a session of that name.
    expect((await looked(person("eve"), "s-4")).seen.runtime).toMatchObject({ openApprovals: [] });
  });

  it("keeps what was stopped as stopped, and says of what was erased that it was", async () => {
    const dan = person("dan");
    await ask(dan, "say", "gone soon", "s-5");
    await expect(
      decider.decide({ principal: dan, capability: "say", inputs: { wrong: 1 }, session: "s-5" }),
    ).rejects.toMatchObject({
      code: "input_invalid",
    });
    await owner.query("update countersign.payload set body = null, erased_at = now() where tenant = 'acme'");
    expect((await looked(dan, "s-5")).seen.turns).toEqual(["say: stopped (input_invalid)", "say: its note was erased"]);
  });

  it("is replayed as it was then, whatever it remembers today", async () => {
    const fay = person("fay");
    await ask(fay, "say", "before", "s-6");
    const { id } = await looked(fay, "s-6");
    await ask(fay, "say", "after", "s-6");
    const keys = payloadKeys(payloadKey, undefined, deciding);
    const replay = await replayKept({ project, policy: shippedPolicy, database: deciding, keys, decisionId: id });
    expect(replay).toMatchObject({ kind: "same" });
  });

  it("is held to an account's list of record queries", async () => {
    const gil = person("gil", { allow: { ...everything, records: ["memory.decision"] } });
    await ask(gil, "say", "listed", "s-7");
    const { seen } = await looked(gil, "s-7");
    expect([seen.turns, seen.past]).toEqual([[], ["say: listed (auto by no_effects; every check passed)"]]);
  });
});
