import { cp, link, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { CountersignError } from "../contract/errors.ts";
import { ownVersion } from "../server/own-version.ts";

/** An example of the repository like the others, which the package brings as it is. */
const starter = fileURLToPath(new URL("../../examples/starter/", import.meta.url));

/** What has another name there: a `package.json` would cut the example off its repository, and npm packs no `.gitignore`. */
const renamed: readonly (readonly [there: string, here: string])[] = [
  ["manifest.json", "package.json"],
  ["gitignore", ".gitignore"],
];

/**
 * Puts the starter into a folder under a name of its own, whole or not at all, and returns the paths of its files. Nothing that is there is
 * written over. Throws `bad_request` where it cannot be put there.
 */
export async function putStarter({
  place,
  name,
  isThere,
}: {
  place: string;
  name: string;
  /** An empty folder keeps its place, since somebody may stand in it; else the folder is made. */
  isThere: boolean;
}): Promise<readonly string[]> {
  let draft: string | null = null;
  try {
    await mkdir(dirname(place), { recursive: true });
    // On the same disk, so that what is written there is moved and never copied.
    draft = await mkdtemp(join(isThere ? place : dirname(place), ".countersign-init-"));
    const made = join(draft, "made");
    await cp(starter, made, { recursive: true, filter: isOfStarter });
    for (const [there, here] of renamed) await rename(join(made, there), join(made, here));
    await nameIt(made, name);
    const files = await filesIn(made);
    if (isThere) await moveInto(made, place);
    // Onto a folder that somebody filled in the meantime this fails.
    else await rename(made, place);
    return files;
  } catch (cause) {
    // What the file system does not say is a fault of ours.
    if (!(cause instanceof Error && "code" in cause)) throw cause;
    const why = String(cause.code);
    const message = `nothing was put into \`${place}\` (${why}); name a new or an empty folder that can be written`;
    throw new CountersignError("bad_request", message, { facts: { why }, cause });
  } finally {
    if (draft !== null) await rm(draft, { recursive: true, force: true });
  }
}

/** Of an example that was started where it stands, what it keeps stays there. */
function isOfStarter(path: string): boolean {
  return !/^(?:node_modules|[.]countersign)(?:\/|$)/.test(path.slice(starter.length));
}

async function nameIt(folder: string, name: string): Promise<void> {
  await change(join(folder, "project.ts"), ['name: "starter"', `name: "${name}"`]);
  await change(join(folder, "README.md"), ["# starter\n", `# ${name}\n`]);
  await change(join(folder, "package.json"), ['"name": "starter"', `"name": "${name}"`]);
  await change(join(folder, "package.json"), ['"countersign": "0.0.0"', `"countersign": "${ownVersion}"`]);
}

async function change(path: string, [from, to]: readonly [string, string]): Promise<void> {
  const text = await readFile(path, "utf8");
  if (!text.includes(from)) throw new Error(`\`${path}\` does not hold what is named anew`);
  await writeFile(path, text.replace(from, to));
}

/** Moves everything from one folder into another; what is in the way ends it, and what was moved goes again. */
async function moveInto(from: string, to: string): Promise<void> {
  const moved: string[] = [];
  try {
    for (const { name, isDirectory } of await entriesIn(from)) {
      const target = join(to, name);
      // A link never takes the place of a file, and a folder's rename never that of a full folder.
      await (isDirectory ? rename(join(from, name), target) : link(join(from, name), target));
      moved.push(target);
    }
  } catch (thrown) {
    await Promise.all(moved.map((path) => rm(path, { recursive: true, force: true })));
    throw thrown;
  }
}

async function entriesIn(folder: string): Promise<readonly { readonly name: string; readonly isDirectory: boolean }[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries.map((one) => ({ name: one.name, isDirectory: one.isDirectory() }));
}

async function filesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
  return paths.map((path) => path.slice(folder.length + 1)).sort();
}
