import { createHash, generateKeyPairSync, randomBytes } from "node:crypto";
import pg from "pg";
import { z } from "zod";
import type { Deciding } from "../../src/contract/capability.ts";
import { keyScopes } from "../../src/contract/identity.ts";
import { createDecider } from "../../src/decider.ts";
import { defineCapability } from "../../src/define/capability.ts";
import { defineConnector, recordSource } from "../../src/define/connector.ts";
import { defineDeciding } from "../../src/define/deciding.ts";
import { defineEffect, effectDraft } from "../../src/define/effect.ts";
import { defineProject } from "../../src/define/project.ts";
import { from } from "../../src/define/source.ts";
import { defineTool } from "../../src/define/tool.ts";
import { createDesk } from "../../src/desk.ts";
import type { Policy } from "../../src/guard/policy/policy.ts";
import { payloadKeys } from "../../src/ledger/payload.ts";
import { pooledRandom } from "../../src/ledger/random.ts";
import { deciderRoutes } from "../../src/server/decider/routes.ts";
import type { EventLimits } from "../../src/server/desk/event-limits.ts";
import { deskRoutes } from "../../src/server/desk/routes.ts";
import { listen } from "../../src/server/listen.ts";
import { addMcp } from "../../src/server/mcp/mcp-http.ts";
import type { RateLimits } from "../../src/server/rates.ts";
import { systemClock } from "../../src/store/clock.ts";
import { openDatabase } from "../../src/store/database.ts";
import { uuidIds } from "../../src/store/ids.ts";
import { scriptedProvider } from "../../src/testing/index.ts";
import { environmentVault } from "../../src/vault/environment.ts";
import { openTestDoors, putTestPeople } from "../setup/people.ts";
import { shippedPolicy } from "../setup/policy.ts";
import { createMigratedDatabase } from "../setup/project-database.ts";
import { openActing } from "./left-to-people.ts";

/** People of the tests; a key is as good as its person. */
const people = [
  { tenant: "acme", id: "ada", name: "Ada Lind", roles: ["employee"], key: "key-of-ada-0001" },
  { tenant: "acme", id: "ben", name: "Ben Okoro", roles: ["employee", "approver"], key: "key-of-ben-0001" },
  { tenant: "acme", id: "bea", name: "Bea Holm", roles: ["approver"], key: "key-of-bea-0001" },
  { tenant: "acme", id: "cleo", name: "Cleo Sund", roles: ["employee", "owner"], key: "key-of-cleo-001" },
  { tenant: "acme", id: "audra", name: "Audra Falk", roles: ["auditor"], key: "key-of-audra-01" },
  // Agents that ask for somebody else, with keys for everything: what they may not do is policy's to say.
  { tenant: "acme", id: "bot", name: "Bot", roles: ["employee"], key: "key-of-bot-0001", onBehalfOf: "ada", scopes: keyScopes },
  { tenant: "acme", id: "bot2", name: "Bot", roles: ["employee"], key: "key-of-bot2-001", onBehalfOf: "cleo", scopes: keyScopes },
  { tenant: "globex", id: "gus", name: "Gus Berg", roles: ["employee", "approver"], key: "key-of-gus-0001" },
];
type Name = "ada" | "ben" | "bea" | "cleo" | "audra" | "bot" | "bot2" | "gus";

/** The key of a person. */
export function keyOf(name: Name): string {
  return people.find((one) => one.id === name)?.key ?? "";
}

/** A decider and a desk over a database of their own, both listening. */
export type DeskHouse = Awaited<ReturnType<typeof openDeskHouse>>;

/** Opens the house. `isDemo` offers the people for signing in without a key. */
export async function openDeskHouse({
  isDemo = true,
  policy = shippedPolicy,
  ...limits
}: {
  isDemo?: boolean;
  policy?: Policy;
  rates?: RateLimits;
  events?: EventLimits;
} = {}) {
  const store = await createMigratedDatabase();
  const owner = new pg.Pool({ connectionString: store.adminUrl, max: 1 });
  const payloadKey = randomBytes(32);
  const common = { project: projectOf("1"), clock: systemClock, ids: uuidIds(systemClock), environment: "demo", payloadKey };
  await putTestPeople(store.adminUrl, people);
  const faults: unknown[] = [];
  const log = (fault: { cause: unknown }) => void faults.push(fault.cause);
  const onError = (thrown: unknown) => void faults.push(thrown);
  const deciding = openDatabase({ url: store.urls.deciding, role: "deciding" });
  const signing = openDatabase({ url: store.urls.desk, role: "desk" });
  const doors = openTestDoors({ desk: signing, deciding });
  const vault = environmentVault({ side: "deciding", env: { NOTES_READ: "any" }, declared: { reads: ["NOTES_READ"] } });
  const decider = await createDecider({ policy, ...common, parts, database: deciding, vault, onError });
  const deciderDoor = deciderRoutes({ decider, identify: doors.identify, log });
  const deciderServer = await listen({ app: deciderDoor, host: "127.0.0.1", port: 0 });
  const acting = openDatabase({ url: store.urls.acting, role: "acting", connections: 2 });
  const { privateKey } = generateKeyPairSync("ed25519");
  const deskKey = privateKey.export({ format: "der", type: "pkcs8" }).toString("base64");
  const desk = createDesk({ policy, ...common, database: signing, deskKey });
  const time = { ms: Date.now() };
  const doorOf = (deciderUrl: string, of = desk) => {
    const demoPeople = isDemo ? people : null;
    const door = deskRoutes({ desk: of, ...doors, deciderUrl, demoPeople, log, now: () => time.ms, ...limits });
    addMcp(door);
    return door;
  };
  const open = (deciderUrl: string, of = desk) => listen({ app: doorOf(deciderUrl, of), host: "127.0.0.1", port: 0 });
  const deskDoor = doorOf(deciderServer.url);
  const server = await listen({ app: deskDoor, host: "127.0.0.1", port: 0 });
  const opened = [server];
  return {
    url: server.url,
    desk,
    deciderUrl: deciderServer.url,
    /** What the desk would send the decider for somebody. */
    assertionOf: (name: Name) => doors.assertionOf(keyOf(name)),
    /** Both doors with their tables of routes, and how they know people. */
    ...{ doors, deskDoor, deciderDoor, adminUrl: store.adminUrl, urls: store.urls },
    time,
    faults,
    owner,
    acting: openActing({ acting, keys: payloadKeys(payloadKey, pooledRandom()), ids: common.ids }),
    /** A second desk whose decider is somewhere else. */
    openDeskBefore: async (deciderUrl: string) => {
      const other = await open(deciderUrl);
      opened.push(other);
      return other.url;
    },
    /** A second decider before which so many requests are in work at once, and no more. */
    openBusyDecider: async (mostAtOnce: number) => {
      const app = deciderRoutes({ decider, identify: doors.identify, log, mostAtOnce });
      const other = await listen({ app, host: "127.0.0.1", port: 0 });
      opened.push(other);
      return other.url;
    },
    /** A second desk, over the same database, to which every capability has a newer version. */
    openNewerDesk: async () => {
      const newer = createDesk({ policy, ...common, project: projectOf("2"), database: signing, deskKey });
      const other = await open(deciderServer.url, newer);
      opened.push(other);
      return other.url;
    },
    /** Makes the payload of a decision one that does not decrypt. */
    spoil: async (decisionId: string) => {
      const of = "(select id from countersign.entry where decision_id = $1 and kind in ('decided', 'stopped'))";
      await owner.query(`update countersign.payload set body = '\\x01' where entry_id = ${of}`, [decisionId]);
    },
    close: async () => {
      await Promise.all([...opened, deciderServer].map((one) => one.close()));
      await decider.close();
      await Promise.all([deciding.close(), signing.close(), acting.close(), owner.end()]);
      await store.drop();
    },
  };
}

const noteParams = z.strictObject({ note: z.string().max(2000) });
type Note = z.infer<typeof noteParams>;
const before = { query: "notes.all", params: () => ({}), project: () => ({ note: 'old <i>"note"</i>', colour: "blue" }) };

const dropNote = defineEffect<Note>({
  ...{ name: "drop_note", version: "1", owner: "desk-tests", params: noteParams },
  paramRules: { note: { class: "content", sources: ["principal"] } },
  ...{ sideEffect: "mutating", risk: "low", reversible: true, dedupe: "key", settleMs: 0, before },
  describe: ({ note }) => `Drop the note ${note}`,
  key: ({ note }) => `drop:${createHash("sha256").update(note).digest("hex")}`,
  expect: { state: () => ({ note: null }), mayChange: [], deadlineMs: 10_000 },
});

const keepNote = defineEffect<Note>({
  name: "keep_note",
  version: "1",
  owner: "desk-tests",
  params: noteParams,
  paramRules: { note: { class: "content", sources: ["principal"] } },
  sideEffect: "mutating",
  risk: ({ note }) => (note.includes("grave") ? "high" : note.includes("heavy") ? "medium" : "low"),
  reversible: true,
  describe: ({ note }) => `Keep the note ${note}`,
  key: ({ note }) => `note:${createHash("sha256").update(note).digest("hex")}`,
  dedupe: "key",
  settleMs: 0,
  before,
  expect: { state: ({ note }) => ({ note }), mayChange: [], deadlineMs: 10_000 },
  compensate: { effect: dropNote.erased, params: ({ params: { note } }) => ({ note }) },
});

const mailNote = defineEffect<Note>({
  ...{ name: "mail_note", version: "1", owner: "desk-tests", params: noteParams, paramRules: keepNote.paramRules },
  ...{ sideEffect: "external", risk: "low", reversible: false, dedupe: "none", settleMs: 0, before },
  describe: () => "Mail the note to the printer",
  key: ({ note }) => `mail:${createHash("sha256").update(note).digest("hex")}`,
  expect: { state: ({ note }) => ({ mailed: note }), mayChange: [], deadlineMs: 10_000 },
});

const input = z.strictObject({ text: z.string().trim().min(1).max(2000) });
type Input = z.infer<typeof input>;
type None = Record<string, never>;
const rule: Deciding<Input> = { kind: "rule", version: "1", rule: () => ({}) };
const capability = {
  ...{ owner: "desk-tests", openTo: ["employee"], input, decision: z.strictObject({}), needs: () => [] },
  ...{ deciding: rule, checks: [] },
};

const readNote = defineTool({
  name: "read_note",
  description: "One note by its number.",
  sideEffect: "read",
  args: z.strictObject({ number: z.int().min(1).max(99) }),
  need: ({ number }) => ({ kind: "records", query: "notes.all", params: { number }, maxAgeMs: 60_000 }),
});

/** Never finishes, unless it is asked to find. */
const searcher = scriptedProvider({
  name: "scripted",
  lines: [
    { purpose: "step", step: 2, when: /and find/, replies: ['{"next":{"final":{"found":true}}}'] },
    ...[1, 2, 3].map((step) => ({
      ...({ purpose: "step", step, when: /./ } as const),
      replies: [JSON.stringify({ next: { tool: "read_note", arguments: { number: step } } })],
    })),
  ],
});

const projectOf = (version: string) =>
  defineProject({
    name: "desk-tests",
    capabilities: [
      defineCapability<Input, None>({
        ...capability,
        version,
        name: "keep_notes",
        description: "Keep a note.",
        effects: [keepNote.erased, mailNote.erased],
        checks: [
          {
            name: "short_enough",
            soft: { reason: "a long note can still be kept" },
            run: ({ inputs }) => ({ passed: inputs.text.length < 30, evidence: "a <b>long</b> note" }),
          },
        ],
        propose: ({ inputs: { text } }) => ({
          summary: `Keep ${text}`,
          effects: [
            effectDraft(keepNote, { params: { note: text }, sources: { "/note": from.principal("/text") } }),
            ...(text.includes("mail")
              ? [effectDraft(mailNote, { params: { note: text }, sources: { "/note": from.principal("/text") } })]
              : []),
          ],
        }),
      }),
      defineCapability<Input, { note: string }>({
        ...capability,
        version,
        name: "word_note",
        description: "Keep a note in better words.",
        decision: z.strictObject({ note: z.string().max(100) }),
        deciding: { kind: "rule", version: "1", rule: ({ inputs }) => ({ note: `${inputs.text}, said` }) },
        keepsInputs: true,
        needs: () => [{ kind: "records", name: "notes", query: "notes.all", params: {}, maxAgeMs: 60_000 }],
        effects: [keepNote.erased],
        checks: [
          {
            name: "is_polite",
            run: ({ decision }) => ({ passed: !decision.note.includes("rude"), evidence: "the words of it" }),
          },
        ],
        propose: ({ decision: { note } }) => ({
          summary: `Keep ${note}`,
          effects: [effectDraft(keepNote, { params: { note }, sources: { "/note": from.model() } })],
          claims: [{ text: "The old note is {{notes.note}}.", source: "notes.all:one" }],
        }),
      }),
      defineCapability<Input, None>({
        ...capability,
        version,
        name: "say_nothing",
        description: "Say that the sources do not say.",
        propose: () => ({ summary: "No answer", refusal: "The sources do not say." }),
      }),
      defineCapability<Input, None>({
        ...capability,
        version,
        name: "tell_after_review",
        description: "Tell what the note says, once a person has read it.",
        review: "before_delivery",
        needs: () => [{ kind: "records", name: "notes", query: "notes.all", params: {}, maxAgeMs: 60_000 }],
        propose: () => ({
          summary: "What the secret note says",
          claims: [{ text: "The secret note is {{notes.note}}.", source: "notes.all:one" }],
        }),
      }),
      defineCapability<Input, { found: boolean }>({
        ...capability,
        version,
        name: "look_around",
        description: "Look through the notes.",
        decision: z.strictObject({ found: z.boolean() }),
        keepsInputs: true,
        deciding: {
          ...{ kind: "loop", version: "1", maxSteps: 3, caps: { ms: 30_000, tokens: 100_000, costMicros: 1_000_000 } },
          model: { provider: "scripted", id: "searcher-2026-01-01", effort: "none", temperature: null },
          reason: "which note to read next depends on the one before",
          tools: [readNote],
          prompt: ({ inputs }) => ({ system: "You search.", messages: [{ role: "user", text: inputs.text }] }),
          enough: (trace) => trace.some((step) => step.outcome === "read"),
        },
        propose: ({ decision }) => ({ summary: decision.found ? "A note was found" : "No note was found" }),
      }),
    ],
    intake: [
      { name: "searches", capability: "look_around", matches: (text) => text.startsWith("search") },
      { name: "after-review", capability: "tell_after_review", matches: (text) => text.startsWith("tell") },
      { name: "notes", capability: "keep_notes", matches: (text) => text.includes("note") },
      { name: "questions", capability: "say_nothing", matches: (text) => text.endsWith("?") },
    ],
  });

const notes = defineConnector({
  name: "notes",
  side: "reads",
  secret: "NOTES_READ",
  open: async () => null,
  close: async () => {},
});
const query = {
  name: "notes.all",
  key: () => "one",
  labels: { note: "own", colour: "own", pin: "secret" },
  run: async () => [{ note: "old", pin: "4711" }],
} as const;
const parts = defineDeciding({ providers: [searcher], records: [recordSource(notes, [query])], hiddenValues: null });
