import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import parts from "../../examples/it-support/decide.ts";
import { people, tenant } from "../../examples/it-support/people.ts";
import project from "../../examples/it-support/project.ts";
import sandbox from "../../examples/it-support/sandbox.ts";
import { sentences } from "../../examples/it-support/sentences.ts";
import type { Capability } from "../../src/contract/capability.ts";
import { everything } from "../../src/contract/principal.ts";
import type { DecisionView } from "../../src/contract/views.ts";
import { createDecider, type Decider } from "../../src/decider.ts";
import type { Project } from "../../src/define/project.ts";
import { payloadKeys } from "../../src/ledger/payload.ts";
import { pooledRandom } from "../../src/ledger/random.ts";
import { type Replay, replayKept } from "../../src/replay.ts";
import { systemClock } from "../../src/store/clock.ts";
import { type Database, openDatabase } from "../../src/store/database.ts";
import { uuidIds } from "../../src/store/ids.ts";
import { environmentVault } from "../../src/vault/environment.ts";
import { fileExampleDocuments } from "../setup/file-documents.ts";
import { shippedPolicy } from "../setup/policy.ts";
import { createMigratedDatabase, type MigratedDatabase } from "../setup/project-database.ts";
import { run } from "../start/installation.ts";

const payloadKey = randomBytes(32);
const keys = payloadKeys(payloadKey, pooledRandom());
const asker = {
  tenant,
  id: people.employee.id,
  roles: people.employee.roles,
  attributes: { floor: "3" },
  onBehalfOf: null,
  allow: everything,
};
const decided = new Map<string, DecisionView>();
let migrated: MigratedDatabase;
let database: Database;
let decider: Decider;

beforeAll(async () => {
  migrated = await createMigratedDatabase();
  const secrets = await sandbox.install({ adminUrl: migrated.adminUrl });
  await fileExampleDocuments({ project, example: "it-support", store: migrated });
  database = openDatabase({ url: migrated.urls.deciding, role: "deciding", connections: 2 });
  decider = await openDecider(project, secrets.deciding);
  for (const text of Object.values(sentences)) {
    const told = await decider.ask({ principal: asker, text });
    decided.set(`intake: ${text}`, told.intake);
    if (told.kind === "decided") decided.set(text, told.decision);
  }
});

afterAll(async () => {
  await decider.close();
  await database.close();
  await migrated.drop();
});

describe("a replay under the same definitions", () => {
  it("ends as the decision ended, for every sentence of the reference application and for its intake", async () => {
    const ends = new Map<string, Replay>();
    for (const [text, { id }] of decided) ends.set(text, await replay(id));
    const others = [...ends].filter(([, end]) => end.kind !== "same");
    expect(others.filter(([, end]) => end.kind === "differs")).toEqual([]);
    // What was stopped before its context was there left nothing to walk over, and values that nobody was shown are not kept.
    const reasons = { context_load: "before there was a context", output_guardrail: "a value that is not kept" };
    for (const [text, end] of others) {
      const node = decided.get(text)?.stop?.node as keyof typeof reasons; // no other node is expected, see above
      expect(end).toEqual({ kind: "cannot", missing: expect.stringContaining(reasons[node]) });
    }
    const same = [...ends].filter(([, end]) => end.kind === "same" && end.proposalDigest !== null);
    const replayed = new Set(same.map(([text]) => decided.get(text)?.capability));
    expect([...replayed].sort()).toEqual(["intake", ...project.capabilities.map(({ name }) => name)].sort());
    for (const [text, end] of same) expect(end).toEqual({ kind: "same", proposalDigest: decided.get(text)?.proposalDigest });
  });
});

describe("a replay under a definition that was changed", () => {
  const mouse = sentences.mouseByPolicy;
  it.each<[string, string, Partial<Capability>, string, string]>([
    [
      "a check that says no",
      mouse,
      { checks: [{ name: "never", run: () => ({ passed: false, evidence: "" }) }] },
      "verification",
      "check never",
    ],
    ["another prompt", mouse, { deciding: withPrompt("replace_device") }, "llm_decision", "request"],
    ["another rule", sentences.ticketByNumber, { deciding: withRule("ticket_state") }, "llm_decision", "decision"],
    ["a need less", mouse, { needs: (asked) => capability("replace_device").needs(asked).slice(1) }, "context_load", "context"],
    [
      "another bar for inputs",
      mouse,
      { input: z.strictObject({ text: z.string().max(5) }) as Capability["input"] },
      "pre_check",
      "stop",
    ],
    ["another weight of the model's own number", mouse, { modelConfidence: () => 1 }, "confidence_compose", "confidencePpm"],
    ["another slice", mouse, { slice: () => "other" }, "routing", "slice"],
    ["another proposal", mouse, { propose: inOtherWords("replace_device") }, "prepare_proposal", "proposal"],
    ["another version", mouse, { version: "2" }, "prepare_proposal", "proposal"],
    ["another word for it", mouse, { label: () => "other" }, "exit", "label"],
    ["a guard that forbids a word", mouse, { output: forbidding("mouse") }, "output_guardrail", "stop"],
  ])("names the node: %s", async (_what, text, change, node, part) => {
    const view = decided.get(text);
    if (view === undefined) throw new Error(`nothing was decided on ${text}`);
    const end = await replay(view.id, changed(view.capability, change));
    expect(end).toMatchObject({ kind: "differs", node, parts: expect.arrayContaining([part]) });
  });

  it("says so where the capability is gone", async () => {
    const { id } = view(mouse);
    const end = await replay(id, { ...project, capabilities: [] });
    expect(end).toEqual({ kind: "cannot", missing: "the project has no capability `replace_device` any more" });
  });
});

describe("a replay of what was not kept", () => {
  it("says that the inputs were not kept", async () => {
    const secrets = await sandbox.install({ adminUrl: migrated.adminUrl });
    const forgetful = await openDecider(changed("ticket_state", { keepsInputs: false }), secrets.deciding);
    try {
      const { id } = await forgetful.decide({
        principal: asker,
        capability: "ticket_state",
        inputs: { text: sentences.ticketByNumber },
      });
      expect(await replay(id)).toEqual({ kind: "cannot", missing: expect.stringContaining("`keepsInputs`") });
    } finally {
      await forgetful.close();
    }
  });

  it("says that the payload was erased, or does not open", async () => {
    const { id } = view(sentences.ticketLatest);
    const other = payloadKeys(randomBytes(32), pooledRandom());
    expect(await replayKept({ policy: shippedPolicy, project, database, keys: other, decisionId: id })).toMatchObject({
      kind: "cannot",
    });
    await erase(view(sentences.ticketLatest).entryId);
    expect(await replay(id)).toEqual({ kind: "cannot", missing: "its payload was erased" });
  });

  it("knows no decision that is not there", async () => {
    await expect(replay("00000000-0000-7000-8000-000000000000")).rejects.toMatchObject({ code: "not_found" });
    await expect(replay("none")).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("the command", () => {
  it("ends with 0, 1 or 2, and prints no text of the request", async () => {
    const folder = await mkdtemp(join(tmpdir(), "replayed-"));
    try {
      const ours = fileURLToPath(new URL("../../examples/it-support/project.ts", import.meta.url));
      await writeFile(
        join(folder, "project.ts"),
        `import project from ${JSON.stringify(ours)};\nexport default { ...project, capabilities: project.capabilities.map((one) => ({ ...one, label: () => "other" })) };\n`,
      );
      const { id } = view(sentences.mouseByPolicy);
      const same = await command(id);
      expect([same.code, JSON.parse(same.stdout)]).toMatchObject([0, { kind: "same", decisionId: id }]);
      const differs = await command(id, "--project", folder);
      expect([differs.code, JSON.parse(differs.stdout)]).toMatchObject([1, { kind: "differs", node: "exit" }]);
      await erase(view(sentences.answerVpnAbroad).entryId);
      const cannot = await command(view(sentences.answerVpnAbroad).id);
      expect([cannot.code, JSON.parse(cannot.stdout)]).toMatchObject([2, { kind: "cannot" }]);
      expect(same.stdout + differs.stdout).not.toContain("mouse");
    } finally {
      await rm(folder, { recursive: true });
    }
  }, 120_000);

  it.each(["none", "00000000-0000-7000-8000-000000000000"])("knows no decision `%s`, whatever is to be otherwise", async (id) => {
    const ended = await command(id, "--model", "scripted/it-support-next");
    expect(ended.code).toBe(2);
    expect(JSON.parse(ended.stdout)).toMatchObject({ error: { code: "not_found" } });
  });
});

function command(id: string, ...more: readonly string[]) {
  const env = { COUNTERSIGN_DECIDING_URL: migrated.urls.deciding, COUNTERSIGN_PAYLOAD_KEY: payloadKey.toString("base64") };
  return run(["replay", id, "--json", ...more], { env });
}

function replay(decisionId: string, under: Project = project): Promise<Replay> {
  return replayKept({ policy: shippedPolicy, project: under, database, keys, decisionId });
}

function view(text: string): DecisionView {
  const found = decided.get(text);
  if (found === undefined) throw new Error(`nothing was decided on ${text}`);
  return found;
}

function capability(name: string): Capability {
  const found = project.capabilities.find((one) => one.name === name);
  if (found === undefined) throw new Error(`no capability ${name}`);
  return found;
}

function changed(name: string, change: Partial<Capability>): Project {
  return { ...project, capabilities: project.capabilities.map((one) => (one.name === name ? { ...one, ...change } : one)) };
}

function withPrompt(name: string): Capability["deciding"] {
  const { deciding } = capability(name);
  if (deciding.kind !== "prompt") throw new Error(`${name} is decided by no prompt`);
  return { ...deciding, prompt: (informed) => ({ ...deciding.prompt(informed), system: "Say yes." }) };
}

function withRule(name: string): Capability["deciding"] {
  const { deciding } = capability(name);
  if (deciding.kind !== "rule") throw new Error(`${name} is decided by no rule`);
  return { ...deciding, rule: (informed) => ({ ...(deciding.rule(informed) as object), ticket: "tkt-9" }) };
}

function inOtherWords(name: string): Capability["propose"] {
  return (choosing) => ({ ...capability(name).propose(choosing), summary: "other words" });
}

function forbidding(word: string): Capability["output"] {
  return { ...capability("replace_device").output, forbidden: [word] };
}

function openDecider(of: Project, secrets: Readonly<Record<string, string>>): Promise<Decider> {
  return createDecider({
    policy: shippedPolicy,
    project: of,
    parts,
    database,
    vault: environmentVault({ side: "deciding", env: secrets, declared: { reads: Object.keys(secrets), models: [] } }),
    clock: systemClock,
    ids: uuidIds(systemClock),
    environment: "demo",
    payloadKey,
    onError: () => {},
  });
}

async function erase(entryId: string): Promise<void> {
  const client = new pg.Client({ connectionString: migrated.adminUrl });
  await client.connect();
  try {
    await client.query("update countersign.payload set body = null, erased_at = now() where entry_id = $1", [entryId]);
  } finally {
    await client.end();
  }
}
