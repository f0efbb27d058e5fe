import { databaseTime } from "../../store/time.ts";
import { checkRun } from "./check-run.ts";
import type { Seen } from "./examine.ts";
import { passingFaults } from "./faults.ts";
import { fileGroup } from "./file-group.ts";
import { type FileRow, type Plan, planRun } from "./plan-run.ts";
import { type ReadFile, readOne, type WaitingFile } from "./read-one.ts";
import type { RunReport } from "./run-report.ts";
import { Incomplete, type TenantRunning } from "./running.ts";
import { readShelf } from "./shelf.ts";
import * as rows from "./source-rows.ts";

type Faulty = RunReport["faults"][number];

/** A run for one tenant while it goes on. */
export interface TenantRun {
  readonly running: TenantRunning;
  state: "open" | "ended" | "failed";
  /** By the store's clock, in milliseconds since the epoch. */
  startedAt: number;
  readonly done: { filed: number; removed: number; rescoped: number; unchanged: number; lagMs: number | null };
  /** How many files were read, or it was tried to. */
  tries: number;
  readonly faults: Faulty[];
  /** What there is to do, once it is known. */
  work: { readonly seen: readonly Seen[]; readonly known: readonly FileRow[]; readonly plan: Plan } | null;
  /** Why it is not complete. */
  detail: string | null;
  failure: unknown;
}

/** Files that could not be read or filed though nothing is known to be wrong with them, by tenant and content: tried once in a run. */
export type Tried = Map<string, Faulty>;

/** Begins the run; one of a closed tenant has ended. */
export async function beginRun(one: TenantRun): Promise<void> {
  const { database, tenant, source } = one.running;
  await database.inTenant(tenant, async (tx) => {
    if (await rows.beginRun(tx, { tenant, source })) one.startedAt = await databaseTime(tx);
    else Object.assign(one, { state: "ended", detail: "its tenant is closed" } satisfies Partial<TenantRun>);
  });
}

/** Plans the run and does what waits for no file: what nobody may see any more leaves the index. Throws `Incomplete`. */
export async function closeAndRemove(one: TenantRun, seen: readonly Seen[]): Promise<void> {
  const { database, library, tenant, source } = one.running;
  const key = { tenant, source: source.name };
  const known = await database.inTenant(tenant, async (tx) => ({
    rows: await rows.readFileRows(tx, key),
    shelf: await readShelf(tx, key),
  }));
  if (seen.length === 0 && known.shelf.length > 0)
    throw new Incomplete(
      `its folder holds no file any more, and ${known.shelf.length} documents are filed; see that it is there, or remove them with \`countersign index remove --source ${source.name}\``,
    );
  const plan = planRun({ seen, ...known });
  one.work = { seen, known: known.rows, plan };
  await database.inTenant(tenant, async (tx) => {
    await rows.lockSource(tx, key);
    for (const change of plan.rescope) await library.changeScopes(tx, { tenant, ...change });
    for (const document of plan.remove) await library.remove(tx, { tenant, ...document });
    if (plan.forget.length > 0) await rows.forgetFiles(tx, { ...key, paths: plan.forget });
  });
  const { remove, rescope, unchanged } = plan;
  Object.assign(one.done, { removed: remove.length, rescoped: rescope.length, unchanged: unchanged.length });
  // Apart from what is closed: nothing that a file is called or says of itself can keep a document open.
  await database.inTenant(tenant, async (tx) => {
    for (const fault of plan.faults)
      await rows.keepFault(tx, { ...key, ...fault, attributesHash: null, isPassing: isPassing(fault) });
  });
  const isUnchanged = new Set(unchanged);
  const kept = known.rows.filter(({ path, fault }) => fault !== null && isUnchanged.has(path));
  one.faults.push(...plan.faults, ...kept.map(({ path, fault, detail }) => ({ path, fault: fault ?? "", detail: detail ?? "" })));
}

/** How much is filed in one transaction. */
const mostOfGroup = { files: 32, passages: 400 };

/** Files what the plan left, small files in groups, and ends the run; or leaves it open where it is interrupted. Throws `Incomplete`. */
export async function fileWaiting(
  one: TenantRun,
  { tried, isInterrupted }: { tried: Tried; isInterrupted: () => boolean },
): Promise<void> {
  const { running, work } = one;
  const waiting = work?.plan.file ?? [];
  const group = openGroup(one, tried);
  for (const [place, each] of waiting.entries()) {
    const earlier = tried.get(tryKey(running, each));
    const isEnding = running.isStopping() || (earlier === undefined && isInterrupted());
    // What was read is not read again.
    if (isEnding) await group.file();
    if (running.isStopping()) throw new Incomplete("it was stopped");
    if (isEnding) return;
    if (earlier === undefined) await group.read({ ...each, done: place, total: waiting.length });
    else one.faults.push(earlier);
  }
  await group.file();
  await endRun(one, notLookedAt(one) ?? (await lossOf(one)));
}

/** Files that were read and are not filed yet. */
function openGroup(one: TenantRun, tried: Tried) {
  let files: ReadFile[] = [];
  const fail = (waiting: WaitingFile | undefined, fault: Faulty): void => {
    one.faults.push(fault);
    if (waiting !== undefined && isPassing(fault)) tried.set(tryKey(one.running, waiting), fault);
  };
  const file = async (): Promise<void> => {
    const group = files;
    files = [];
    const faults = await fileGroup(one.running, group);
    for (const fault of faults) fail(group.find(({ waiting }) => waiting.seen.file.path === fault.path)?.waiting, fault);
    one.done.filed += group.length - faults.length;
    if (group.length > 0) noteLag(one);
  };
  return {
    file,
    /** Reads one more, and files the group where it is large enough. */
    read: async (waiting: WaitingFile): Promise<void> => {
      one.tries += 1;
      const read = await readOne(one.running, waiting, file);
      if (read.kind === "read") files.push(read.file);
      else {
        fail(waiting, read.fault);
        noteLag(one);
      }
      const passages = files.reduce((sum, { passages: own }) => sum + own.length, 0);
      if (files.length >= mostOfGroup.files || passages >= mostOfGroup.passages) await file();
    },
  };
}

function noteLag({ running, done }: TenantRun): void {
  const now = running.clock.now();
  done.lagMs = Math.max(done.lagMs ?? 0, now - (running.changeSeenAt ?? running.previousStart ?? now));
}

function tryKey({ tenant }: TenantRunning, { seen }: Plan["file"][number]): string {
  return JSON.stringify([tenant, seen.file.path, seen.contentHash, seen.attributesHash]);
}

/** Keeps how the run ended: `detail` says why it is not complete. */
export async function endRun(one: TenantRun, detail: string | null): Promise<void> {
  const { running, startedAt, done } = one;
  const { database, tenant, source, clock } = running;
  const key = { tenant, source: source.name, collection: source.collection };
  const lastChangeAt = done.lagMs === null ? null : clock.now() - done.lagMs;
  const end = { startedAt, isComplete: detail === null, detail, lagMs: done.lagMs, lastChangeAt };
  await database.inTenant(tenant, (tx) => rows.endRun(tx, { ...key, ...end }));
  Object.assign(one, { state: "ended", detail } satisfies Partial<TenantRun>);
}

/** What the run did, also where it has not ended. */
export function reportOf({ running, state, detail, done, faults }: TenantRun): RunReport {
  const { lagMs: _, ...counts } = done;
  const why = state === "open" ? "it was interrupted" : detail;
  return { tenant: running.tenant, source: running.source.name, isComplete: why === null, detail: why, ...counts, faults };
}

/** What could not be looked at counts where something is filed of it, which may be old; else nothing of it is in any answer. */
function notLookedAt({ faults, work }: TenantRun): string | null {
  const filed = (work?.known ?? []).filter(({ document }) => document !== null);
  const missed = faults.filter(
    (one) => isPassing(one) && filed.some(({ path }) => path === one.path || path.startsWith(`${one.path}/`)),
  );
  const [first] = missed;
  if (first === undefined) return null;
  return `${missed.length} files could not be looked at, such as \`${first.path}\`: ${first.detail}`;
}

function isPassing({ fault }: { readonly fault: string }): boolean {
  return passingFaults.some((one) => one === fault);
}

async function lossOf({ running: { database, tenant, source }, work }: TenantRun): Promise<string | null> {
  return checkRun(database, { tenant, source: source.name, seen: work?.seen ?? [] });
}
