import { createHash } from "node:crypto";
import type { Dirent } from "node:fs";
import { lstat, readdir, realpath } from "node:fs/promises";
import { extname, join, relative, sep } from "node:path";
import { type FileFault, UnreadableFile } from "./faults.ts";
import { type Format, formatByEnding } from "./parsed.ts";
import { shorten } from "./shorten.ts";

/** A file of a source. `path` is its place within the folder, with `/` on every system. */
export interface ListedFile {
  readonly path: string;
  readonly format: Format;
  /** Where its bytes are: another place in the folder where it is a link. */
  readonly place: string;
  /** The file beside it that says more about it; `null` where there is none. */
  readonly beside: string | null;
}

/** What a folder holds. */
export interface Listing {
  readonly root: string;
  readonly files: readonly ListedFile[];
  readonly faults: readonly { readonly path: string; readonly fault: FileFault; readonly detail: string }[];
}

/** Most bytes of a path in UTF-8: what is remembered of a file is found by its path, and an index takes no key of any length. */
const longestPath = 1_000;

const besideEndings = [".meta.yaml", ".meta.json"];

/**
 * Lists a folder and what is below it, in the order of the paths. Names that begin with a dot are passed over. A link is followed to a
 * file within the folder and nowhere else. Throws what the folder itself throws where it cannot be read.
 */
export async function listFiles(folder: string): Promise<Listing> {
  const root = await realpath(folder);
  const files: ListedFile[] = [];
  const faults: { path: string; fault: FileFault; detail: string }[] = [];
  const places = await placesBelow(root, faults);
  const paths = new Set(places.keys());
  for (const [path, entry] of [...places].sort(([one], [other]) => (one < other ? -1 : 1))) {
    const isBeside = besideEndings.find((ending) => path.endsWith(ending));
    if (isBeside !== undefined && paths.has(path.slice(0, -isBeside.length))) continue;
    try {
      files.push(await listed({ root, path, entry, paths }));
    } catch (thrown) {
      faults.push({ path, ...faultOf(thrown) });
    }
  }
  return { root, files, faults };
}

/** Every name below the folder; what cannot be opened is a fault, since nobody knows what it holds. */
async function placesBelow(
  root: string,
  faults: { path: string; fault: FileFault; detail: string }[],
): Promise<Map<string, Dirent>> {
  const places = new Map<string, Dirent>();
  const waiting = [root];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    const path = pathOf(root, folder);
    const entries = await readdir(folder, { withFileTypes: true }).catch((thrown: unknown) => {
      if (folder === root) throw thrown;
      faults.push({ path, ...faultOf(thrown) });
      return [];
    });
    for (const entry of entries) {
      if (entry.name.startsWith(".")) continue;
      const place = join(folder, entry.name);
      if (Buffer.byteLength(pathOf(root, place)) > longestPath) faults.push(tooLong(pathOf(root, place)));
      else if (entry.isDirectory()) waiting.push(place);
      else places.set(pathOf(root, place), entry);
    }
  }
  return places;
}

/** Told by the beginning of its path, and a digest that tells it from others that begin alike. What a folder holds is passed over with it. */
function tooLong(path: string): { path: string; fault: FileFault; detail: string } {
  const digest = createHash("sha256").update(path).digest("hex").slice(0, 16);
  const { fault, detail } = faultOf(new UnreadableFile("long_path", `its path has more than ${longestPath} bytes`));
  return { path: `${shorten(path, 200)} ${digest}`, fault, detail };
}

async function listed({
  root,
  path,
  entry,
  paths,
}: {
  root: string;
  path: string;
  entry: Dirent;
  paths: ReadonlySet<string>;
}): Promise<ListedFile> {
  if (besideEndings.some((ending) => path.endsWith(ending)))
    throw new UnreadableFile("bad_metadata", "it says something of a file that is not there");
  const format = formatByEnding(extname(path));
  const place = entry.isSymbolicLink() ? await insidePlace(root, path) : join(root, path);
  if (!(await lstat(place)).isFile()) throw new UnreadableFile("unsupported", "it is no file");
  if (format === null) throw new UnreadableFile("unsupported");
  const ending = besideEndings.find((one) => paths.has(`${path}${one}`));
  return { path, format, place, beside: ending === undefined ? null : `${path}${ending}` };
}

/** Where a link leads, if that is within the folder. */
async function insidePlace(root: string, path: string): Promise<string> {
  const place = await realpath(join(root, path));
  if (!isInside(root, place)) throw new UnreadableFile("outside");
  return place;
}

/** Says whether a resolved place is within a resolved folder. */
export function isInside(root: string, place: string): boolean {
  return place.startsWith(root.endsWith(sep) ? root : `${root}${sep}`);
}

function pathOf(root: string, place: string): string {
  return relative(root, place).split(sep).join("/");
}

/** A fault of the file system is one that may pass: nothing is concluded of it. */
export function faultOf(thrown: unknown): { fault: FileFault; detail: string } {
  if (thrown instanceof UnreadableFile) return { fault: thrown.fault, detail: thrown.message };
  const code = thrown instanceof Error && "code" in thrown ? String(thrown.code) : "unknown";
  return { fault: "unreachable", detail: `it cannot be opened (${code})` };
}
