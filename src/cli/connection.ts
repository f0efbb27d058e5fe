import { resolve } from "node:path";
import { type Client, createClient } from "../client/index.ts";
import { CountersignError } from "../contract/errors.ts";
import { readRunFile, stateOf } from "./run-file.ts";
import { readSettings } from "./settings.ts";

/** How a command reaches the desk. */
export interface ConnectionOptions {
  readonly url?: string;
  readonly key?: string;
  readonly as?: string;
  readonly directory: string;
  readonly json?: true;
  /** How long one call may take; the client's usual time where it is left out. */
  readonly timeoutMs?: number;
}

/** Connects to the desk: by --url and --key, or in demo mode as one of the demo's people (--as, by default the first that fits). */
export async function connect(options: ConnectionOptions, preferredRole = "employee"): Promise<Client> {
  const directory = resolve(options.directory);
  const baseUrl = options.url ?? (await urlHere(directory));
  const apiKey = options.key ?? (await demoKey({ directory, baseUrl, as: options.as, preferredRole }));
  return createClient({ baseUrl, apiKey, ...(options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs }) });
}

async function urlHere(directory: string): Promise<string> {
  const run = await readRunFile(directory);
  const state = run === null ? "gone" : await stateOf(run);
  if (run === null || run.url === null || state === "gone") {
    const what =
      state === "silent"
        ? "it is being started; try again in a moment"
        : "nothing runs here; start it with `countersign start`, or give --url";
    throw new CountersignError("service_unavailable", what);
  }
  return run.url;
}

/** The key of one of the demo's people, for the desk of this installation alone: nobody else's address gets one. */
async function demoKey({
  directory,
  baseUrl,
  as,
  preferredRole,
}: {
  directory: string;
  baseUrl: string;
  as: string | undefined;
  preferredRole: string;
}): Promise<string> {
  const isOurs = baseUrl === (await readRunFile(directory))?.url;
  const people = isOurs ? ((await readSettings(directory))?.people ?? []) : [];
  const person = as === undefined ? people.find((one) => one.roles.includes(preferredRole)) : people.find((one) => one.id === as);
  if (person !== undefined) return person.key;
  const ids = people.map((one) => one.id).join(", ");
  if (as === undefined && people.length > 0)
    throw new CountersignError(
      "unauthenticated",
      `none of the demo's people is \`${preferredRole}\`; say with --as who asks: ${ids}`,
    );
  if (as === undefined || people.length === 0)
    throw new CountersignError("unauthenticated", "give your API key with --key or in `COUNTERSIGN_KEY`");
  throw new CountersignError("not_found", `nobody here has the id \`${as.slice(0, 63)}\`; the demo's people are ${ids}`);
}
