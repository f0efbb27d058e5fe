import { CountersignError } from "../../contract/errors.ts";
import { chooseAccount, reachableBinaries } from "./account.ts";
import { binary, locateBinaries } from "./binaries.ts";
import { findData } from "./initialise.ts";
import { findPostmaster } from "./postmaster.ts";
import { runProgram } from "./run.ts";

/** What a stop found and did; `wasForced` when a clean shutdown took too long and the next start has to recover. */
export type StopOutcome =
  | { readonly kind: "stopped"; readonly pid: number; readonly wasForced: boolean }
  | { readonly kind: "not_running" };

const stopTimeoutS = 30;

/** Stops the server of a project's folder. The caller holds the lock. Throws `database_unavailable` when it cannot be stopped. */
export async function shutdown(directory: string): Promise<StopOutcome> {
  const data = await findData(directory);
  const found = data === undefined ? undefined : await findPostmaster(data.path);
  if (data === undefined || found?.kind !== "alive") return { kind: "not_running" };
  const account = await chooseAccount(data.owner);
  const command = binary(await reachableBinaries(account, await locateBinaries()), "pg_ctl");
  const args = ["stop", "-D", data.path, "-w", "-t", String(stopTimeoutS), "-m"];
  const fast = await runProgram({ command, args: [...args, "fast"], account });
  if (fast.code === 0) return { kind: "stopped", pid: found.pid, wasForced: false };
  const immediate = await runProgram({ command, args: [...args, "immediate"], account });
  if (immediate.code === 0) return { kind: "stopped", pid: found.pid, wasForced: true };
  const message = `the server (process ${found.pid}) does not stop: ${immediate.output.trim()}; end the process`;
  throw new CountersignError("database_unavailable", message, { facts: { pid: found.pid } });
}
