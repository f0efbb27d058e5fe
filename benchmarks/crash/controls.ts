/** Two ways of working that must fail here: a run in which they do not has shown nothing. */
import { setTimeout as wait } from "node:timers/promises";
import { readProgress } from "./book.ts";
import { runClients } from "./flows.ts";
import type { House } from "./house.ts";
import { bare, bareTimes } from "./plan.ts";
import { createPool, type Pool } from "./pool.ts";
import { oneOf } from "./storm.ts";
import { type Applied, type Mark, marks } from "./target.ts";

/** What a control came to. */
export interface ControlReport {
  readonly name: "call_then_record" | "no_settle_short_lease";
  readonly operations: number;
  readonly kills: number;
  readonly applied_twice: number;
  /** It fails, as it must. */
  readonly fails: boolean;
}

/** A worker that calls and then records that it has called, killed now and then. */
export async function callThenRecord(house: House, ms: number): Promise<ControlReport> {
  const things = Array.from({ length: 400 }, (_, place) => `naive-${place}`);
  await house.owner.ask("create schema if not exists naive");
  await house.owner.ask("create table if not exists naive.task (thing text primary key, done boolean not null default false)");
  await house.owner.ask("insert into naive.task (thing) select unnest($1::text[]) on conflict do nothing", [things]);
  // One at a time, so that only its deaths can make it repeat itself.
  const pool = createPool({
    ...house.forPool,
    name: "naive",
    program: house.program("naive"),
    slots: [{ name: "naive", env: {} }],
    spares: 1,
  });
  try {
    return await killUntilShown(house, { name: "call_then_record", kind: "naive", at: ["applied"], pool, ms, everyMs: 100 });
  } finally {
    await pool.close();
  }
}

/** Our own worker with an effect that waits for nothing, and a lease that ends before the call does. */
export async function withoutPatience(house: House, ms: number): Promise<ControlReport> {
  await house.replaceWorkers(bareTimes.takeOverMs);
  const seen = { open: 0, isOver: false };
  const asking = runClients({
    phase: "control",
    doors: house.doors,
    people: house.people,
    passing: () => {},
    // More than the machine can keep up with would be looked at again only after its call has ended, which nobody could double.
    mayAsk: () => seen.open < mostOpen,
    isOver: () => seen.isOver,
  });
  const watching = watch(house, seen);
  const pool = house.pools.worker;
  const report = await killUntilShown(house, { name: "no_settle_short_lease", kind: bare, at: marks, pool, ms, everyMs: 700 });
  seen.isOver = true;
  await Promise.all([asking, watching]);
  return report;
}

const mostOpen = 24;

async function watch({ owner }: House, seen: { open: number; isOver: boolean }): Promise<void> {
  for (; !seen.isOver; await wait(200)) seen.open = (await readProgress(owner, "control-")).open;
}

/** How many times longer than planned a control goes on where it has shown nothing yet: the machine may be busy. */
const mostTimes = 6;

interface Control extends Pick<ControlReport, "name"> {
  readonly kind: Applied["kind"];
  /** Where the calls are whose callers are killed. */
  readonly at: readonly Mark[];
  readonly pool: Pool;
  readonly ms: number;
  readonly everyMs: number;
}

/** Kills workers while a call of theirs is at the target, for as long as planned, and on until something was done twice. */
async function killUntilShown({ target }: House, { name, kind, at, pool, ms, everyMs }: Control): Promise<ControlReport> {
  const startedAt = performance.now();
  for (let kills = 0; ; ) {
    await wait(everyMs * (0.5 + Math.random()));
    const pid = await target.next(oneOf(at) ?? "applied", 300);
    if (pid !== null && pool.kill(pid)) kills += 1;
    const passedMs = performance.now() - startedAt;
    if (passedMs < ms) continue;
    const report = reportOf({ name, kind, kills, applied: await target.applied() });
    if (report.fails || passedMs > mostTimes * ms) return report;
  }
}

function reportOf({
  name,
  kills,
  applied,
  kind,
}: Pick<ControlReport, "name" | "kills"> & { applied: readonly Applied[]; kind: Applied["kind"] }): ControlReport {
  const byThing = Map.groupBy(
    applied.filter((one) => one.kind === kind),
    ({ thing }) => thing,
  );
  const twice = [...byThing.values()].filter((all) => all.length > 1).length;
  return { name, operations: byThing.size, kills, applied_twice: twice, fails: twice > 0 };
}
