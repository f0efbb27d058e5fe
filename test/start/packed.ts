import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const repository = fileURLToPath(new URL("../../", import.meta.url));
const exec = promisify(execFile);

/** The package as `npm pack` makes it, in an empty folder outside of the repository. Its dependencies are those that are installed here. */
export interface Packed {
  /** The folder with `node_modules`, otherwise empty. */
  readonly place: string;
  readonly installed: string;
  /** The program, for `node`. */
  readonly program: string;
  /** Runs a command of the package in a folder, by default the place, and gives what it printed; throws where it fails. */
  readonly countersign: (args: readonly string[], cwd?: string) => Promise<string>;
  readonly remove: () => Promise<void>;
}

/** Packs what is in the working tree, and puts it into a new folder; `beside` are further packages to be found there. */
export async function packed(beside: readonly string[] = []): Promise<Packed> {
  const folder = await mkdtemp(join(tmpdir(), "countersign-package-"));
  const sources = join(folder, "sources");
  await copySources(sources);
  await exec("npm", ["pack", "--silent"], { cwd: sources });
  const [archive = ""] = (await readdir(sources)).filter((name) => name.endsWith(".tgz"));
  const place = join(folder, "empty");
  const installed = join(place, "node_modules", "countersign");
  await mkdir(installed, { recursive: true });
  await exec("tar", ["-xzf", join(sources, archive), "-C", installed, "--strip-components=1"]);
  const { dependencies } = JSON.parse(await readFile(join(installed, "package.json"), "utf8"));
  await Promise.all([...Object.keys(dependencies), ...beside].map((name) => linkTo(name, join(place, "node_modules", name))));
  const program = join(installed, "bin", "countersign.mjs");
  return {
    ...{ place, installed, program },
    countersign: async (args, cwd = place) => (await exec(process.execPath, [program, ...args], { cwd })).stdout,
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** A copy, since packing puts another manifest in the place of ours for a while. */
async function copySources(to: string): Promise<void> {
  const parts = [
    "src",
    "bin",
    "scripts/package",
    "migrations",
    "policies",
    "verifiers",
    "examples/it-support",
    "examples/starter",
    ...["src", "index.html", "package.json", "tsconfig.json", "vite.config.ts"].map((name) => `console/${name}`),
  ];
  const files = ["package.json", "tsconfig.json", "tsconfig.build.json", "README.md", "LICENSE", "CHANGELOG.md"];
  for (const part of [...parts, ...files]) await cp(join(repository, part), join(to, part), { recursive: true });
  await mkdir(join(to, "node_modules"));
  const names = await readdir(join(repository, "node_modules"));
  await Promise.all(
    names.filter((name) => !name.startsWith(".package")).map((name) => linkTo(name, join(to, "node_modules", name))),
  );
}

async function linkTo(name: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await symlink(join(repository, "node_modules", name), to);
}
