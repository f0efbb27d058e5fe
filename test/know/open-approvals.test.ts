import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { defineHands } from "../../src/act/hands.ts";
import { implementEffect, through } from "../../src/act/implement.ts";
import { keeper, keptSight } from "../../src/act/keeping.ts";
import { memoryOf } from "../../src/contract/context.ts";
import { limits } from "../../src/contract/limits.ts";
import type { MemoryRule } from "../../src/contract/memory.ts";
import type { EntryKind } from "../../src/contract/words.ts";
import { createDecider, type Decider } from "../../src/decider.ts";
import { defineCapability } from "../../src/define/capability.ts";
import { defineDeciding } from "../../src/define/deciding.ts";
import { defineEffect, effectDraft } from "../../src/define/effect.ts";
import { defineProject } from "../../src/define/project.ts";
import { from } from "../../src/define/source.ts";
import type { Desk } from "../../src/desk.ts";
import { writeEntries } from "../../src/ledger/entries.ts";
import { systemClock } from "../../src/store/clock.ts";
import { environmentVault } from "../../src/vault/environment.ts";
import { forgeApproval } from "../postgres/acting/forge.ts";
import { House, people } from "../postgres/acting/house.ts";
import { shippedPolicy } from "../setup/policy.ts";

// What a session is told of its own past is what the ledger holds to be so: a decision waits for as long as nobody's answer ended it,
// and no words are told of one that was turned down or corrected.
const keepMs = 3_600_000;
const preference: MemoryRule = { of: "preference", scope: "user", most: 20, keepMs };
const turns: MemoryRule = { of: "turn", scope: "session", most: 4, keepMs };
const wish = z.strictObject({ text: z.string().max(200) });
type Wish = z.infer<typeof wish>;

const rememberWish = defineEffect<Wish>({
  ...{ name: "remember_wish", version: "1", owner: "people", params: wish, sideEffect: "mutating", reversible: true },
  risk: ({ text }) => (text.startsWith("grave") ? "high" : "low"),
  paramRules: { text: { class: "content", sources: ["principal"] } },
  describe: ({ text }) => `Remember: ${text}`,
  key: ({ text }) => `wish:${text}`,
  ...{ dedupe: "key", settleMs: 1_000 },
  before: { query: "knowledge.facts", params: () => ({ subject: "none", predicate: "title" }), project: () => null },
  expect: { state: ({ text }) => ({ text }), mayChange: [], deadlineMs: 10_000 },
});

const common = { version: "1", owner: "people", openTo: ["employee"], input: wish, checks: [] };
const saying = {
  decision: z.strictObject({ said: z.string() }),
  needs: () => [],
  deciding: { kind: "rule", version: "1", rule: ({ inputs }: { inputs: Wish }) => ({ said: inputs.text }) },
  propose: ({ decision }: { decision: { said: string } }) => ({ summary: decision.said }),
} as const;
const say = defineCapability<Wish, { said: string }>({ ...common, ...saying, name: "say", description: "Says it." });
const hold = defineCapability<Wish, { said: string }>({
  ...{ ...common, ...saying, name: "hold", description: "Says it once somebody has read it.", review: "before_delivery" },
});
const remember = defineCapability<Wish, Record<string, never>>({
  ...common,
  ...{ name: "remember", description: "Remembers a wish.", decision: z.strictObject({}), needs: () => [] },
  remembers: [preference],
  deciding: { kind: "rule", version: "1", rule: () => ({}) },
  effects: [rememberWish.erased],
  propose: ({ inputs }) => ({
    summary: "Remembered",
    effects: [effectDraft(rememberWish, { params: inputs, sources: { "/text": from.principal("/text") } })],
  }),
});
const seenForm = z.strictObject({ turns: z.array(z.string()), open: z.array(z.string()) });
const look = defineCapability<Wish, z.infer<typeof seenForm>>({
  ...common,
  ...{ name: "look", description: "Says what it knows of before.", decision: seenForm, remembers: [turns] },
  needs: () => [{ kind: "memory", name: "turns", of: "turn", scope: "session", limit: 4 }],
  deciding: {
    kind: "rule",
    version: "1",
    rule: ({ context, envelope }) => ({
      turns: memoryOf(context, "turns").map(({ text }) => text),
      open: (envelope.runtime?.openApprovals ?? []).map(({ decisionId }) => decisionId),
    }),
  },
  propose: ({ decision }) => ({ summary: JSON.stringify(decision) }),
});
const project = defineProject({ name: "people", capabilities: [say, hold, remember, look] });

const hands = defineHands({
  records: [],
  hands: [
    implementEffect(rememberWish, {
      apply: through(keeper, async (kept, { text }, { tenant, decision }) => {
        if (decision === undefined) throw new Error("memory is kept for a decision");
        return { targetId: await kept.remember({ tenant, decision, of: "preference", scope: "user", text }) };
      }),
      observe: through(keptSight, async (kept, { text }, { tenant }) => {
        const texts = await kept.memory(tenant, { of: "preference", owner: "erin", onBehalfOf: null });
        return texts.includes(text) ? { text } : null;
      }),
    }),
  ],
});

const { erin, ada, abe } = people;
let house: House;
let decider: Decider;
let desk: Desk;
beforeAll(async () => {
  house = await House.build();
  desk = house.desk({ project });
  decider = await createDecider({
    ...{ project, database: house.deciding, payloadKey: house.payloadKey, policy: shippedPolicy, environment: "demo" },
    ...{ ids: house.ids, clock: systemClock, parts: defineDeciding({ providers: [], records: [], hiddenValues: null }) },
    vault: environmentVault({ side: "deciding", env: {}, declared: { reads: [] } }),
    onError: (thrown) => {
      throw thrown;
    },
  });
});
afterAll(async () => {
  await decider?.close();
  await house?.close();
});

let sessions = 0;
/** Asks in a session of its own, in which what comes after is looked at. */
async function asked(capability: string, text: string) {
  sessions += 1;
  const session = `s-${sessions}`;
  const { id } = await decider.decide({ principal: erin, capability, inputs: { text }, session });
  await house.settled();
  const seen = async () => {
    const { summary } = await decider.decide({ principal: erin, capability: "look", inputs: { text: "?" }, session });
    const { turns: told, open } = seenForm.parse(JSON.parse(summary ?? "null"));
    return { isOpen: open.includes(id), note: told.at(-1) };
  };
  return { id, seen };
}

const work = () => house.worker({ hands, sample: { ...house.sample, project } }).runOnce();
const answer = (decisionId: string, kind: EntryKind, facts: Readonly<Record<string, string | null>>) =>
  house.deskStore.inTenant("acme", (tx) => {
    const frame = { id: house.ids.next(), tenant: "acme", ts: Date.now(), writer: "desk", decisionId, cause: null } as const;
    return writeEntries({ tx, drafts: [{ ...frame, kind, facts, bodies: {} }], keys: house.keys });
  });
const waits = (capability: string) => ({ isOpen: true, note: `${capability}: waits for a person` });

describe("a decision waits on", () => {
  it("after an approval that nobody gave was refused", async () => {
    const { id, seen } = await asked("remember", "forged");
    await forgeApproval(house, { decisionId: id, hasEntry: false });
    await work();
    expect(await house.story(id)).toEqual(["decided", expect.stringMatching(/^refused/)]);
    expect(await seen()).toEqual(waits("remember"));
  });

  it("with one signature of two, until the other one", async () => {
    const { id, seen } = await asked("remember", "grave");
    await desk.approve({ principal: ada, decisionId: id });
    expect(await seen()).toEqual(waits("remember"));
    await desk.approve({ principal: abe, decisionId: id });
    expect(await seen()).toEqual({ isOpen: false, note: expect.stringContaining("Remembered") });
  });

  it("once its signature was taken back, or its time is over", async () => {
    const { id, seen } = await asked("remember", "back");
    await desk.approve({ principal: ada, decisionId: id });
    await desk.withdraw({ principal: ada, decisionId: id });
    expect(await seen()).toEqual(waits("remember"));
    await desk.approve({ principal: ada, decisionId: id });
    house.aheadMs = limits.approvalMs + 1_000;
    await work();
    house.aheadMs = 0;
    expect(await house.story(id)).toEqual(["decided", "approved", "withdrawn", "approved", "expired"]);
    expect(await seen()).toEqual(waits("remember"));
  });

  it("after somebody tried to answer who may not, and after a correction that put nothing in its place", async () => {
    const { id, seen } = await asked("hold", "the words");
    await answer(id, "refused", { by: "eve", code: "approver_not_permitted", approvalId: null });
    await answer(id, "corrected", { by: "ada", supersededBy: null });
    expect(await seen()).toEqual(waits("hold"));
  });
});

describe("a decision waits no more", () => {
  it("once a person let it through, and is then told in full", async () => {
    const { id, seen } = await asked("hold", "let through");
    await desk.approve({ principal: ada, decisionId: id });
    expect(await seen()).toEqual({ isOpen: false, note: expect.stringContaining("let through") });
  });

  it("once a person rejected or edited it, or nobody answered, and no words of it are told", async () => {
    const rejected = await asked("hold", "turned down");
    await desk.reject({ principal: ada, decisionId: rejected.id, reason: "no" });
    expect(await rejected.seen()).toEqual({ isOpen: false, note: "hold: a person answered: rejected" });
    const edited = await asked("hold", "first words");
    await answer(edited.id, "corrected", { by: "ada", supersededBy: house.ids.next() });
    expect(await edited.seen()).toEqual({ isOpen: false, note: "hold: a person answered: corrected" });
    const late = await asked("hold", "too late");
    house.aheadMs = limits.waitingMs + 60_000;
    await work();
    house.aheadMs = 0;
    expect(await late.seen()).toEqual({ isOpen: false, note: "hold: expired before it was answered" });
  });
});

describe("what needed nobody", () => {
  it("is not told in its old words once a person has corrected it", async () => {
    const { id, seen } = await asked("say", "the wrong words");
    expect((await seen()).note).toContain("the wrong words");
    await answer(id, "corrected", { by: "ada", supersededBy: null });
    expect(await seen()).toEqual({ isOpen: false, note: "say: a person answered: corrected" });
  });
});
