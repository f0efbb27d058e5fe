import pg from "pg";
import { z } from "zod";
import { defineHands, type Hands } from "../../../src/act/hands.ts";
import { implementEffect, through } from "../../../src/act/implement.ts";
import type { RecordQuery, RecordSource } from "../../../src/contract/connector.ts";
import type { Effect } from "../../../src/contract/effect.ts";
import type { Dedupe, Risk } from "../../../src/contract/words.ts";
import { defineCapability } from "../../../src/define/capability.ts";
import { defineConnector, recordSource } from "../../../src/define/connector.ts";
import { type DefinedEffect, defineEffect } from "../../../src/define/effect.ts";
import { defineProject, type Project } from "../../../src/define/project.ts";

/** The points of one send at which a test looks in, breaks the target or stops the process. */
export type Point = "before" | "arriving" | "committed" | "observing";
/** Runs at a point; throws to break it there, waits to hold it there. */
export type AtPoint = (point: Point, signal?: AbortSignal) => Promise<void>;

type Add = { name: string; note: string };
type Close = { name: string };

/** The sandbox's table, without any constraint of its own: a change that is applied twice leaves two rows. */
export const sandboxSql = `
  create schema sandbox;
  create table sandbox.ticket (id bigint generated always as identity, name text not null, note text not null, status text not null, sent text not null);`;

/** A project with one capability and two effects on tickets of a sandbox; versions and dedupe vary by test. */
export function sampleProject({
  capabilityVersion = "1",
  dedupe = "observe",
  risk = ({ note }: Add): Risk => (note === "risky" ? "medium" : note === "grave" ? "high" : "low"),
  timeoutMs = 2_000,
  keepsWaiting = false,
  isCompensable = false,
  ...rules
}: {
  capabilityVersion?: string;
  dedupe?: Dedupe;
  risk?: (params: Add) => Risk;
  timeoutMs?: number;
  keepsWaiting?: boolean;
  /** What is added is closed where it went wrong. */
  isCompensable?: boolean;
} & Partial<Pick<Effect<Add>, "recovery" | "limits">> = {}): {
  project: Project;
  add: DefinedEffect<Add>;
  close: DefinedEffect<Close>;
} {
  const close = closeEffect(dedupe);
  const add = defineEffect<Add>({
    ...rules,
    ...(isCompensable ? { compensate: { effect: close.erased, params: ({ params: { name } }) => ({ name }) } } : {}),
    name: "add_ticket",
    version: "1",
    owner: "service-desk",
    params: z.strictObject({ name: z.string().max(100), note: z.string().max(500) }),
    paramRules: {
      name: { class: "target", sources: ["principal"] },
      note: { class: "content", sources: ["principal", "model"] },
    },
    sideEffect: "mutating",
    risk,
    reversible: true,
    describe: ({ name }) => `Add ticket ${name}`,
    key: ({ name }) => `ticket:${name}`,
    dedupe,
    settleMs: 5_000,
    timeoutMs,
    requires: [{ name: "named", holds: ({ name }) => name !== "forbidden" }],
    before: ticketBefore,
    expect: { state: ({ note }) => ({ note, status: "open" }), mayChange: ["id", "sent"], deadlineMs: 60_000 },
  });
  const capability = defineCapability({
    name: "tickets",
    version: capabilityVersion,
    keepsWaiting,
    owner: "service-desk",
    description: "Adds and closes tickets.",
    openTo: ["employee"],
    input: z.strictObject({}),
    decision: z.strictObject({}),
    needs: () => [],
    deciding: { kind: "rule", version: "1", rule: () => ({}) },
    checks: [],
    effects: [add.erased, close.erased],
    propose: () => ({ summary: "-" }),
  });
  return { project: defineProject({ name: "sample", capabilities: [capability] }), add, close };
}

function closeEffect(dedupe: Dedupe): DefinedEffect<Close> {
  return defineEffect<Close>({
    name: "close_ticket",
    version: "1",
    owner: "service-desk",
    params: z.strictObject({ name: z.string() }),
    paramRules: { name: { class: "target", sources: ["principal"] } },
    sideEffect: "mutating",
    risk: "low",
    reversible: true,
    describe: ({ name }) => `Close ticket ${name}`,
    key: ({ name }) => `close:${name}`,
    dedupe,
    settleMs: 5_000,
    before: ticketBefore,
    expect: { state: () => ({ status: "closed" }), mayChange: [], deadlineMs: 60_000 },
  });
}

const ticketBefore = {
  query: "tickets.byName",
  params: ({ name }: { name: string }) => ({ name }),
  // The id is not part of the state: which row it is says nothing about how it is.
  project: (rows: readonly { readonly [field: string]: unknown }[]) => {
    const row = rows[0];
    return row === undefined ? null : { note: String(row["note"]), status: String(row["status"]) };
  },
};

const open = async (url: string) => new pg.Pool({ connectionString: url, max: 4 });
const close = (pool: pg.Pool) => pool.end();
const reader = defineConnector({ name: "sandbox-reader", side: "reads", secret: "SANDBOX_READ", open, close });
const writer = defineConnector({ name: "sandbox-writer", side: "writes", secret: "SANDBOX_WRITE", open, close });
const observer = defineConnector({ name: "sandbox-observer", side: "observes", secret: "SANDBOX_OBSERVE", open, close });

/** The query of the state before, with a look-in. */
function ticketQuery(at: AtPoint = async () => {}): RecordQuery<pg.Pool> {
  return {
    name: "tickets.byName",
    key: (row) => String(row["name"]),
    labels: { name: "system", note: "own", status: "system" },
    run: async (pool, params) => {
      await at("before");
      return readTickets(pool, String(params["name"]));
    },
  };
}

/** What the deciding half reads, under a credential of its own. */
export function sampleReads(): RecordSource {
  return recordSource(reader, [ticketQuery()]);
}

/** The hands of the sample project, with a look-in at each point. */
export function sampleHands({ add, close: closing }: ReturnType<typeof sampleProject>, at: AtPoint = async () => {}): Hands {
  const query = ticketQuery(at);
  return defineHands({
    records: [recordSource(observer, [query])],
    hands: [
      implementEffect(add, {
        apply: through(writer, async (pool, { name, note }, { idempotencyKey, signal }) => {
          await at("arriving", signal);
          const text = "insert into sandbox.ticket (name, note, status, sent) values ($1, $2, 'open', $3) returning id";
          const { rows } = await pool.query<{ id: string }>(text, [name, note, idempotencyKey]);
          await at("committed", signal);
          return { targetId: rows[0]?.id ?? null };
        }),
        observe: through(observer, async (pool, { name }) => {
          await at("observing");
          return (await readTickets(pool, name))[0] ?? null;
        }),
        // The sample keeps no fences; where a test calls its target one that does, nobody is overtaken in mid-send.
        raiseFence: through(writer, async () => {}),
      }),
      implementEffect(closing, {
        apply: through(writer, async (pool, { name }) => {
          await pool.query("update sandbox.ticket set status = 'closed' where name = $1", [name]);
          return { targetId: null };
        }),
        observe: through(observer, async (pool, { name }) => (await readTickets(pool, name))[0] ?? null),
        raiseFence: through(writer, async () => {}),
      }),
    ],
  });
}

async function readTickets(pool: pg.Pool, name: string): Promise<{ note: string; status: string }[]> {
  const { rows } = await pool.query<{ note: string; status: string }>(
    "select note, status from sandbox.ticket where name = $1 order by id",
    [name],
  );
  return rows;
}
