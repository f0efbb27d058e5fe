/** Installs what a benchmark compares with, which stands apart from the product with lock files of its own. */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));
const timeoutMs = 600_000;

/**
 * Installs the peers of a folder where they are missing, which is the only time that this needs the network; says whether all are there.
 * No program of a package runs at installation.
 */
export async function installPeers(folder: string, notice: (line: string) => void): Promise<boolean> {
  // npm writes this file last, so a broken installation counts as none.
  const isInstalled = () => existsSync(`${folder}node_modules/.package-lock.json`);
  if (isInstalled()) return true;
  const command = `npm ci --prefix ${relative(root, folder)}`;
  notice(`installing the peers of this benchmark once, which needs the network: ${command}`);
  const child = spawn("npm", ["ci", "--prefix", folder, "--ignore-scripts", "--fetch-retries=1", "--loglevel=error"], {
    ...{ cwd: folder, stdio: ["ignore", "ignore", "inherit"], timeout: timeoutMs },
  });
  const code = await new Promise<number | null>((resolve) => {
    child.once("error", () => resolve(null));
    child.once("exit", resolve);
  });
  if (code === 0 && isInstalled()) return true;
  notice(`the peers could not be installed, so the comparison is left out; run \`${command}\` with a network`);
  return false;
}
