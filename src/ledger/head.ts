import { mkdir, open, readdir, readFile, rename, unlink } from "node:fs/promises";
import { join } from "node:path";
import { CountersignError } from "../contract/errors.ts";
import type { ChainHead, Clock, HeadKeeper } from "../contract/ports.ts";
import { systemClock } from "../store/clock.ts";

/** A head keeper over a folder. A kept head is on disk within `everyMs`, and when `stop` has resolved. */
export interface FileHeadKeeper extends HeadKeeper {
  /** Keeps a head under another name, where nothing is held to it any more: a restore gave up the ledger that it was of. */
  readonly setAside: (head: ChainHead) => Promise<void>;
  readonly stop: () => Promise<void>;
}

interface Kept {
  /** What is to be written next; `null` where the file says it already. */
  waiting: ChainHead | null;
  last: ChainHead | null;
  writtenAt: number;
  timer: NodeJS.Timeout | undefined;
  writing: Promise<void>;
}

/**
 * Keeps each tenant's head in a file of its own, outside the database, with fsync of file and folder, at most once every
 * `everyMs` (a second). The name carries the seq and only lower ones are removed, so that several processes never turn it back.
 */
export function createHeadKeeper({
  directory,
  onError,
  clock = systemClock,
  everyMs = 1_000,
}: {
  directory: string;
  /** Told of a write that failed after `keep` had returned; the next one tries again. */
  onError: (thrown: unknown) => void;
  clock?: Clock;
  everyMs?: number;
}): FileHeadKeeper {
  const tenants = new Map<string, Kept>();
  const keptOf = (tenant: string): Kept => {
    const kept = tenants.get(tenant) ?? {
      waiting: null,
      last: null,
      writtenAt: -everyMs,
      timer: undefined,
      writing: Promise.resolve(),
    };
    tenants.set(tenant, kept);
    return kept;
  };
  const flush = (kept: Kept): Promise<void> => {
    clearTimeout(kept.timer);
    kept.timer = undefined;
    // A write that failed is made up for by this one; `waiting` still holds its head.
    kept.writing = kept.writing
      .catch(() => {})
      .then(async () => {
        const head = kept.waiting;
        if (head === null) return;
        kept.writtenAt = clock.monotonic();
        await writeHead(directory, head);
        if (kept.waiting === head) kept.waiting = null;
      });
    return kept.writing;
  };
  return {
    read: (tenant) => readHead(directory, tenant),
    keep: async (head) => {
      const kept = keptOf(head.tenant);
      kept.last ??= await readHead(directory, head.tenant);
      checkMonotonic(kept.last, head);
      kept.last = head;
      kept.waiting = head;
      const waitMs = kept.writtenAt + everyMs - clock.monotonic();
      if (waitMs <= 0) return flush(kept);
      kept.timer ??= setTimeout(() => void flush(kept).catch(onError), waitMs).unref();
    },
    setAside: async (head) => {
      tenants.delete(head.tenant);
      await rename(join(directory, nameOf(head)), join(directory, `${nameOf(head)}.replaced`));
      await syncFolder(directory);
    },
    stop: async () => {
      await Promise.all([...tenants.values()].map(flush));
    },
  };
}

// Invariant: a head never goes back, and the same place never has two hashes.
function checkMonotonic(last: ChainHead | null, head: ChainHead): void {
  if (last === null || head.seq > last.seq || (head.seq === last.seq && head.hash === last.hash)) return;
  const message = `the head of \`${head.tenant}\` is at ${head.seq} and was kept at ${last.seq}; run \`countersign ledger verify\``;
  throw new CountersignError("ledger_broken", message, { facts: { tenant: head.tenant, seq: head.seq, kept: last.seq } });
}

const seqDigits = 16;

function nameOf({ tenant, seq }: { tenant: string; seq: number }): string {
  return `${tenant}.${String(seq).padStart(seqDigits, "0")}.json`;
}

async function headFiles(directory: string, tenant: string): Promise<readonly string[]> {
  const names = await readdir(directory).catch(() => []);
  const isOurs = (name: string): boolean =>
    name.length === tenant.length + seqDigits + 6 && name.startsWith(`${tenant}.`) && /\.\d{16}\.json$/.test(name);
  return names.filter(isOurs).sort();
}

async function readHead(directory: string, tenant: string): Promise<ChainHead | null> {
  const name = (await headFiles(directory, tenant)).at(-1);
  if (name === undefined) return null;
  const text = await readFile(join(directory, name), "utf8").catch(() => null);
  // Gone since the folder was listed: another process has kept a higher one.
  if (text === null && !(await headFiles(directory, tenant)).includes(name)) return readHead(directory, tenant);
  const head = text === null ? null : parsed(text);
  if (!isHead(head) || head.tenant !== tenant) {
    throw new CountersignError(
      "ledger_broken",
      `the kept head \`${name}\` is not readable; restore it from where heads are posted`,
    );
  }
  return { tenant, seq: head.seq, hash: head.hash };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isHead(value: unknown): value is ChainHead {
  if (typeof value !== "object" || value === null || !("tenant" in value && "seq" in value && "hash" in value)) return false;
  return typeof value.tenant === "string" && Number.isSafeInteger(value.seq) && /^[0-9a-f]{64}$/.test(String(value.hash));
}

async function writeHead(directory: string, head: ChainHead): Promise<void> {
  await mkdir(directory, { recursive: true });
  const name = nameOf(head);
  const draft = join(directory, `${name}.${process.pid}.draft`);
  const file = await open(draft, "w");
  try {
    await file.writeFile(`${JSON.stringify({ version: 1, ...head })}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, join(directory, name));
  await syncFolder(directory);
  for (const older of await headFiles(directory, head.tenant))
    if (older < name) await unlink(join(directory, older)).catch(() => {});
}

/** Makes a change of names in a folder outlast a power cut. */
export async function syncFolder(directory: string): Promise<void> {
  const folder = await open(directory, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
