import { generateKeyPairSync, randomBytes } from "node:crypto";
import pg from "pg";
import { z } from "zod";
import type { ChainHead, HeadKeeper } from "../../src/contract/ports.ts";
import { createDecider, type Decider } from "../../src/decider.ts";
import { defineCapability } from "../../src/define/capability.ts";
import { defineConnector, recordSource } from "../../src/define/connector.ts";
import { defineDeciding } from "../../src/define/deciding.ts";
import { defineEffect, effectDraft } from "../../src/define/effect.ts";
import { defineProject } from "../../src/define/project.ts";
import { from } from "../../src/define/source.ts";
import { createDesk } from "../../src/desk.ts";
import { writeEntries } from "../../src/ledger/entries.ts";
import { payloadKeys } from "../../src/ledger/payload.ts";
import { pooledRandom } from "../../src/ledger/random.ts";
import { sealTenant } from "../../src/ledger/seal.ts";
import { type LedgerReport, verifyLedger } from "../../src/ledger/verify.ts";
import { deciderRoutes } from "../../src/server/decider/routes.ts";
import { deskRoutes } from "../../src/server/desk/routes.ts";
import { listen } from "../../src/server/listen.ts";
import type { FaultLog } from "../../src/server/problem.ts";
import { systemClock } from "../../src/store/clock.ts";
import { openDatabase } from "../../src/store/database.ts";
import { uuidIds } from "../../src/store/ids.ts";
import { environmentVault } from "../../src/vault/environment.ts";
import { openTestDoors, putTestPeople } from "../setup/people.ts";
import { shippedPolicy } from "../setup/policy.ts";
import { createMigratedDatabase } from "../setup/project-database.ts";
import { type Sent, send, streamed } from "./sent.ts";

/** Keys of made-up people: two who ask and one who signs at `acme`, one at another tenant. */
export const keys = { ada: "key-of-ada-acme", bob: "key-of-bob-acme", eve: "key-of-eve-acme", gil: "key-of-gil-globex" } as const;
const people = [
  { key: keys.ada, tenant: "acme", id: "ada", roles: ["employee"] },
  { key: keys.bob, tenant: "acme", id: "bob", roles: ["employee"] },
  { key: keys.eve, tenant: "acme", id: "eve", roles: ["approver", "owner"] },
  { key: keys.gil, tenant: "globex", id: "gil", roles: ["employee"] },
];

const isPersons = (key: string) => people.some((one) => one.key === key);

const addNote = defineEffect({
  name: "add_note",
  version: "1",
  owner: "office",
  params: z.strictObject({ text: z.string() }),
  paramRules: { text: { class: "content", sources: ["principal", "model"] } },
  sideEffect: "mutating",
  risk: "medium",
  reversible: true,
  describe: () => "Add a note",
  key: ({ text }) => `note:${text.slice(0, 100)}`,
  dedupe: "key",
  settleMs: 1_000,
  before: { query: "notes.byText", params: ({ text }) => ({ text }), project: (rows) => rows[0] ?? null },
  expect: { state: ({ text }) => ({ text }), mayChange: [], deadlineMs: 10_000 },
});

const noteInput = z.strictObject({
  text: z.string().min(1).max(500),
  pages: z.int().min(1).optional(),
  extra: z.json().optional(),
});
const noteDecision = z.strictObject({ keep: z.boolean() });

const project = defineProject({
  name: "notes",
  capabilities: [
    defineCapability<z.infer<typeof noteInput>, z.infer<typeof noteDecision>>({
      name: "note",
      version: "1",
      owner: "office",
      description: "Write a note.",
      openTo: ["employee"],
      input: noteInput,
      decision: noteDecision,
      needs: () => [],
      deciding: {
        kind: "prompt",
        version: "1",
        model: { provider: "scripted", id: "held-2026-01-01", effort: "none", temperature: 0 },
        prompt: ({ inputs }) => ({ system: "Notes.", messages: [{ role: "user", text: inputs.text }] }),
      },
      checks: [],
      effects: [addNote.erased],
      propose: ({ inputs }) => ({
        summary: "A note",
        effects: [effectDraft(addNote, { params: { text: inputs.text }, sources: { "/text": from.principal("/text") } })],
      }),
    }),
  ],
  intake: [{ name: "notes", capability: "note", matches: (text) => text.includes("note") }],
});

/** The deciding half and the desk over a database of their own, each behind real HTTP. */
export type Service = Awaited<ReturnType<typeof openService>>;

/** Opens the service. `hold` makes the model wait until it is let go. */
export async function openService({ mostWaiting }: { mostWaiting?: number } = {}) {
  const database = await createMigratedDatabase();
  const owner = new pg.Pool({ connectionString: database.adminUrl, max: 2 });
  const payloadKey = randomBytes(32);
  const faults: unknown[] = [];
  const log: FaultLog = ({ cause }) => void faults.push(cause);
  const onError = (thrown: unknown) => void faults.push(thrown);
  const gate = openGate();
  const half = {
    project,
    clock: systemClock,
    ids: uuidIds(systemClock),
    environment: "demo",
    payloadKey,
  };
  const deciding = openDatabase({ url: database.urls.deciding, role: "deciding" });
  const deskStore = openDatabase({ url: database.urls.desk, role: "desk" });
  const acting = openDatabase({ url: database.urls.acting, role: "acting" });
  const decider = await createDecider({
    policy: shippedPolicy,
    ...half,
    parts: parts(gate.passed),
    database: deciding,
    vault: vault(),
    onError,
  });
  // What the door asks of the decider, counted.
  const looks = { views: 0, marks: 0 };
  const counted: Decider = {
    ...decider,
    decision: (of) => {
      looks.views += 1;
      return decider.decision(of);
    },
    mark: (of) => {
      looks.marks += 1;
      return decider.mark(of);
    },
  };
  await putTestPeople(database.adminUrl, people);
  const doors = openTestDoors({ desk: deskStore, deciding });
  const door = { decider: counted, ...(mostWaiting === undefined ? {} : { mostWaiting }) };
  const decide = await listen({
    app: deciderRoutes({ ...door, identify: doors.identify, log }),
    host: "127.0.0.1",
    port: 0,
  });
  const desk = createDesk({ policy: shippedPolicy, ...half, database: deskStore, deskKey: newKey() });
  const front = await listen({
    app: deskRoutes({ desk, ...doors, deciderUrl: decide.url, demoPeople: null, log }),
    host: "127.0.0.1",
    port: 0,
  });
  /** The authorization of somebody at one of the two doors: a person's own key at the desk, the desk's assertion at the decider. */
  const bearer = async (url: string, key: string) =>
    `Bearer ${url.startsWith(decide.url) && isPersons(key) ? await doors.assertionOf(key) : key}`;
  return {
    deciderUrl: decide.url,
    deskUrl: front.url,
    bearer,
    send: (url: string, { key = keys.ada, ...sent }: Partial<Sent> = {}) => send(url, { ...sent, key, bearer }),
    streamed: async (url: string, size: number) => streamed(url, { size, authorization: await bearer(url, keys.ada) }),
    faults,
    looks,
    /** Writes down that a decision's effect was seen, as the acting half does; nothing else of it runs here. */
    observe: (decisionId: string) =>
      acting.inTenant("acme", async (tx) => {
        const facts = { operationId: half.ids.next(), effectIndex: 0, verdict: "complete" };
        const frame = {
          id: half.ids.next(),
          tenant: "acme",
          ts: systemClock.now(),
          writer: "acting",
          decisionId,
          cause: null,
        } as const;
        const draft = { ...frame, kind: "observed", facts, bodies: {} } as const;
        await writeEntries({ tx, drafts: [draft], keys: payloadKeys(payloadKey, pooledRandom()) });
      }),
    hold: gate.hold,
    reached: gate.reached,
    letGo: gate.letGo,
    /** Rows of every table of ours. */
    rows: () => rowsOf(owner),
    openIntents: async () => (await owner.query("select count(*)::int as n from countersign.intent where not ended")).rows[0].n,
    decisionsOf: async (text: string) =>
      (
        await owner.query("select decision_id from countersign.intent where idempotency_key = $1 order by decision_id", [text])
      ).rows.map((row) => row.decision_id),
    /** Seals all and recomputes the chains: what is wrong with each tenant's, and what is not sealed yet. */
    verify: async () => {
      const heads = memoryHeads();
      const found: LedgerReport[] = [];
      for (const tenant of ["acme", "globex"]) {
        await sealTenant({ database: acting, tenant, headKeeper: heads });
        const all = { database: acting, tenant, headKeeper: heads, keys: payloadKeys(payloadKey, pooledRandom()) };
        found.push(await verifyLedger(all));
      }
      return found;
    },
    close: async () => {
      gate.letGo();
      await Promise.all([front.close(), decide.close()]);
      await decider.close();
      await Promise.all([deciding.close(), deskStore.close(), acting.close(), owner.end()]);
      await database.drop();
    },
  };
}

function parts(passed: () => Promise<void>) {
  const connector = defineConnector({
    name: "notes",
    side: "reads",
    secret: "NOTES_READ",
    open: async () => ({}),
    close: async () => {},
  });
  const query = { name: "notes.byText", key: () => "note", labels: {}, run: async () => [] };
  const usage = { inputTokens: 1, cachedTokens: 0, cacheWriteTokens: 0, outputTokens: 1, reasoningTokens: 0 };
  const complete = async () => {
    await passed();
    return { text: '{"keep":true}', usage, stopReason: "end" as const };
  };
  return defineDeciding({
    providers: [{ name: "scripted", isScripted: true, complete }],
    records: [recordSource(connector, [query])],
    hiddenValues: null,
  });
}

function vault() {
  return environmentVault({ side: "deciding", env: { NOTES_READ: "none" }, declared: { reads: ["NOTES_READ"] } });
}

function openGate() {
  let waiting: (() => void)[] = [];
  let isHeld = false;
  return {
    hold: () => {
      isHeld = true;
    },
    /** How many calls wait at the gate. */
    reached: () => waiting.length,
    letGo: () => {
      isHeld = false;
      for (const go of waiting) go();
      waiting = [];
    },
    passed: (): Promise<void> => (isHeld ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve()),
  };
}

async function rowsOf(owner: pg.Pool): Promise<Record<string, number>> {
  const { rows } = await owner.query<{ name: string }>(
    "select table_name as name from information_schema.tables where table_schema = 'countersign' and table_type = 'BASE TABLE' order by 1",
  );
  const counts = await Promise.all(
    rows.map(
      async ({ name }) => [name, (await owner.query(`select count(*)::int as n from countersign."${name}"`)).rows[0].n] as const,
    ),
  );
  return Object.fromEntries(counts);
}

function memoryHeads(): HeadKeeper {
  const heads = new Map<string, ChainHead>();
  return { read: async (tenant) => heads.get(tenant) ?? null, keep: async (head) => void heads.set(head.tenant, head) };
}

function newKey(): string {
  return generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "der" }).toString("base64");
}
