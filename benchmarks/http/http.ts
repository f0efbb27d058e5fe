/**
 * How many decisions go through the whole HTTP road: client, desk, decider and a durable PostgreSQL, with a script in the place of a model.
 * An empty route and one row a request run in turn with it. Beyond what a desk takes at once, callers are told when to come again.
 */
import { loadavg } from "node:os";
import pg from "pg";
import { z } from "zod";
import { CountersignError } from "../../src/contract/errors.ts";
import { type Machine, machineOf } from "../operations/machine.ts";
import { quantile } from "../overhead/statistics.ts";
import { type House, openHouse } from "./house.ts";
import { type Answer, type Call, createCaller, type LoadResult, runLoad } from "./load.ts";
import { capabilityName } from "./project/project.ts";

/** What was measured at one number of clients, each in turn. */
export interface Stretch {
  readonly decisions: LoadResult;
  readonly reads: LoadResult;
  readonly emptyRoute: LoadResult;
  readonly insertEach: LoadResult;
}

/** What a desk did that was asked for more than it takes. */
export interface Beyond {
  readonly mostAtOnce: number;
  readonly clients: number;
  readonly accepted: number;
  readonly refused: number;
  /** Refusals that did not say when to come again. */
  readonly withoutRetryAfter: number;
  readonly acceptedP50Ms: number;
  readonly acceptedP99Ms: number;
}

/** Everything that was measured. `isSound` where no answer was a fault, no entry is missing and the chain verifies. */
export interface HttpReport {
  readonly name: "http";
  readonly machine: Machine;
  readonly stretches: readonly Stretch[];
  readonly beyond: Beyond;
  readonly ledger: {
    readonly acknowledged: number;
    readonly missing: number;
    readonly halfWritten: number;
    readonly fault: string | null;
  };
  readonly isSound: boolean;
}

const clientCounts = [1, 8, 32, 128] as const;
const beyondClients = 128;
const decided = z.object({ id: z.string() });
const body = JSON.stringify({ capability: capabilityName, inputs: { text: "please word this note" } });

/** Runs the benchmark; `seconds` is the length of each of its stretches, five where none is said. */
export async function http({ seconds, notice }: { seconds: number | null; notice: (line: string) => void }): Promise<HttpReport> {
  const loadBefore = loadavg();
  const house = await openHouse();
  try {
    const run = { house, seconds: seconds ?? 5, acknowledged: new Set<string>() };
    await decisionsOf(run, 8);
    const stretches: Stretch[] = [];
    for (const clients of clientCounts) {
      notice(`${clients} clients`);
      stretches.push(await stretchOf(run, clients));
    }
    notice("beyond what is taken");
    const beyond = await beyondOf(run);
    const ledger = await ledgerOf(run);
    const isSound = ledger.missing + ledger.halfWritten + beyond.withoutRetryAfter === 0 && ledger.fault === null;
    return { name: "http", machine: machineOf(loadBefore), stretches, beyond, ledger, isSound };
  } finally {
    await house.close();
  }
}

interface Run {
  readonly house: House;
  readonly seconds: number;
  /** The decisions that a desk has confirmed. */
  readonly acknowledged: Set<string>;
}

async function stretchOf(run: Run, clients: number): Promise<Stretch> {
  const decisions = await decisionsOf(run, clients);
  const ids = [...run.acknowledged];
  let next = 0;
  const path = (): string => `/v1/decisions/${ids[next++ % ids.length]}`;
  const { deskUrl, apiKey, emptyUrl } = run.house;
  const reads = await called({ run, clients, url: deskUrl, apiKey, wanted: 200 }, (send) => () => send("GET", path(), ""));
  const empty = { run, clients, url: emptyUrl, apiKey: null, wanted: 200 };
  const emptyRoute = await called(empty, (send) => () => send("POST", "/", body));
  return { decisions, reads, emptyRoute, insertEach: await insertsOf(run, clients) };
}

function decisionsOf(run: Run, clients: number): Promise<LoadResult> {
  const { deskUrl: url, apiKey } = run.house;
  const see = ({ text }: Answer): void => void run.acknowledged.add(decided.parse(JSON.parse(text)).id);
  return called({ run, clients, url, apiKey, wanted: 201, see }, (send) => () => send("POST", "/v1/decisions", body));
}

interface Calling {
  readonly run: Run;
  readonly clients: number;
  readonly url: string;
  readonly apiKey: string | null;
  /** Any other status ends the run: figures beside failures are worth nothing. */
  readonly wanted: number;
  readonly see?: (answer: Answer) => void;
}

async function called(calling: Calling, callOf: (send: ReturnType<typeof createCaller>["send"]) => Call): Promise<LoadResult> {
  const { run, clients, url, apiKey, wanted, see } = calling;
  const { send, close } = createCaller(url, apiKey);
  const seeing = (answer: Answer): void => {
    if (answer.status !== wanted) throw unexpected(wanted, answer);
    see?.(answer);
  };
  try {
    return await runLoad({ clients, seconds: run.seconds, call: callOf(send), see: seeing });
  } finally {
    close();
  }
}

/** One committed row a call, by as many connections as a desk's pool would open at most. */
async function insertsOf({ house, seconds }: Run, clients: number): Promise<LoadResult> {
  const pool = new pg.Pool({ connectionString: house.adminUrl, max: Math.min(clients, 10) });
  try {
    await pool.query(
      "create table if not exists public.bench_insert (id bigint generated always as identity primary key, body text)",
    );
    const call = async (): Promise<Answer> => {
      await pool.query("insert into public.bench_insert (body) values ($1)", [body]);
      return { status: 200, retryAfter: null, text: "" };
    };
    return await runLoad({ clients, seconds, call, see: () => {} });
  } finally {
    await pool.end();
  }
}

async function beyondOf({ house, seconds, acknowledged }: Run): Promise<Beyond> {
  const { send, close } = createCaller(house.narrowUrl, house.apiKey);
  const accepted: number[] = [];
  let refused = 0;
  let withoutRetryAfter = 0;
  const see = (answer: Answer, ms: number): void => {
    if (answer.status === 201) {
      accepted.push(ms);
      acknowledged.add(decided.parse(JSON.parse(answer.text)).id);
      return;
    }
    if (answer.status !== 503 && answer.status !== 429) throw unexpected(503, answer);
    refused += 1;
    if (!/^[1-9]\d*$/.test(answer.retryAfter ?? "")) withoutRetryAfter += 1;
  };
  try {
    await runLoad({ clients: beyondClients, seconds, call: () => send("POST", "/v1/decisions", body), see });
  } finally {
    close();
  }
  if (refused === 0) throw new CountersignError("internal", "nothing was refused, so nothing beyond capacity was measured");
  accepted.sort((a, b) => a - b);
  return {
    ...{ mostAtOnce: house.narrowAtOnce, clients: beyondClients, accepted: accepted.length, refused, withoutRetryAfter },
    ...{ acceptedP50Ms: quantile(accepted, 0.5), acceptedP99Ms: quantile(accepted, 0.99) },
  };
}

async function ledgerOf({ house, acknowledged }: Run): Promise<HttpReport["ledger"]> {
  const { broken } = await house.verify();
  const { rows } = await house.owner.query<{ missing: number; half: number }>(
    `select (select count(*)::int from unnest($1::text[]) as told (id)
        where not exists (select from countersign.entry e where e.decision_id::text = told.id and e.kind = 'decided')) as missing,
      (select count(*)::int from countersign.intent i where not exists (
        select from countersign.entry e where e.decision_id = i.decision_id and e.kind = 'decided')) as half`,
    [[...acknowledged]],
  );
  const [row] = rows;
  if (row === undefined) throw new CountersignError("internal", "the database answered a count without a row");
  const fault = broken === null ? null : `${broken.fault}: ${broken.detail}`;
  return { acknowledged: acknowledged.size, missing: row.missing, halfWritten: row.half, fault };
}

function unexpected(wanted: number, { status, text }: Answer): CountersignError {
  return new CountersignError("internal", `status ${wanted} was expected and ${status} came: ${text.slice(0, 300)}`);
}
