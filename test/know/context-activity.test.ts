import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import type { ContextItem } from "../../src/contract/context.ts";
import { everything, type Principal } from "../../src/contract/principal.ts";
import type { ContextActivity } from "../../src/contract/retrieval.ts";
import { createDecider, type Decider } from "../../src/decider.ts";
import { defineCapability } from "../../src/define/capability.ts";
import { defineDeciding } from "../../src/define/deciding.ts";
import { defineProject } from "../../src/define/project.ts";
import { fileDocument } from "../../src/know/search/write.ts";
import { payloadKeys } from "../../src/ledger/payload.ts";
import { pooledRandom } from "../../src/ledger/random.ts";
import { replayKept } from "../../src/replay.ts";
import { systemClock } from "../../src/store/clock.ts";
import { type Database, openDatabase } from "../../src/store/database.ts";
import { uuidIds } from "../../src/store/ids.ts";
import { scriptedProvider } from "../../src/testing/index.ts";
import { environmentVault } from "../../src/vault/environment.ts";
import { filedVersion } from "../setup/filed-version.ts";
import { shippedPolicy } from "../setup/policy.ts";
import { createMigratedDatabase, type MigratedDatabase } from "../setup/project-database.ts";

// What comes of passages that say the same, of the budget of a context and of a plan of retrieval, over the real search.
const model = { provider: "scripted", id: "desk-2026-02-01", effort: "none", temperature: 0 } as const;
const look = defineCapability<{ text: string }, { found: string[] }>({
  ...{
    name: "look",
    version: "1",
    owner: "desk",
    description: "Looks.",
    openTo: ["employee"],
    checks: [],
    contextTokens: 500,
    keepsInputs: true,
  },
  input: z.strictObject({ text: z.string() }),
  decision: z.strictObject({ found: z.array(z.string()) }),
  needs: ({ inputs }) =>
    // Of what this one finds, each passage is the plan's already, or says the same as one of them.
    inputs.text.startsWith("Again")
      ? [{ kind: "passages", name: "again", query: "backups kept", limit: 1, minimumScore: 0.3 }]
      : [],
  retrieval: {
    ...{ version: "1", model, request: ({ inputs }) => inputs.text },
    intents: {
      terms: {
        description: "What the terms of a region say.",
        collection: "terms",
        filters: { region: { required: true, values: ["eu", "us"] } },
        minimumScore: 0.3,
        topN: 10,
      },
    },
  },
  deciding: { kind: "rule", version: "1", rule: ({ context }) => ({ found: context.items.map(({ id }) => id) }) },
  propose: ({ decision }) => ({ summary: decision.found.join(" ") }),
});
const project = defineProject({ name: "looking", capabilities: [look] });

/** Two sub-queries of which one lacks its region, and so is not sent. */
const plan = (query: string) =>
  JSON.stringify({
    subQueries: [
      { intent: "terms", query, filters: { region: "eu" } },
      { intent: "terms", query, filters: {} },
    ],
  });
const rule = "Backups are made every six hours and they are kept for thirty days in the region of the customer";

const payloadKey = randomBytes(32);
let store: MigratedDatabase;
let deciding: Database;
let decider: Decider;
beforeAll(async () => {
  store = await createMigratedDatabase();
  const filing = openDatabase({ url: store.urls.ingesting, role: "ingesting", connections: 2 });
  const file = async (id: string, passages: string[], isAuthority = false, region = "eu") => {
    const filed = filedVersion({ id, passages, collection: "terms", scopes: ["tenant:all"], metadata: { region } });
    const { document, passages: own } = filed;
    await filing.inTenant("acme", (tx) =>
      fileDocument(tx, { tenant: "acme", document: { ...document, isAuthority }, passages: own }),
    );
  };
  await file("blog", [`${rule}.`, `${rule}. Restores are free.`]);
  await file("terms", [`${rule}.`], true);
  await file("us-terms", [`${rule}.`], true, "us");
  await file("long", [
    `Snapshots are told of at length: ${"every snapshot is verified twice. ".repeat(60)}`,
    "Snapshots cost nothing.",
  ]);
  await filing.close();
  deciding = openDatabase({ url: store.urls.deciding, role: "deciding" });
  decider = await createDecider({
    ...{
      project,
      database: deciding,
      payloadKey,
      policy: shippedPolicy,
      environment: "test",
      clock: systemClock,
    },
    parts: defineDeciding({
      providers: [
        scriptedProvider({
          name: "scripted",
          lines: [
            { purpose: "plan", when: /snapshots/, replies: [plan("snapshots")] },
            { purpose: "plan", when: /restores/, replies: [plan("backups restores kept")] },
            { purpose: "plan", when: /./, replies: [plan("backups kept")] },
          ],
        }),
      ],
      ...{ records: [], hiddenValues: null },
    }),
    vault: environmentVault({ side: "deciding", env: {}, declared: { reads: [] } }),
    ids: uuidIds(systemClock),
    onError: () => {},
  });
});
afterAll(async () => {
  await decider?.close();
  await deciding?.close();
  await store?.drop();
});

it("keeps of passages that say the same the one with authority, and names the others", async () => {
  const { context, activity } = await loadedFor("How long are backups kept?");
  expect(context.map(({ id }) => id)).toEqual(["passage:terms:1:1"]);
  expect(context[0]).toMatchObject({ isAuthority: true });
  expect(activity.leftOut).toEqual(
    expect.arrayContaining([
      { id: "passage:blog:1:1", need: "terms_1", why: "duplicate", sameAs: "passage:terms:1:1" },
      { id: "passage:blog:1:2", need: "terms_1", why: "duplicate", sameAs: "passage:terms:1:1" },
    ]),
  );
});

it("never leaves out the last passage that holds a word of a query", async () => {
  const { context } = await loadedFor("Do restores cost, and how long are backups kept?");
  expect(context.map(({ id }) => id).sort()).toEqual(["passage:blog:1:2", "passage:terms:1:1"]);
});

it("sends a sub-query with its filters in the query, and not one without those that are required", async () => {
  const { activity } = await loadedFor("How long are backups kept?");
  expect(activity.plan?.subQueries.map(({ need, outcome }) => [need, outcome])).toEqual([
    ["terms_1", "found"],
    ["terms_2", "refused"],
  ]);
  expect(activity.searches).toMatchObject([
    { need: "terms_1", activity: { filters: { collection: "terms", metadata: { region: "eu" } } } },
  ]);
  expect(JSON.stringify(activity)).not.toContain("us-terms");
  expect(activity.searches[0]?.activity.legs.find(({ name }) => name === "lexical")?.ranks).toContain("passage:terms:1:1");
});

it("holds the context to its budget and names what was cut", async () => {
  const { context, activity } = await loadedFor("What of snapshots?");
  expect(context.map(({ id }) => id)).toEqual(["passage:long:1:2"]);
  expect(activity.leftOut).toEqual([{ id: "passage:long:1:1", need: "terms_1", why: "beyond_budget", sameAs: null }]);
  expect(activity.tokens.estimated).toBeLessThanOrEqual(500);
});

it("is gone over again as it was, with a plan, and where nothing is left of what one need found", async () => {
  const { id, context } = await loadedFor("Again: how long are backups kept?");
  expect(new Set(context.map(({ need }) => need)).size).toBe(1);
  const keys = payloadKeys(payloadKey, pooledRandom(), deciding);
  expect(await replayKept({ project, policy: shippedPolicy, database: deciding, keys, decisionId: id })).toMatchObject({
    kind: "same",
  });
});

async function loadedFor(text: string): Promise<{ id: string; context: readonly ContextItem[]; activity: ContextActivity }> {
  const of = (id: string, roles: string[]): Principal => ({
    tenant: "acme",
    id,
    roles,
    attributes: {},
    onBehalfOf: null,
    allow: everything,
  });
  const { id: decisionId } = await decider.decide({ principal: of("emp-1", ["employee"]), capability: "look", inputs: { text } });
  const [outcome] = await decider.story({ principal: of("aud-1", ["auditor"]), decisionId });
  // As `exit` keeps them.
  const body = outcome?.body as unknown as { bodies: Awaited<ReturnType<typeof loadedFor>> } | undefined;
  if (body === undefined) throw new Error("no outcome");
  return { ...body.bodies, id: decisionId };
}
