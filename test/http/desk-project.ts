import { createHash } from "node:crypto";
import { z } from "zod";
import type { Deciding } from "../../src/contract/capability.ts";
import { defineCapability } from "../../src/define/capability.ts";
import { defineConnector, recordSource } from "../../src/define/connector.ts";
import { defineDeciding } from "../../src/define/deciding.ts";
import { defineEffect, effectDraft } from "../../src/define/effect.ts";
import { defineProject } from "../../src/define/project.ts";
import { from } from "../../src/define/source.ts";
import { defineTool } from "../../src/define/tool.ts";
import { scriptedProvider } from "../../src/testing/index.ts";

// What is decided in the house of the desk tests: notes that are kept, mailed, worded and looked for.
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

/** The project of the house, all of whose capabilities are of this version. */
export const projectOf = (version: string) =>
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
/** Its parts of the deciding half. */
export const parts = defineDeciding({ providers: [searcher], records: [recordSource(notes, [query])], hiddenValues: null });
