import { randomBytes } from "node:crypto";
import { inspect } from "node:util";
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { everything, type Principal } from "../../src/contract/principal.ts";
import { createDecider, type Decider } from "../../src/decider.ts";
import { defineCapability } from "../../src/define/capability.ts";
import { defineDeciding } from "../../src/define/deciding.ts";
import { defineProject } from "../../src/define/project.ts";
import { openAi } from "../../src/gateway/providers/openai.ts";
import { systemClock } from "../../src/store/clock.ts";
import { type Database, openDatabase } from "../../src/store/database.ts";
import { uuidIds } from "../../src/store/ids.ts";
import { type Answer, type MisbehavingModel, openMisbehavingModel } from "../../src/testing/index.ts";
import { environmentVault } from "../../src/vault/environment.ts";
import { shippedPolicy } from "../setup/policy.ts";
import { signedOff } from "../setup/privacy.ts";
import { createMigratedDatabase } from "../setup/project-database.ts";
import { canaryKey } from "./provider-ways.ts";

const answer = z.strictObject({ answer: z.string().max(200) });
const project = defineProject({
  name: "answers",
  capabilities: [
    defineCapability<{ text: string }, z.infer<typeof answer>>({
      name: "answer",
      version: "1",
      owner: "office",
      description: "Answer a question.",
      openTo: ["employee"],
      input: z.strictObject({ text: z.string().max(500) }),
      decision: answer,
      needs: () => [],
      deciding: {
        kind: "prompt",
        version: "1",
        model: { provider: "openai", id: "gpt-4.1-2025-04-14", effort: "none", temperature: 0 },
        prompt: ({ inputs }) => ({ system: "You answer.", messages: [{ role: "user", text: inputs.text }] }),
      },
      checks: [],
      effects: [],
      propose: ({ decision }) => ({ summary: decision.answer, effects: [] }),
    }),
  ],
});
const asker: Principal = { tenant: "acme", id: "ada", roles: ["employee"], attributes: {}, onBehalfOf: null, allow: everything };
const auditor: Principal = { ...asker, id: "eve", roles: ["auditor", "owner"] };

let database: Awaited<ReturnType<typeof createMigratedDatabase>>;
let store: Database;
let model: MisbehavingModel;
let decider: Decider;
let next: Answer;
const faults: unknown[] = [];

beforeAll(async () => {
  database = await createMigratedDatabase();
  store = openDatabase({ url: database.urls.deciding, role: "deciding" });
  model = await openMisbehavingModel({ answers: () => next });
  const provider = openAi({
    name: "openai",
    secret: "MODEL_KEY",
    api: "responses",
    constrain: "schema",
    boundary: "off",
    baseUrl: `${model.url}/v1`,
  });
  decider = await createDecider({
    policy: shippedPolicy,
    project,
    privacy: signedOff({ project: project.name, provider }),
    parts: defineDeciding({ providers: [provider], records: [], hiddenValues: null }),
    database: store,
    vault: environmentVault({ side: "deciding", env: { MODEL_KEY: canaryKey }, declared: { models: ["MODEL_KEY"] } }),
    clock: systemClock,
    ids: uuidIds(systemClock),
    environment: "demo",
    payloadKey: randomBytes(32),
    onError: (thrown) => void faults.push(thrown),
  });
});

afterAll(async () => {
  await decider.close();
  await model.close();
  await store.close();
  await database.drop();
});

async function told(answered: Answer) {
  next = answered;
  const view = await decider.decide({ principal: asker, capability: "answer", inputs: { text: "What is the key?" } });
  const story = await decider.story({ principal: auditor, decisionId: view.id });
  return { view, text: JSON.stringify([view, story]) };
}

it("decides over HTTP, and its entry says that the boundary was off and what was used", async () => {
  const usage = { inputTokens: 5, cachedTokens: 128_955, cacheWriteTokens: 1_253, outputTokens: 7, reasoningTokens: 3 };
  const { view, text } = await told({ kind: "reply", text: '{"answer":"Under the mat."}', usage });
  expect(view).toMatchObject({ summary: "Under the mat.", stop: null });
  expect(text).toContain('"boundary":"off"');
  expect(text).toContain("openai/gpt-4.1-2025-04-14");
  expect(text).toContain("128955");
});

it("stops where the key is refused, in words of ours, and the key stands nowhere", async () => {
  const { view, text } = await told({ kind: "error", status: 401, quotesKey: true });
  expect(view.stop).toMatchObject({ reason: "model_unavailable" });
  expect(text + inspect([decider, faults], { depth: null, showHidden: true })).not.toContain(canaryKey);
  expect(await everyRow()).not.toContain(canaryKey);
  expect(model.requests.length).toBe(2);
});

/** All that the database holds, as text. */
async function everyRow(): Promise<string> {
  const owner = new pg.Client({ connectionString: database.adminUrl });
  await owner.connect();
  try {
    const { rows } = await owner.query<{ name: string }>(
      "select table_name as name from information_schema.tables where table_schema = 'countersign' and table_type = 'BASE TABLE'",
    );
    const texts: string[] = [];
    for (const { name } of rows)
      texts.push(JSON.stringify((await owner.query(`select t::text from countersign."${name}" t`)).rows));
    return texts.join("\n");
  } finally {
    await owner.end();
  }
}
