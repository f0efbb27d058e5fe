import { createHash } from "node:crypto";
import { constants, lstat, open, realpath } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { UnreadableFile } from "./faults.ts";
import { isInside, type ListedFile } from "./list-files.ts";

/** The largest file that is read, in bytes. */
const mostFileBytes = 256 * 1024 * 1024;
const attempts = 3;
const pauseMs = 100;

/** A file as it was at one moment. */
export interface ReadBytes {
  readonly bytes: Buffer;
  /** SHA-256 over the bytes, in hex. */
  readonly hash: string;
  /** Changes with every write, whatever a clock is set to. */
  readonly stamp: string;
}

/**
 * Reads a file whole, anew where it changes meanwhile. What was listed is what is read: a link that was put in its place is not followed.
 * Throws `UnreadableFile` (`changing`, `outside`, `too_large`, `empty`), or what the file system throws.
 */
export async function readBytes(root: string, file: Pick<ListedFile, "place">, most = mostFileBytes): Promise<ReadBytes> {
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const read = await readOnce(root, file.place, most);
    if (read !== null) return read;
    await pause(pauseMs * attempt);
  }
  throw new UnreadableFile("changing");
}

/** Reads the file beside a file; an empty text where it is empty. */
export async function readBeside(root: string, path: string): Promise<ReadBytes> {
  return readBytes(root, { place: join(root, path) }, 1024 * 1024);
}

/** The stamp of a file without reading it. Throws what the file system throws. */
export async function stampOf(place: string): Promise<string> {
  return stampText(await lstat(place, { bigint: true }));
}

async function readOnce(root: string, place: string, most: number): Promise<ReadBytes | null> {
  const handle = await open(place, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const before = await handle.stat({ bigint: true });
    if (!before.isFile()) throw new UnreadableFile("unsupported", "it is no file");
    // A folder above it may have become a link since it was listed.
    const resolved = await realpath(place);
    if (!isInside(root, resolved)) throw new UnreadableFile("outside");
    const named = await lstat(resolved, { bigint: true });
    if (named.ino !== before.ino || named.dev !== before.dev) return null;
    if (before.size > BigInt(most)) throw new UnreadableFile("too_large", `it has ${before.size} bytes`);
    const bytes = await handle.readFile();
    const after = await handle.stat({ bigint: true });
    const stamp = stampText(after);
    if (stamp !== stampText(before) || BigInt(bytes.byteLength) !== after.size) return null;
    return { bytes, hash: createHash("sha256").update(bytes).digest("hex"), stamp };
  } finally {
    await handle.close();
  }
}

function stampText({ dev, ino, size, mtimeNs, ctimeNs }: Record<"dev" | "ino" | "size" | "mtimeNs" | "ctimeNs", bigint>): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join(":");
}
