// A backup file: a line that says its form, then one gzip stream of frames. A frame is a letter, the length of its bytes (four bytes,
// unsigned, big-endian) and its bytes. T begins a table and names it, D holds rows of it, M is the manifest and the last.
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { createGunzip } from "node:zlib";
import { CountersignError } from "../../contract/errors.ts";

/** One frame of a backup. */
export interface Frame {
  readonly kind: "T" | "D" | "M";
  readonly bytes: Buffer;
}

/** The first line of a backup in the form of this version. */
export const firstLine = "countersign backup 1\n";
const anyFirstLine = /^countersign backup (\d{1,6})\n/;
/** More than any table's name or manifest; rows come in smaller frames. */
const mostBytes = 256 * 1024 * 1024;
const headBytes = 5;

/** A frame as it stands in the file. */
export function frameBytes({ kind, bytes }: Frame): Buffer {
  const head = Buffer.alloc(headBytes);
  head.write(kind, 0, "latin1");
  head.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([head, bytes]);
}

/**
 * Reads the frames of a backup, in order. Throws `backup_unreadable` where it is none, or was cut off or altered so that it does not
 * unpack, and `backup_too_new` for a form that this version does not know.
 */
export async function* readFrames(path: string): AsyncGenerator<Frame> {
  await checkFirstLine(path);
  let rest = Buffer.alloc(0);
  for await (const chunk of unpacked(path)) {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      const frame = firstFrame(rest);
      if (frame === null) break;
      rest = rest.subarray(headBytes + frame.bytes.length);
      yield frame;
    }
  }
  if (rest.length > 0) throw unreadable("it ends within a frame");
}

function firstFrame(rest: Buffer): Frame | null {
  if (rest.length < headBytes) return null;
  const kind = rest.toString("latin1", 0, 1);
  const length = rest.readUInt32BE(1);
  if ((kind !== "T" && kind !== "D" && kind !== "M") || length > mostBytes) throw unreadable("it holds a frame of no known kind");
  return rest.length < headBytes + length ? null : { kind, bytes: rest.subarray(headBytes, headBytes + length) };
}

async function* unpacked(path: string): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize: 256 * 1024 });
  const file = createReadStream(path, { start: firstLine.length });
  file.on("error", (error) => gunzip.destroy(error));
  try {
    for await (const chunk of file.pipe(gunzip)) yield chunk;
  } catch (cause) {
    throw unreadable("it was cut off or altered", cause);
  } finally {
    file.destroy();
  }
}

async function checkFirstLine(path: string): Promise<void> {
  const file = await open(path, "r").catch((cause) => {
    throw new CountersignError(
      "bad_request",
      `\`${path.slice(0, 200)}\` cannot be read; name a file that \`countersign backup\` wrote`,
      { cause },
    );
  });
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(64), 0, 64, 0);
    const text = buffer.toString("latin1", 0, bytesRead);
    const form = anyFirstLine.exec(text)?.[1];
    if (form === undefined) throw unreadable("it does not begin as one");
    if (!text.startsWith(firstLine)) {
      const message = `this backup has the form ${form}, and this version knows 1; restore it with the version that wrote it, or a newer one`;
      throw new CountersignError("backup_too_new", message, { facts: { form: Number(form) } });
    }
  } finally {
    await file.close();
  }
}

/** Says that a file is no backup that can be relied upon, and why. */
export function unreadable(why: string, cause?: unknown): CountersignError {
  return new CountersignError(
    "backup_unreadable",
    `the file is no whole backup: ${why}; nothing was restored, use another copy of it`,
    { cause },
  );
}
