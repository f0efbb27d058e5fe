import { readdir } from "node:fs/promises";
import { basename, relative, resolve } from "node:path";
import { CountersignError } from "../contract/errors.ts";
import { idPattern } from "../contract/limits.ts";
import { print } from "./print.ts";
import { putStarter } from "./put-starter.ts";

/**
 * Makes a project that runs at once in a new or an empty folder, under `name`, by default the folder's. Throws `bad_request` for a folder
 * that holds something or cannot be made, and for a name that is none; then nothing was written.
 */
export async function init(folder: string, { name, json }: { name?: string; json?: true }): Promise<void> {
  const place = resolve(folder);
  const named = nameOf(place, name);
  const files = await putStarter({ place, name: named, isThere: await isEmptyFolder(place) });
  const way = relative(process.cwd(), place);
  const next = [
    ...(way === "" ? [] : [`cd ${quoted(way)}`]),
    "npm install",
    "npx countersign check",
    "npx countersign start",
    'npx countersign ask "Please renew the book about bees"',
    "npx countersign review",
  ];
  const lines = [
    `${named}: ${files.length} files in ${way === "" ? "this folder" : way}. Next, the last two in a second terminal:`,
    ...next.map((line) => `  ${line}`),
    "Its README.md says which file is what, and how to make it yours.",
  ];
  print({ json, value: { name: named, folder: place, files, next }, lines });
}

/** Names of packages that the project needs: npm and imports would take the one for the other. */
const taken: readonly string[] = ["countersign", "pg", "zod", "typescript"];

function nameOf(place: string, name: string | undefined): string {
  const given = name ?? basename(place);
  if (idPattern.test(given) && !taken.includes(given)) return given;
  const problem = taken.includes(given)
    ? "is the name of a package that it needs"
    : "is no name: use lower case, digits and `_.-`, at most 63";
  const mend = name === undefined ? "; name the project with --name" : "";
  throw new CountersignError("bad_request", `\`${given.slice(0, 63)}\` ${problem}${mend}`);
}

/** Whether the folder is there already. Throws where it holds something, or is no folder. */
async function isEmptyFolder(place: string): Promise<boolean> {
  const held = await readdir(place).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === "ENOENT") return null;
    const why = cause.code === "ENOTDIR" ? "is a file" : `cannot be read (${cause.code})`;
    throw new CountersignError("bad_request", `\`${place}\` ${why}; name a new or an empty folder`, { cause });
  });
  if (held === null || held.length === 0) return held !== null;
  throw new CountersignError(
    "bad_request",
    `\`${place}\` is not empty; nothing in it was touched. Name a new or an empty folder`,
  );
}

function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
