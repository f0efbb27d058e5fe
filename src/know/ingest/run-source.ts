import { databaseTime } from "../../store/time.ts";
import { checkRun } from "./check-run.ts";
import { examine, type Seen } from "./examine.ts";
import { passingFaults } from "./faults.ts";
import { fileOne } from "./file-one.ts";
import { type Listing, listFiles } from "./list-files.ts";
import { type Plan, planRun } from "./plan-run.ts";
import type { Running } from "./running.ts";
import { readShelf } from "./shelf.ts";
import * as rows from "./source-rows.ts";

/** What a run did. */
export interface RunReport {
  readonly tenant: string;
  readonly source: string;
  readonly isComplete: boolean;
  /** Why it is not complete. */
  readonly detail: string | null;
  readonly filed: number;
  readonly removed: number;
  readonly rescoped: number;
  readonly unchanged: number;
  readonly faults: readonly { readonly path: string; readonly fault: string; readonly detail: string }[];
}

/**
 * Brings the index to what a source's folder holds. Whatever is wrong with a file keeps that file out, by name, and stops no other. A run
 * that could not look at everything, or after which the index does not hold what it was given, is not complete: the index then counts
 * as old as the last complete one. Throws what the database throws.
 */
export async function runSource(running: Running): Promise<RunReport> {
  const { database, tenant, source } = running;
  const key = { tenant, source: source.name };
  const startedAt = await database.inTenant(tenant, async (tx) => {
    if (!(await rows.beginRun(tx, { tenant, source }))) return null;
    return databaseTime(tx);
  });
  if (startedAt === null) return { ...key, isComplete: false, detail: "its tenant is closed", ...nothing, faults: [] };
  const ending = { ...key, startedAt, collection: source.collection };
  const done = { filed: 0, removed: 0, rescoped: 0, unchanged: 0, lagMs: null as number | null };
  const faults: { path: string; fault: string; detail: string }[] = [];
  let detail: string | null;
  try {
    const listing = await listFiles(running.folder).catch((thrown: unknown) => {
      throw new Incomplete(
        `its folder cannot be read (${thrown instanceof Error && "code" in thrown ? thrown.code : "unknown"})`,
      );
    });
    const seen = await examineAll(running, listing);
    detail = await carryOut(running, { seen, done, faults });
    detail ??= await checkRun(database, { ...key, seen });
  } catch (thrown) {
    if (!(thrown instanceof Incomplete)) {
      await endQuietly(running, { ...ending, isComplete: false, detail: "it failed", lagMs: null, lastChangeAt: null });
      throw thrown;
    }
    detail = thrown.message;
  }
  const isComplete = detail === null;
  const { lagMs, ...counts } = done;
  const lastChangeAt = lagMs === null ? null : running.clock.now() - lagMs;
  await database.inTenant(tenant, (tx) => rows.endRun(tx, { ...ending, isComplete, detail, lagMs, lastChangeAt }));
  return { ...key, isComplete, detail, ...counts, faults };
}

const nothing = { filed: 0, removed: 0, rescoped: 0, unchanged: 0 };

/** Why a run ends without being complete. */
class Incomplete extends Error {}

async function examineAll({ folder: _, ...running }: Running, { root, files, faults }: Listing): Promise<readonly Seen[]> {
  const seen: Seen[] = faults.map((one) => ({ kind: "faulty", contentHash: null, ...one }));
  for (const file of files) {
    if (running.isStopping()) throw new Incomplete("it was stopped");
    seen.push(await examine({ root, file, source: running.source, remembered: running.remembered }));
  }
  return seen;
}

interface Doing {
  readonly seen: readonly Seen[];
  readonly done: { filed: number; removed: number; rescoped: number; unchanged: number; lagMs: number | null };
  readonly faults: { path: string; fault: string; detail: string }[];
}

/** Does what the plan says; gives why the run is not complete, where it is not. */
async function carryOut(running: Running, { seen, done, faults }: Doing): Promise<string | null> {
  const { database, tenant, source } = running;
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
  await closeAndRemove(running, plan);
  done.removed = plan.remove.length;
  done.rescoped = plan.rescope.length;
  done.unchanged = plan.unchanged.length;
  faults.push(...plan.faults, ...known.rows.flatMap((row) => (isKnownFault(row, plan) ? [faultOfRow(row)] : [])));
  const total = plan.file.length;
  for (const [place, one] of plan.file.entries()) {
    if (running.isStopping()) throw new Incomplete("it was stopped");
    const { filedAt, fault } = await fileOne(running, { ...one, done: place, total });
    if (fault !== null) faults.push(fault);
    else done.filed += 1;
    const changedAt = running.changeSeenAt ?? running.previousStart ?? filedAt;
    done.lagMs = Math.max(done.lagMs ?? 0, filedAt - changedAt);
  }
  const passing = faults.filter(({ fault }) => passingFaults.some((one) => one === fault));
  const [first] = passing;
  return first === undefined
    ? null
    : `${passing.length} files could not be looked at, such as \`${first.path}\`: ${first.detail}`;
}

/** What nobody may see any more comes first, in one transaction: it waits for no file. */
async function closeAndRemove({ database, library, tenant, source }: Running, plan: Plan): Promise<void> {
  const key = { tenant, source: source.name };
  await database.inTenant(tenant, async (tx) => {
    await rows.lockSource(tx, key);
    for (const change of plan.rescope) await library.changeScopes(tx, { tenant, ...change });
    for (const document of plan.remove) await library.remove(tx, { tenant, ...document });
    if (plan.forget.length > 0) await rows.forgetFiles(tx, { ...key, paths: plan.forget });
    for (const one of plan.faults)
      await rows.keepFault(tx, { ...key, ...one, attributesHash: null, isPassing: passingFaults.includes(one.fault) });
  });
}

type Row = Awaited<ReturnType<typeof rows.readFileRows>>[number];

function isKnownFault({ path, fault }: Row, plan: Plan): boolean {
  return fault !== null && plan.unchanged.includes(path);
}

function faultOfRow({ path, fault, detail }: Row): { path: string; fault: string; detail: string } {
  return { path, fault: fault ?? "", detail: detail ?? "" };
}

/** The fault that is thrown next says more than one of keeping it. */
async function endQuietly({ database, tenant }: Running, end: Parameters<typeof rows.endRun>[1]): Promise<void> {
  await database.inTenant(tenant, (tx) => rows.endRun(tx, end)).catch(() => {});
}
