/**
 * The programs that die, each with all that it loads in a few files, made anew for every run: a process that takes the place of a dead
 * one is at work in a quarter of the time, and nobody who edits the sources meanwhile changes what is under test.
 */
import { execFile } from "node:child_process";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { build, type Plugin } from "vite";

/** Where the bundled programs are. */
export interface Bundle {
  /** The path of a program of `children`. */
  readonly program: (name: keyof typeof children) => string;
  /** The folder of the project, as `COUNTERSIGN_PROJECT` names it. */
  readonly project: string;
}

const root = fileURLToPath(new URL("../../", import.meta.url));
const children = {
  worker: new URL("./children/worker.ts", import.meta.url),
  decider: new URL("./children/decider.ts", import.meta.url),
  desk: new URL("./children/desk.ts", import.meta.url),
  naive: new URL("./children/naive.ts", import.meta.url),
};
/** What processes load by the name of its file. */
const entries = {
  project: new URL("./project/project.ts", import.meta.url),
  decide: new URL("./project/decide.ts", import.meta.url),
};
/** Reads a file that lies beside its own. */
const unbundled = ["@cedar-policy/cedar-wasm"];

/** Bundles the programs into a folder that is there already; `compiled` is the compile cache of all who run them. */
export async function bundlePrograms(directory: string, compiled: string): Promise<Bundle> {
  const outDir = join(directory, "programs");
  const project = join(directory, "bundled-project");
  const input = Object.entries({ ...children, ...entries }).map(([name, url]) => [name, fileURLToPath(url)]);
  await build({
    ...{ root, configFile: false, envFile: false, publicDir: false, logLevel: "error" },
    plugins: [keptUrls],
    ssr: { noExternal: true, external: unbundled },
    build: {
      ...{ ssr: true, outDir, target: "esnext", minify: false, emptyOutDir: false },
      rolldownOptions: {
        input: Object.fromEntries(input),
        output: { entryFileNames: "[name].js", chunkFileNames: "[name]-[hash].js" },
      },
    },
  });
  await writeFile(join(directory, "package.json"), '{ "type": "module" }\n');
  await symlink(join(root, "node_modules"), join(directory, "node_modules"));
  // The programs ask for these by path; they share every module with what the programs were bundled from.
  await mkdir(project);
  const paths = Object.keys(entries).map((name) => join(project, `${name}.ts`));
  for (const path of paths) await writeFile(path, `export { default } from "../programs/${basename(path, ".ts")}.js";\n`);
  await fillCache(compiled, paths);
  return { project, program: (name) => join(outDir, `${name}.js`) };
}

/** Only a process that ends by itself writes the compile cache, and those under fire never do: without this each would strip types anew. */
async function fillCache(compiled: string, paths: readonly string[]): Promise<void> {
  const text = paths.map((path) => `await import(${JSON.stringify(pathToFileURL(path).href)});`).join("\n");
  const env = { ...process.env, NODE_COMPILE_CACHE: compiled };
  await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", text], { env });
}

/** What a module finds by its own place is still where it was. */
const keptUrls: Plugin = {
  name: "kept-urls",
  enforce: "pre",
  transform: (code, id) =>
    id.startsWith(join(root, "src")) ? code.replaceAll("import.meta.url", JSON.stringify(pathToFileURL(id).href)) : null,
};
