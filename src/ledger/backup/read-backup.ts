import { createHash } from "node:crypto";
import { type Frame, readFrames, unreadable } from "../../store/backup/frames.ts";
import { type Manifest, readManifest, type SignedManifest } from "./manifest.ts";

/** Takes the rows of one table after the other. */
export interface RowsTaker {
  readonly begin: (table: string) => Promise<void>;
  readonly rows: (bytes: Buffer) => Promise<void>;
  readonly end: () => Promise<void>;
}

const nobody: RowsTaker = { begin: async () => {}, rows: async () => {}, end: async () => {} };

/** What was seen of a table while it was read. */
type Seen = Pick<Manifest["tables"][number], "name" | "bytes" | "sha256">;

/**
 * Reads a backup to its end, hands its rows on, and returns its manifest, which every table fits by then. Throws `backup_unreadable` where
 * something is missing, altered or added, and `backup_too_new`. Whether the manifest is to be believed is for whoever has the key.
 */
export async function readBackup(path: string, taker: RowsTaker = nobody): Promise<SignedManifest> {
  const seen: Seen[] = [];
  let signed: SignedManifest | null = null;
  let current = noTable();
  for await (const frame of readFrames(path)) {
    if (signed !== null) throw unreadable("something stands behind its manifest");
    if (frame.kind !== "D" && current.name !== null) {
      await taker.end();
      seen.push(current.seen());
      current = noTable();
    }
    if (frame.kind === "M") signed = readManifest(frame.bytes);
    if (frame.kind === "T") {
      current = tableNamed(frame);
      await taker.begin(frame.bytes.toString("utf8"));
    }
    if (frame.kind === "D") {
      current.take(frame.bytes);
      await taker.rows(frame.bytes);
    }
  }
  if (signed === null) throw unreadable("it ends before its manifest");
  compare(signed.manifest, seen);
  return signed;
}

interface Current {
  readonly name: string | null;
  readonly take: (bytes: Buffer) => void;
  readonly seen: () => Seen;
}

function noTable(): Current {
  const refuse = (): never => {
    throw unreadable("rows stand before the name of their table");
  };
  return { name: null, take: refuse, seen: refuse };
}

function tableNamed(frame: Frame): Current {
  const name = frame.bytes.toString("utf8");
  const digest = createHash("sha256");
  let bytes = 0;
  return {
    name,
    take: (rows) => {
      digest.update(rows);
      bytes += rows.length;
    },
    seen: () => ({ name, bytes, sha256: digest.digest("hex") }),
  };
}

function compare({ tables }: Manifest, seen: readonly Seen[]): void {
  if (tables.length !== seen.length) throw unreadable(`it holds ${seen.length} tables, and its manifest says ${tables.length}`);
  for (const [place, said] of tables.entries()) {
    const found = seen[place];
    if (found?.name !== said.name || found.bytes !== said.bytes || found.sha256 !== said.sha256)
      throw unreadable(`the table \`${said.name}\` is not the one that its manifest says`);
  }
}
