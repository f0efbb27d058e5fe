import type { Remembered, Seen } from "./examine.ts";
import { lookAtFolder } from "./look-at-folder.ts";
import type { RunReport } from "./run-report.ts";
import { Incomplete, type Running } from "./running.ts";
import { beginRun, closeAndRemove, endRun, fileWaiting, reportOf, type TenantRun, type Tried } from "./tenant-run.ts";

/** A run over all tenants of a source. */
export interface SourceRun extends Running {
  readonly tenants: readonly string[];
  readonly remembered: Remembered;
  /** What was tried since the run began, also before it looked anew. */
  readonly tried: Tried;
  /** Asked between files and tenants: whether the folder should be looked at anew before more of it is read. */
  readonly shouldLookAgain: () => boolean;
}

/**
 * Brings the index of each tenant to what a source's folder holds. Whatever is wrong with a file keeps that file out, by name, and stops
 * no other; what is gone or closed leaves the index of every tenant before any file is read. A run that could not look at everything
 * that is filed, or after which the index does not hold what it was given, is not complete: the index then counts as old as the last
 * complete one. One that `isInterrupted` has to be gone on with. Throws what the database throws, after the other tenants were seen to.
 */
export async function runSource(
  run: SourceRun,
): Promise<{ readonly reports: readonly RunReport[]; readonly isInterrupted: boolean }> {
  const beganAt = run.clock.monotonic();
  const runs = run.tenants.map((tenant) => newRun(run, tenant));
  const open = (): readonly TenantRun[] => runs.filter(({ state }) => state === "open");
  for (const one of open()) await attempt(one, () => beginRun(one));
  const seen = await lookAtFolder(run, run.remembered).catch(incompleteOnly);
  for (const one of open()) await attempt(one, () => closeWith(one, seen));
  const isInterrupted = interruption(run, { beganAt, runs });
  for (const one of open()) if (!isInterrupted()) await attempt(one, () => fileWaiting(one, { tried: run.tried, isInterrupted }));
  const failed = runs.find(({ state }) => state === "failed");
  if (failed !== undefined) throw failed.failure;
  return { reports: runs.map(reportOf), isInterrupted: open().length > 0 };
}

function newRun(run: SourceRun, tenant: string): TenantRun {
  const done = { filed: 0, removed: 0, rescoped: 0, unchanged: 0, lagMs: null };
  const before = { startedAt: 0, work: null, detail: null, failure: null };
  return { running: { ...run, tenant }, state: "open", done, tries: 0, faults: [], ...before };
}

/** Does a part of a tenant's run. One that cannot go on ends, and the runs for other tenants do not. */
async function attempt(one: TenantRun, part: () => Promise<void>): Promise<void> {
  try {
    await part().catch((thrown) => endRun(one, incompleteOnly(thrown).message));
  } catch (thrown) {
    // The fault says more than one of keeping it.
    await endRun(one, "it failed").catch(() => {});
    one.state = "failed";
    one.failure = thrown;
  }
}

function incompleteOnly(thrown: unknown): Incomplete {
  if (thrown instanceof Incomplete) return thrown;
  throw thrown;
}

async function closeWith(one: TenantRun, seen: readonly Seen[] | Incomplete): Promise<void> {
  if (seen instanceof Incomplete) throw seen;
  await closeAndRemove(one, seen);
}

/**
 * Ends the reading of files where something may be gone or closed meanwhile; never before one was tried, so that each run gets on, and
 * not before as much time was given to reading as to looking at the folder, which may be large.
 */
function interruption(
  { clock, shouldLookAgain }: SourceRun,
  { beganAt, runs }: { beganAt: number; runs: readonly TenantRun[] },
): () => boolean {
  const from = clock.monotonic();
  const looking = from - beganAt;
  return () => runs.some(({ tries }) => tries > 0) && clock.monotonic() - from >= looking && shouldLookAgain();
}
