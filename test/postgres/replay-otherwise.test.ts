import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sliceOf } from "../../examples/it-support/capabilities/choose-device.ts";
import parts from "../../examples/it-support/decide.ts";
import { people, tenant } from "../../examples/it-support/people.ts";
import project from "../../examples/it-support/project.ts";
import sandbox from "../../examples/it-support/sandbox.ts";
import { sentences } from "../../examples/it-support/sentences.ts";
import { openPoliciesWith } from "../../src/cli/open-policies.ts";
import { everything } from "../../src/contract/principal.ts";
import type { DecisionView } from "../../src/contract/views.ts";
import { createDecider, type DeciderOptions, openWalk } from "../../src/decider.ts";
import type { Project } from "../../src/define/project.ts";
import { withModel } from "../../src/define/with-model.ts";
import { withPrompt } from "../../src/define/with-prompt.ts";
import { setBudget } from "../../src/guard/budget/manage-budgets.ts";
import { payloadKeys } from "../../src/ledger/payload.ts";
import { pooledRandom } from "../../src/ledger/random.ts";
import { type Otherwise, whatIf } from "../../src/replay.ts";
import { systemClock } from "../../src/store/clock.ts";
import { type Database, openDatabase } from "../../src/store/database.ts";
import { uuidIds } from "../../src/store/ids.ts";
import { scriptedProvider } from "../../src/testing/index.ts";
import { environmentVault } from "../../src/vault/environment.ts";
import { fileExampleDocuments } from "../setup/file-documents.ts";
import { shippedPolicy } from "../setup/policy.ts";
import { createMigratedDatabase, type MigratedDatabase } from "../setup/project-database.ts";

// What would change of a kept decision with another model, prompt, policy, or over what is known now; and that nothing of it is kept.
const payloadKey = randomBytes(32);
const keys = payloadKeys(payloadKey, pooledRandom());
const asker = {
  tenant,
  id: people.employee.id,
  roles: people.employee.roles,
  attributes: {},
  onBehalfOf: null,
  allow: everything,
};
const folder = fileURLToPath(new URL("../../examples/it-support", import.meta.url));
const said = { policy: "passage:device-policy:3.1:4", confidence: 90 };
/** Says no to everything that the first one replaced; a script, as its provider says. */
const refusing = choosing("other", { ...said, device: "dev-2001", reason: "worn_out", eligible: false, note: "No." });
/** Chooses another device than the first one; a script as well. */
const elsewhere = choosing("elsewhere", { ...said, device: "dev-2003", reason: "defective", eligible: true, note: "That one." });
const other = { provider: "other", id: "refusing-1" };
let migrated: MigratedDatabase;
let database: Database;
let owner: pg.Client;
let options: DeciderOptions;
let mouse: DecisionView;
let ticket: DecisionView;
let leak: DecisionView;

beforeAll(async () => {
  migrated = await createMigratedDatabase();
  const { deciding: env } = await sandbox.install({ adminUrl: migrated.adminUrl });
  await fileExampleDocuments({ project, example: "it-support", store: migrated });
  database = openDatabase({ url: migrated.urls.deciding, role: "deciding", connections: 3 });
  owner = new pg.Client({ connectionString: migrated.adminUrl });
  await owner.connect();
  options = {
    ...{
      policy: shippedPolicy,
      project,
      database,
      clock: systemClock,
      ids: uuidIds(systemClock),
      environment: "demo",
      payloadKey,
    },
    parts: { ...parts, providers: [...parts.providers, refusing, elsewhere] },
    vault: environmentVault({ side: "deciding", env, declared: { reads: Object.keys(env), models: [] } }),
    onError: () => {},
  };
  const decider = await createDecider(options);
  const told = await decider.ask({ principal: asker, text: sentences.mouseByPolicy });
  if (told.kind !== "decided") throw new Error("the mouse was not decided on");
  mouse = told.decision;
  const inputs = { text: sentences.ticketByNumber };
  ticket = await decider.decide({ principal: asker, capability: "ticket_state", inputs });
  const leaking = await decider.ask({ principal: asker, text: sentences.leaksColleague });
  if (leaking.kind !== "decided") throw new Error("the question was not decided on");
  leak = leaking.decision;
  await decider.close();
}, 240_000);

afterAll(async () => {
  await owner.end();
  await database.close();
  await migrated.drop();
});

const counted = ["entry", "intent", "payload", "approval", "operation", "waiting", "notice", "wanted", "memory"];
const rows = async () => {
  const { rows: found } = await owner.query(
    `select ${counted.map((table) => `(select count(*)::int from countersign.${table}) as ${table}`).join(", ")}`,
  );
  return found[0];
};
const spent = async () => (await owner.query("select count(*)::int as n from countersign.spend")).rows[0].n as number;

/** Asks what would change, and sees that nothing is kept of it but its spend. */
async function asked(decisionId: string, otherwise: Omit<Otherwise, "rehearsing">, isAsking = true) {
  const before = await rows();
  const under = { ...options, project: otherwise.project ?? project };
  const walk = isAsking ? await openWalk(under) : null;
  try {
    const rehearsing = walk === null ? {} : { rehearsing: { deps: walk.deps, meter: walk.meter, ids: options.ids } };
    return await whatIf({ project, policy: shippedPolicy, database, keys, decisionId }, { ...otherwise, ...rehearsing });
  } finally {
    await walk?.close();
    expect(await rows()).toEqual(before);
  }
}

describe("another model", () => {
  it("that answers the same changes nothing but its name, and what it cost is kept", async () => {
    const before = await spent();
    const same = withModel(project, { provider: "scripted", id: "it-support-next" }, "replace_device");
    const said = await asked(mouse.id, { project: same });
    expect(said).toMatchObject({ kind: "same", first: null, calls: 1 });
    expect(said).toMatchObject({ changes: { facts: { model: { now: "scripted/it-support-next" } }, effects: [] } });
    expect(await spent()).toBe(before + 1);
  });

  it("that decides otherwise shows where, and what would be done otherwise; no words of anybody", async () => {
    const said = await asked(mouse.id, { project: withModel(project, other, "replace_device") });
    expect(said).toMatchObject({
      kind: "differs",
      first: { node: "verification", parts: ["verified", "check reason_as_stated", "check eligible_by_rule"] },
      changes: {
        facts: { label: { was: "replace", now: "not_eligible" }, model: { now: "other/refusing-1" } },
        effects: [{ index: 0, was: "create_ticket", now: "create_ticket", params: ["/reason"] }],
      },
    });
    expect(JSON.stringify(said)).not.toMatch(/mouse/i);
  });

  it("is shown the states before that were recorded, and those that were not as they are now", async () => {
    const same = { project: withModel(project, { provider: "scripted", id: "it-support-next" }, "replace_device") };
    const another = { project: withModel(project, { provider: "elsewhere", id: "headset-1" }, "replace_device") };
    const effects = [
      { was: "create_ticket", now: "create_ticket", params: expect.arrayContaining(["/device", "/category"]) },
      { was: "order_replacement", now: "order_replacement", params: expect.arrayContaining(["/device", "/ticket"]) },
    ];
    expect(await asked(mouse.id, another)).toMatchObject({ kind: "differs", changes: { effects } });
    await owner.query("alter table helpdesk.ticket rename to ticket_away");
    try {
      expect(await asked(mouse.id, same)).toMatchObject({ kind: "same", first: null });
      const stop = { now: { node: "prepare_proposal", reason: "record_unavailable" } };
      expect(await asked(mouse.id, another)).toMatchObject({ kind: "differs", changes: { facts: { stop } } });
    } finally {
      await owner.query("alter table helpdesk.ticket_away rename to ticket");
    }
  });

  it("is not asked where a budget does not hold it", async () => {
    const budget = {
      tenant,
      id: "none",
      scope: "capability",
      name: "replace_device",
      unit: "turns",
      period: "day",
      cap: 0,
    } as const;
    await setBudget(migrated.adminUrl, budget);
    const before = await spent();
    await expect(asked(mouse.id, { project: withModel(project, other) })).rejects.toMatchObject({ code: "budget_spent" });
    expect(await spent()).toBe(before);
    await owner.query("update countersign.budget set removed_at = now()");
  });
});

describe("another prompt", () => {
  it("is asked in the place of this one, under this project's model", async () => {
    const theirs = withModel(prompted("Say yes."), other, "replace_device");
    const said = await asked(mouse.id, { project: withPrompt(project, theirs, "replace_device") });
    // The script knows the capability by its prompt and has no line for another one.
    expect(said).toMatchObject({
      kind: "differs",
      first: { node: "llm_decision" },
      changes: { facts: { prompt: { was: "1", now: "2" } } },
    });
    expect(said).not.toHaveProperty("changes.facts.model");
  });

  it("is not exchanged for a rule, nor for one that is not there", () => {
    expect(() => withPrompt(project, prompted("x"), "ticket_state")).toThrow(/by a rule here/);
    expect(() => withPrompt(project, { ...project, capabilities: [] }, "replace_device")).toThrow(/has no capability/);
  });
});

describe("the corpus of now", () => {
  it("reads what is there by now, and the recorded one does not", async () => {
    const recorded = await asked(ticket.id, {});
    await owner.query("update helpdesk.ticket set status = 'done' where status <> 'done'");
    expect(recorded).toMatchObject({ kind: "same" });
    expect(await asked(ticket.id, {})).toMatchObject({ kind: "same" });
    const now = await asked(ticket.id, { corpus: "now" });
    expect(now).toMatchObject({ first: { node: "context_load", parts: ["context"] } });
  });
});

describe("another policy", () => {
  it("names the rule that would not let it, and asks no model", async () => {
    const place = await mkdtemp(join(tmpdir(), "stricter-"));
    try {
      const file = join(place, "stricter.cedar");
      const forbid = (action: string) =>
        `@id("stricter")\n@refusal("not now")\nforbid (principal, action == Action::"${action}", resource);\n`;
      await writeFile(file, forbid("proposeEffect"));
      const before = await spent();
      const said = await asked(mouse.id, { policy: openPoliciesWith(folder, file) }, false);
      expect(said).toMatchObject({ kind: "differs", calls: 0, first: { node: "prepare_proposal" } });
      await writeFile(file, forbid("useCapability"));
      const closed = await asked(mouse.id, { policy: openPoliciesWith(folder, place) }, false);
      expect(closed).toMatchObject({
        first: { node: "entry", parts: ["stop"] },
        changes: { facts: { stop: { now: { rule: "stricter" } } } },
      });
      await writeFile(file, forbid("passAlone"));
      const alone = await asked(mouse.id, { policy: openPoliciesWith(folder, place) }, false);
      // No slice is open yet, so a person decides in any case.
      expect(mouse.route).toBe("hitl_recommended");
      expect(alone).toMatchObject({ kind: "same", first: null });
      expect(await spent()).toBe(before);
    } finally {
      await rm(place, { recursive: true });
    }
  });

  it("tells nothing of a decision that a guard held back for a value that is not kept", async () => {
    expect(leak.stop).toMatchObject({ node: "output_guardrail" });
    const said = await asked(leak.id, { policy: shippedPolicy }, false);
    expect(said).toEqual({ kind: "cannot", missing: expect.stringContaining("a value that is not kept") });
  });

  it("is asked of the principal whom the acting half asks it of: whom they asked for counts", async () => {
    const { version } = project.capabilities.find(({ name }) => name === "replace_device") ?? { version: "" };
    await owner.query(
      `insert into countersign.slice (tenant, capability, capability_version, slice, threshold_ppm, granted_at, approval_id, entry_id)
      values ($1, 'replace_device', $2, $3, 0, 0, gen_random_uuid(), gen_random_uuid())`,
      [tenant, version, sliceOf("mouse")],
    );
    const decider = await createDecider(options);
    const place = await mkdtemp(join(tmpdir(), "agents-"));
    try {
      const asking = { ...asker, onBehalfOf: people.approver.id };
      const told = await decider.ask({ principal: asking, text: sentences.mouseByPolicy });
      if (told.kind !== "decided") throw new Error("the mouse was not decided on");
      expect(told.decision.route).toBe("auto");
      const condition = `forbid (principal, action == Action::"passAlone", resource) when { !principal.inPerson };`;
      await writeFile(join(place, "agents.cedar"), `@id("agents_never_alone")\n@refusal("not alone")\n${condition}\n`);
      const policy = openPoliciesWith(folder, place);
      expect(await asked(told.decision.id, { policy }, false)).toMatchObject({
        changes: { facts: { passesAlone: { was: [true, true], now: [false, false] } } },
      });
    } finally {
      await decider.close();
      await rm(place, { recursive: true });
    }
  });
});

function prompted(system: string): Project {
  const capabilities = project.capabilities.map((one) =>
    one.name === "replace_device" && one.deciding.kind === "prompt"
      ? {
          ...one,
          deciding: {
            ...one.deciding,
            version: "2",
            prompt: () => ({ system, messages: [{ role: "user", text: "?" } as const] }),
          },
        }
      : one,
  );
  return { ...project, capabilities };
}

function choosing(name: string, choice: object) {
  return scriptedProvider({ name, lines: [{ purpose: "decide", when: /./, replies: [JSON.stringify(choice)] }] });
}
