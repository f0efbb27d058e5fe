import type { HaltView } from "../contract/views.ts";
import type { HaltScope } from "../contract/words.ts";
import { type ConnectionOptions, connect } from "./connection.ts";
import { print } from "./print.ts";

type HaltOptions = ConnectionOptions & { readonly reason: string };
type Named = { readonly scope: HaltScope; readonly name: string | undefined };

/** Stops an effect, a capability or the tenant, and says what is stopped then. */
export async function halt(named: Named, options: HaltOptions): Promise<void> {
  const client = await connect(options, "owner");
  tell(await client.halt(haltingOf(named, options)), options);
}

/** Lets go on what was stopped, and says what still is. */
export async function resume(named: Named, options: HaltOptions): Promise<void> {
  const client = await connect(options, "owner");
  tell(await client.resume(haltingOf(named, options)), options);
}

/** Says what is stopped, by whom, since when and why. */
export async function halts(options: ConnectionOptions): Promise<void> {
  const client = await connect(options, "owner");
  tell(await client.halts(), options);
}

function haltingOf({ scope, name }: Named, { reason }: HaltOptions) {
  return { scope, reason, ...(name === undefined ? {} : { name }) };
}

function tell(halts: readonly HaltView[], { json }: ConnectionOptions): void {
  const lines = halts.map(({ scope, name, by, at, reason }) => {
    const what = scope === "tenant" ? "the whole tenant" : `${scope} ${name}`;
    return `stopped: ${what}, by ${by} since ${new Date(at).toISOString()}: ${reason}`;
  });
  print({ json, value: { halts }, lines: lines.length === 0 ? ["nothing is stopped"] : lines });
}
