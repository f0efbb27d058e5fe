/**
 * Can eight processes with hundreds of runs at once, killed at random, spend one cap without passing it and without losing any of it? And what
 * does asking cost? Everything is read from the tables afterwards; no process is believed.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { takeBackAllotments } from "../../src/guard/budget/allotments.ts";
import { payloadKeys } from "../../src/ledger/payload.ts";
import { sweepIntents } from "../../src/ledger/sweep.ts";
import { type Database, openDatabase } from "../../src/store/database.ts";
import { startEmbedded } from "../../src/store/embedded.ts";
import { migrate, roleUrl } from "../../src/store/migrate.ts";
import { walSnapshot } from "../overhead/statistics.ts";
import type { Plan } from "./plan.ts";

/** What the benchmark says. */
export interface BudgetReport {
  readonly processes: number;
  readonly concurrent_runs: number;
  readonly cap_micros: number;
  readonly kills: number;
  readonly decisions: number;
  /** Spent beyond the cap, in millionths: what is in the spend ledger, and what the budget's own row says, whichever is more. */
  readonly overspend: number;
  /** Drawn and never given back, or counted otherwise than the spend ledger says. */
  readonly leaked: number;
  /** Of the cap, what nobody could use before every run was refused. */
  readonly unusable_share: number;
  /** Of the cap, what counts as spent because the process that had reserved it was killed. */
  readonly assumed_share: number;
  /** What taking room for a run costs before it begins, one run after the other; and in the storm, where runs wait for a draw. */
  readonly check_p50_us: number;
  readonly check_p99_us: number;
  readonly storm_check_p50_us: number;
  readonly commits_per_decision: { readonly with_budget: number; readonly without: number };
  readonly holds: boolean;
  readonly seconds: number;
}

const [processes, lanes, runMicros, leaseMs] = [8, 64, 8_000, 3_000];
/** So much that it is not spent long before the last process is killed. */
const microsPerSecond = 4_000_000;

/** Runs it; `seconds` shortens the time in which processes are killed. */
export async function budget({
  seconds = null,
  notice = () => {},
}: {
  seconds?: number | null;
  notice?: (line: string) => void;
}): Promise<BudgetReport> {
  const startedAt = performance.now();
  const capMicros = microsPerSecond * (seconds ?? 60);
  const stand = await openStand(capMicros);
  try {
    const quiet = await compareCommits(stand);
    const commits = quiet.commits_per_decision;
    notice(`commits a decision: ${commits.with_budget.toFixed(3)} with a budget, ${commits.without.toFixed(3)} without`);
    const stormed = await storm(stand, { ms: (seconds ?? 60) * 1_000, notice });
    const judged = await judge(stand, capMicros);
    return {
      ...{ processes, concurrent_runs: processes * lanes, cap_micros: capMicros, ...stormed, ...judged, ...quiet },
      holds: judged.overspend === 0 && judged.leaked === 0 && stormed.kills > 0 && commits.with_budget < commits.without + 0.05,
      seconds: Math.round((performance.now() - startedAt) / 1_000),
    };
  } finally {
    await stand.close();
  }
}

interface Stand {
  readonly owner: pg.Client;
  readonly deciding: Database;
  readonly url: string;
  readonly close: () => Promise<void>;
}

async function openStand(capMicros: number): Promise<Stand> {
  const directory = await mkdtemp(join(tmpdir(), "countersign-budget-"));
  const server = await startEmbedded({ directory, settings: { max_wal_size: "16GB" } });
  const password = randomBytes(12).toString("hex");
  await migrate({ adminUrl: server.adminUrl, passwords: { deciding: password } });
  const owner = new pg.Client({ connectionString: server.adminUrl });
  await owner.connect();
  await owner.query(
    "insert into countersign.tenant (id, name) values ('free', 'Free'), ('light', 'Light'), ('capped', 'Capped')",
  );
  const put =
    "insert into countersign.budget (tenant, id, scope, name, unit, period, cap) values ($1, 'all', 'tenant', '', 'micros', 'month', $2)";
  await owner.query(put, ["light", 1_000_000_000_000]);
  await owner.query(put, ["capped", capMicros]);
  const url = roleUrl({ adminUrl: server.adminUrl, role: "deciding", password });
  const deciding = openDatabase({ url, role: "deciding", connections: 2 });
  return {
    ...{ owner, deciding, url },
    close: async () => {
      await deciding.close();
      await owner.end();
      await server.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Transactions that wrote, for each decision, one decision after the other: with a budget and without one. */
async function compareCommits(
  stand: Stand,
): Promise<Pick<BudgetReport, "commits_per_decision" | "check_p50_us" | "check_p99_us">> {
  const decisions = 2_000;
  const runOf = async (tenant: string, isMetered: boolean): Promise<{ commits: number; said: Said }> => {
    const before = await walSnapshot(stand.owner);
    const { child, said } = start(stand, { tenant, isMetered, lanes: 1, mostRuns: decisions });
    await ended(child);
    const after = await walSnapshot(stand.owner);
    return { commits: Number(after.nextXid - before.nextXid) / decisions, said: JSON.parse(await said) as Said }; // its own form
  };
  const without = await runOf("free", false);
  const { commits, said } = await runOf("light", true);
  return {
    commits_per_decision: { with_budget: round(commits, 3), without: round(without.commits, 3) },
    ...{ check_p50_us: round(said.p50, 1), check_p99_us: round(said.p99, 1) },
  };
}

type Said = { decided: number; lost: number; p50: number; p99: number; faults: readonly string[] };

function start({ url }: Stand, own: Partial<Plan>): { child: ChildProcess; begun: Promise<void>; said: Promise<string> } {
  const plan = { url, tenant: "capped", lanes, runMicros, leaseMs, isMetered: true, mostRuns: 1_000_000, ...own };
  const child = spawn(process.execPath, [fileURLToPath(new URL("child.ts", import.meta.url))], {
    env: { PATH: process.env["PATH"], BENCH_PLAN: JSON.stringify(plan) },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const output: string[] = [];
  child.stdout?.setEncoding("utf8").on("data", (part: string) => void output.push(part));
  // The first word says that decisions are under way; the last line is what it says at its end.
  const begun = new Promise<void>((resolve) => void child.stdout?.once("data", () => resolve()));
  const said = new Promise<string>(
    (resolve) => void child.once("close", () => resolve(output.join("").split("\n").at(-2) ?? "")),
  );
  return { child, begun, said };
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) =>
    child.exitCode === null && child.signalCode === null ? child.once("exit", () => resolve()) : resolve(),
  );
}

/** Eight processes spend; one of them is killed now and then and another takes its place, until the time is over; then all spend the rest. */
async function storm(
  stand: Stand,
  { ms, notice }: { ms: number; notice: (line: string) => void },
): Promise<Pick<BudgetReport, "kills" | "storm_check_p50_us">> {
  const until = performance.now() + ms;
  const all: ReturnType<typeof start>[] = [];
  let kills = 0;
  const place = async (): Promise<void> => {
    for (;;) {
      const one = start(stand, {});
      all.push(one);
      const life = one.begun.then(() => delay(300 + Math.random() * 2_000)).then(() => "alive" as const);
      const first = await Promise.race([
        ended(one.child).then(() => "ended" as const),
        performance.now() < until ? life : ended(one.child),
      ]);
      if (first === "alive" && performance.now() < until) {
        one.child.kill("SIGKILL");
        kills += 1;
        await ended(one.child);
      } else {
        await ended(one.child);
        return;
      }
    }
  };
  const settling = sweepRounds(stand);
  await Promise.all(Array.from({ length: processes }, place));
  notice(`${kills} kills; all that was killed is taken back, and the rest is spent`);
  await settling.settled();
  // What came back from the dead is there for others: spent by one more process, until it too is refused.
  const last = start(stand, {});
  all.push(last);
  await ended(last.child);
  await settling.settled();
  await settling.stop();
  const said = (await Promise.all(all.map((one) => one.said))).flatMap((line) =>
    !line.startsWith("{") ? [] : [JSON.parse(line) as Said],
  ); // its own form
  for (const fault of said.flatMap(({ faults }) => faults).slice(0, 3)) notice(`told by a process: ${fault}`);
  const middle = (of: (one: Said) => number): number => said.map(of).sort((a, b) => a - b)[Math.floor(said.length / 2)] ?? 0;
  return {
    kills,
    storm_check_p50_us: round(
      middle(({ p50 }) => p50),
      1,
    ),
  };
}

/** What every deciding process does in the background, here for the dead: their decisions are ended, their allotments taken back. */
function sweepRounds({ deciding, owner }: Stand): { settled: () => Promise<void>; stop: () => Promise<void> } {
  let isStopped = false;
  const keys = payloadKeys(Buffer.alloc(32, 1));
  const rounds = (async () => {
    while (!isStopped) {
      await sweepIntents({ database: deciding, keys });
      await takeBackAllotments(deciding);
      await delay(250);
    }
  })();
  return {
    settled: async () => {
      const open =
        "select (select count(*) from countersign.intent where not ended) + (select count(*) from countersign.allotment where state <> 'closed') as open";
      while (Number((await owner.query(open)).rows[0].open) > 0) await delay(200);
    },
    stop: async () => {
      isStopped = true;
      await rounds;
    },
  };
}

async function judge(
  { owner }: Stand,
  capMicros: number,
): Promise<Pick<BudgetReport, "decisions" | "overspend" | "leaked" | "unusable_share" | "assumed_share">> {
  const { rows } = await owner.query(`
    select (select sum(cost_micros)::float8 from countersign.spend where tenant = 'capped') as spent,
      (select sum(cost_micros)::float8 from countersign.spend where tenant = 'capped' and purpose = 'assumed') as assumed,
      (select count(*)::int from countersign.entry where tenant = 'capped' and kind = 'decided') as decisions,
      used::float8, drawn::float8 from countersign.budget_use where tenant = 'capped'`);
  const { spent, assumed, decisions, used, drawn } = rows[0];
  return {
    decisions,
    overspend: Math.max(0, Math.max(spent, used) - capMicros),
    leaked: drawn + Math.abs(used - spent),
    unusable_share: round((capMicros - used) / capMicros, 5),
    assumed_share: round((assumed ?? 0) / capMicros, 4),
  };
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
