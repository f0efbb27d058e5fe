import pg from "pg";
import { z } from "zod";
import { defineHands, type Hands } from "../../../src/act/hands.ts";
import { implementEffect, through } from "../../../src/act/implement.ts";
import type { Deciding } from "../../../src/contract/capability.ts";
import type { AnyCase } from "../../../src/contract/case.ts";
import type { RecordQuery } from "../../../src/contract/connector.ts";
import { defineCapability } from "../../../src/define/capability.ts";
import { defineConnector, recordSource } from "../../../src/define/connector.ts";
import { type DecidingParts, defineDeciding } from "../../../src/define/deciding.ts";
import { defineEffect, effectDraft } from "../../../src/define/effect.ts";
import { defineProject, type Project } from "../../../src/define/project.ts";
import { from } from "../../../src/define/source.ts";

/** A table without any constraint of its own: a row that is written twice stands there twice. */
export const sandboxSql = `
  create schema sandbox;
  create table sandbox.line (id bigint generated always as identity, name text not null, note text not null);`;

const lineParams = z.strictObject({ name: z.string().max(100), note: z.string().max(100) });
type Line = z.infer<typeof lineParams>;

const addLine = defineEffect<Line>({
  ...{ name: "add_line", version: "1", owner: "office", params: lineParams, sideEffect: "mutating", reversible: true },
  paramRules: {
    name: { class: "target", sources: ["principal"] },
    note: { class: "content", sources: ["principal", "model"] },
  },
  risk: ({ note }) => (note === "grave" ? "high" : note === "risky" ? "medium" : "low"),
  describe: ({ name }) => `Add the line ${name}`,
  key: ({ name }) => `line:${name}`,
  ...{ dedupe: "observe", settleMs: 5_000 },
  before: {
    query: "lines.byName",
    params: ({ name }) => ({ name }),
    project: (rows) => (rows[0] === undefined ? null : { note: String(rows[0]["note"]) }),
  },
  // Longer than any test moves the time on to have a dead worker's lease end: past it an operation goes to a person instead.
  expect: { state: ({ note }) => ({ note }), mayChange: [], deadlineMs: 600_000 },
});

const rule: Deciding<unknown> = { kind: "rule", version: "1", rule: () => ({}) };
const common = { version: "1", owner: "office", openTo: ["clerk"], decision: z.strictObject({}), needs: () => [], checks: [] };
const text = z.strictObject({ text: z.string().max(20_000) });

const capabilities = [
  defineCapability<Line, Record<string, never>>({
    ...{ ...common, name: "write_line", description: "Write a line.", input: lineParams, deciding: rule },
    effects: [addLine.erased],
    keepsInputs: true,
    propose: ({ inputs }) => ({
      summary: `Write ${inputs.name}`,
      effects: [
        effectDraft(addLine, { params: inputs, sources: { "/name": from.principal("/name"), "/note": from.principal("/note") } }),
      ],
    }),
  }),
  defineCapability<z.infer<typeof text>, Record<string, never>>({
    ...{ ...common, name: "say", description: "Say a text.", input: text, deciding: rule },
    preCheck: ({ inputs }) =>
      inputs.text.includes("nothing")
        ? { kind: "stop", reason: "reference_unresolved", detail: "it names nothing" }
        : { kind: "pass" },
    propose: ({ inputs }) => ({ summary: inputs.text.toUpperCase() }),
  }),
  defineCapability<z.infer<typeof text>, { good: boolean }>({
    ...{ ...common, name: "grade", description: "Grade a text.", input: text, decision: z.strictObject({ good: z.boolean() }) },
    deciding: { kind: "rule", version: "1", rule: ({ inputs }) => ({ good: inputs.text.includes("GOOD") }) },
    label: ({ good }) => (good ? "good" : "bad"),
    propose: ({ decision }) => ({ summary: decision.good ? "good" : "bad" }),
  }),
];

/** A project with three capabilities and these cases. */
export function caseProject(cases: readonly AnyCase[]): Project {
  return defineProject({ name: "cases", capabilities, cases });
}

const open = async (url: string) => new pg.Pool({ connectionString: url, max: 2 });
const close = (pool: pg.Pool) => pool.end();
const reader = defineConnector({ name: "lines-reader", side: "reads", secret: "LINES_READ", open, close });
const writer = defineConnector({ name: "lines-writer", side: "writes", secret: "LINES_WRITE", open, close });
const observer = defineConnector({ name: "lines-observer", side: "observes", secret: "LINES_OBSERVE", open, close });

const readLines = async (pool: pg.Pool, name: string): Promise<{ name: string; note: string }[]> =>
  (await pool.query("select name, note from sandbox.line where name = $1 order by id", [name])).rows;

const query: RecordQuery<pg.Pool> = {
  name: "lines.byName",
  key: (row) => String(row["name"]),
  labels: { name: "system", note: "own" },
  run: (pool, params) => readLines(pool, String(params["name"])),
};

/** What the deciding half loads. */
export function caseDeciding(): DecidingParts {
  return defineDeciding({ providers: [], records: [recordSource(reader, [query])], hiddenValues: null });
}

/** What the acting half loads; `during` runs while a line is written. */
export function caseHands(during: () => Promise<void> = async () => {}): Hands {
  return defineHands({
    records: [recordSource(observer, [query])],
    hands: [
      implementEffect(addLine, {
        apply: through(writer, async (pool, { name, note }) => {
          await during();
          await pool.query("insert into sandbox.line (name, note) values ($1, $2)", [name, note]);
          return { targetId: name };
        }),
        observe: through(observer, async (pool, { name }) => {
          const line = (await readLines(pool, name))[0];
          return line === undefined ? null : { note: line.note };
        }),
      }),
    ],
  });
}
