import { UnreadableFile } from "../faults.ts";

/** Most bytes that an archive may say it holds, and most entries: far more than an honest document has. */
const mostBytes = 200 * 1024 * 1024;
const mostEntries = 10_000;
/** An archive that says it is so many times larger than its bytes is a bomb, from a size on that matters. */
const mostRatio = 200;
const ratioFrom = 20 * 1024 * 1024;

/**
 * Reads the names in an archive's directory, before anything is unpacked. Throws `UnreadableFile`: `broken`, `encrypted`, or `too_large`
 * for one that says it holds more than a document does. One that lies is ended by the limit on memory.
 */
export function inspectZip(bytes: Uint8Array): readonly string[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = endOfDirectory(view);
  const count = view.getUint16(end + 10, true);
  const names: string[] = [];
  let total = 0;
  let at = view.getUint32(end + 16, true);
  if (count > mostEntries) throw new UnreadableFile("too_large", `its archive has ${count} entries`);
  for (let entry = 0; entry < count; entry += 1) {
    if (at + 46 > bytes.byteLength || view.getUint32(at, true) !== 0x02014b50) throw broken();
    if ((view.getUint16(at + 8, true) & 1) === 1) throw new UnreadableFile("encrypted");
    total += view.getUint32(at + 24, true);
    const nameLength = view.getUint16(at + 28, true);
    names.push(new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + nameLength)));
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  if (total > mostBytes || (total > ratioFrom && total > bytes.byteLength * mostRatio))
    throw new UnreadableFile("too_large", `its archive would unpack to ${Math.round(total / 1024 / 1024)} MB`);
  return names;
}

/** The record at the archive's end; a comment of up to 64 KB may follow it. */
function endOfDirectory(view: DataView): number {
  const last = view.byteLength - 22;
  for (let at = last; at >= Math.max(0, last - 65_535); at -= 1) if (view.getUint32(at, true) === 0x06054b50) return at;
  throw broken();
}

function broken(): UnreadableFile {
  return new UnreadableFile("broken");
}
