import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { peersFolder } from "./peers.ts";

const installTimeoutMs = 300_000;
const needed = ["pg-boss", "@dbos-inc/dbos-sdk", "@restatedev/restate-sdk", "@restatedev/restate-server"];

/** Installs the peers where one is missing, which is the only time this needs the network; says whether all are there. */
export async function installPeers(notice: (line: string) => void): Promise<boolean> {
  if (isInstalled()) return true;
  notice("installing the peers of this benchmark once, which needs the network: npm ci --prefix benchmarks/peers");
  const child = spawn("npm", ["ci", "--prefix", peersFolder, "--ignore-scripts", "--fetch-retries=1", "--loglevel=error"], {
    cwd: peersFolder,
    stdio: ["ignore", "ignore", "inherit"],
    timeout: installTimeoutMs,
  });
  const code = await new Promise<number | null>((resolve) => {
    child.once("error", () => resolve(null));
    child.once("exit", resolve);
  });
  return code === 0 && isInstalled();
}

function isInstalled(): boolean {
  return needed.every((name) => existsSync(`${peersFolder}node_modules/${name}/package.json`));
}
