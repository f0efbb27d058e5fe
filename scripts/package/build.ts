/**
 * Builds what is published into `dist/`: JavaScript and types of `src/`, file by file in the same places, with the files beside them; the
 * console; and the example that `start` shows, since Node strips no types within `node_modules`.
 */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));
const dist = join(root, "dist");
const example = "examples/it-support";

/** Builds `dist/` anew. Throws where the types do not hold. */
export function build(): void {
  rmSync(dist, { recursive: true, force: true });
  execFileSync("tsc", ["-p", join(root, "tsconfig.build.json")], { cwd: root, stdio: "inherit" });
  for (const file of filesIn(dist).filter((name) => name.endsWith(".d.ts")))
    rewrite(join(dist, file), (text) => asJavaScript(text));
  for (const file of filesIn(join(root, "src")).filter((name) => !name.endsWith(".ts")))
    copy(join("src", file), join("dist", file));
  for (const file of filesIn(join(root, example)).filter(isOfProject)) putExample(file);
  execFileSync("vite", ["build", "console", "--logLevel", "warn", "--outDir", join(dist, "console")], {
    cwd: root,
    stdio: "inherit",
  });
}

/** Tests, evals and the scripted walk through the demo stay here. */
function isOfProject(file: string): boolean {
  return !file.endsWith(".test.ts") && !/^(?:demo|evals)\b|^demo[.]ts$/.test(file);
}

function putExample(file: string): void {
  const to = join("dist", example, file);
  if (file.endsWith(".ts")) {
    const text = stripTypeScriptTypes(readFileSync(join(root, example, file), "utf8"), { mode: "strip" });
    put(join(root, to.replace(/[.]ts$/, ".js")), asJavaScript(text));
  } else copy(join(example, file), to);
}

/** Relative imports lead to what is emitted. */
function asJavaScript(text: string): string {
  return text.replace(/((?:from|import)\s*\(?\s*"[.][^"]*)[.]ts"/g, '$1.js"');
}

function filesIn(folder: string): readonly string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((one) => one.isFile()).map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1));
}

function copy(from: string, to: string): void {
  mkdirSync(dirname(join(root, to)), { recursive: true });
  cpSync(join(root, from), join(root, to));
}

function rewrite(path: string, change: (text: string) => string): void {
  put(path, change(readFileSync(path, "utf8")));
}

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
