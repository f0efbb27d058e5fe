import { resolve } from "node:path";
import { type Client, createClient } from "../client/index.ts";
import { CountersignError } from "../contract/errors.ts";
import { readRunFile } from "./run-file.ts";
import { readSettings } from "./settings.ts";

/** How a command reaches the desk. */
export interface ConnectionOptions {
  readonly url?: string;
  readonly key?: string;
  readonly as?: string;
  readonly directory: string;
  readonly json?: true;
}

/** Connects to the desk: by --url and --key, or in demo mode as one of the demo's people (--as, by default the first that fits). */
export async function connect(options: ConnectionOptions, preferredRole = "employee"): Promise<Client> {
  const directory = resolve(options.directory);
  const baseUrl = options.url ?? (await readRunFile(directory))?.url;
  if (baseUrl === undefined) {
    throw new CountersignError("service_unavailable", "nothing runs here; start it with `countersign start`, or give --url");
  }
  return createClient({ baseUrl, apiKey: options.key ?? (await demoKey(directory, options.as, preferredRole)) });
}

async function demoKey(directory: string, as: string | undefined, preferredRole: string): Promise<string> {
  const people = (await readSettings(directory))?.people ?? [];
  const person = as === undefined ? people.find((one) => one.roles.includes(preferredRole)) : people.find((one) => one.id === as);
  if (person !== undefined) return person.key;
  if (as === undefined) throw new CountersignError("unauthenticated", "give your API key with --key or in `COUNTERSIGN_KEY`");
  throw new CountersignError("not_found", `nobody here has the id \`${as.slice(0, 63)}\`; the demo's people are ${people.map((one) => one.id).join(", ")}`);
}
