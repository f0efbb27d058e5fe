import { CountersignError } from "../../contract/errors.ts";
import { chooseAccount, reachableBinaries } from "./account.ts";
import { locateBinaries } from "./binaries.ts";
import { findData, initialise } from "./initialise.ts";
import { type Launch, launch } from "./launch.ts";
import { readPassword } from "./password.ts";
import { choosePort } from "./port.ts";
import { clearRemains, lastPort } from "./postmaster.ts";
import { type Patience, waitUntil } from "./wait.ts";

/** What to serve: the project's folder without symbolic links, a fixed port if one is wanted, and PostgreSQL settings. */
export type Service = {
  readonly directory: string;
  readonly port: number | undefined;
  readonly settings: Readonly<Record<string, string>>;
};

/**
 * Initialises the database if there is none, clears what a crash left, and starts its server. The caller holds the lock and saw none running.
 * Throws `database_start_failed`, or `port_taken` when the wanted port is in use.
 */
export async function serve({ directory, port: wantedPort, settings }: Service, patience: Patience) {
  const existing = await findData(directory);
  const account = await chooseAccount(existing?.owner);
  const binaries = await reachableBinaries(account, await locateBinaries());
  const data = existing ?? (await initialise({ directory, binaries, account, isDurable: settings["fsync"] !== "off" }));
  const password = await readPassword(directory);
  const order = { directory, dataDirectory: data.path, binaries, account, password, settings };
  const port = await launchUntilServing(order, wantedPort, patience);
  return { dataDirectory: data.path, port, password };
}

/** Launches until a server serves; what holds the port or the data for a moment is waited out. */
async function launchUntilServing(
  order: Omit<Launch, "port">,
  wantedPort: number | undefined,
  patience: Patience,
): Promise<number> {
  let holding = "";
  const served = await waitUntil(patience, async () => {
    await clearRemains(order.dataDirectory);
    const port = wantedPort ?? (await choosePort(await lastPort(order.dataDirectory)));
    const launched = await launch({ ...order, port }, patience);
    if (launched.kind === "serving") return port;
    if (launched.kind === "data_held") holding = launched.lastLines.trim();
    if (launched.kind === "port_taken" && wantedPort !== undefined) throw portTaken(wantedPort);
    return undefined;
  });
  if (served !== undefined) return served;
  const message = `another process holds \`${order.dataDirectory}\`; PostgreSQL said: ${holding}`;
  throw new CountersignError("database_start_failed", message, { facts: { dataDirectory: order.dataDirectory } });
}

function portTaken(port: number): CountersignError {
  return new CountersignError("port_taken", `port ${port} is in use by another program; choose another port for the database`, {
    facts: { port },
  });
}
