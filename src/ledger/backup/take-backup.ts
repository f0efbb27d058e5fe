import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { link, open, rm } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { sql } from "kysely";
import { CountersignError } from "../../contract/errors.ts";
import type { ChainHead } from "../../contract/ports.ts";
import { type CopiedTable, copiedTables, rowsOf } from "../../store/backup/copied-tables.ts";
import { firstLine, frameBytes } from "../../store/backup/frames.ts";
import { inOwnersTransaction, type OwnersTransaction } from "../../store/backup/owners-transaction.ts";
import type { Tx } from "../../store/database.ts";
import type { SigningKey } from "../../store/signature.ts";
import { linkHash } from "../chain.ts";
import { syncFolder } from "../head.ts";
import { type Manifest, manifestBytes, payloadKeyCheck } from "./manifest.ts";
import { placesInstead } from "./settled-places.ts";

/** What a backup is made with. `keys` is what of the installation's keys goes with it, encrypted already; `now` is in milliseconds. */
export interface Backup {
  readonly adminUrl: string;
  readonly path: string;
  readonly key: SigningKey;
  readonly payloadKey: Buffer;
  readonly keys: string | null;
  readonly now: number;
}

/**
 * Writes every table as it stood at one moment to a new file, whole or not at all, and returns its manifest. Writers go on meanwhile. Throws
 * `bad_request` where the file is there or cannot be written.
 */
export async function takeBackup(backup: Backup): Promise<Manifest> {
  const path = resolve(backup.path);
  const draft = `${path}.${process.pid}.part`;
  const { adminUrl } = backup;
  await refuseExisting(path);
  try {
    const manifest = await inOwnersTransaction({ adminUrl, kind: "snapshot" }, (from) => writeDraft({ draft, backup, from }));
    // Two names for a moment: taking the place of a file that came meanwhile is refused by the file system.
    await link(draft, path);
    await rm(draft);
    await syncFolder(dirname(path));
    return manifest;
  } catch (thrown) {
    await rm(draft, { force: true });
    throw isOfFiles(thrown) ? unwritable(path, thrown) : thrown;
  }
}

async function writeDraft({
  draft,
  backup,
  from,
}: {
  draft: string;
  backup: Backup;
  from: OwnersTransaction;
}): Promise<Manifest> {
  const begun = await beginManifest(from.tx, backup);
  const tables = await copiedTables(from.tx);
  const written: Manifest["tables"] = [];
  const manifest = { ...begun, tables: written };
  async function* frames(): AsyncGenerator<Buffer> {
    for (const table of tables) {
      yield frameBytes({ kind: "T", bytes: Buffer.from(table.name) });
      yield* tableFrames({ from, table, written });
    }
    yield frameBytes({ kind: "M", bytes: manifestBytes(manifest, backup.key) });
  }
  // Whoever has it reads what the database holds in clear, so it is its owner's alone.
  const file = await open(draft, "wx", 0o600);
  try {
    await file.write(firstLine);
    const out = createWriteStream(draft, { flags: "r+", start: firstLine.length });
    await pipeline(Readable.from(frames()), createGzip({ chunkSize: 256 * 1024 }), out);
    await file.sync();
  } finally {
    await file.close();
  }
  return manifest;
}

const newline = 0x0a;

async function* tableFrames({
  from,
  table,
  written,
}: {
  from: OwnersTransaction;
  table: CopiedTable;
  written: Manifest["tables"];
}): AsyncGenerator<Buffer> {
  const digest = createHash("sha256");
  let [rows, bytes] = [0, 0];
  for await (const chunk of from.copyOut(rowsOf(table, placesInstead)) as AsyncIterable<Buffer>) {
    digest.update(chunk);
    bytes += chunk.length;
    // COPY writes a newline within a value in two characters, so one is the end of a row.
    for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, at + 1)) rows += 1;
    yield frameBytes({ kind: "D", bytes: chunk });
  }
  written.push({ name: table.name, columns: [...table.columns], rows, bytes, sha256: digest.digest("hex") });
}

async function beginManifest(tx: Tx, { payloadKey, keys, now }: Backup): Promise<Omit<Manifest, "tables">> {
  const { rows } = await sql<{ name: string }>`select name from public.countersign_migration order by name`.execute(tx);
  const tenants = await tx.selectFrom("tenant").select("id").orderBy("id").execute();
  return {
    ...{ madeAt: now, migrations: rows.map(({ name }) => name), tenants: tenants.map(({ id }) => id) },
    ...{ heads: await headsOf(tx), payloadKeyCheck: payloadKeyCheck(payloadKey), keys },
  };
}

async function headsOf(tx: Tx): Promise<ChainHead[]> {
  const { rows } = await sql<{ tenant: string; seq: string; entry_id: string; prev_hash: Buffer; entry_hash: Buffer }>`
    select last.tenant, last.seq, last.entry_id, last.prev_hash, last.entry_hash
    from countersign.tenant, lateral (
      select * from countersign.seal where seal.tenant = tenant.id order by seq desc limit 1) last
    order by last.tenant`.execute(tx);
  return rows.map(({ tenant, seq, entry_id: entryId, prev_hash: prevHash, entry_hash: entryHash }) => ({
    tenant,
    seq: Number(seq),
    hash: linkHash({ tenant, seq: Number(seq), entryId, prevHash, entryHash }).toString("hex"),
  }));
}

async function refuseExisting(path: string): Promise<void> {
  const found = await open(path, "r").catch(() => null);
  await found?.close();
  if (found !== null) throw new CountersignError("bad_request", `\`${path.slice(0, 200)}\` is there already; name a new file`);
}

function isOfFiles(thrown: unknown): boolean {
  return thrown instanceof Error && "syscall" in thrown && "path" in thrown;
}

function unwritable(path: string, cause: unknown): CountersignError {
  const message = `\`${path.slice(0, 200)}\` cannot be written, or is there already; name a new file in a folder that is there`;
  return new CountersignError("bad_request", message, { cause });
}
