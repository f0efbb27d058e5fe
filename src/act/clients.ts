import type { Connector, ConnectorSide } from "../contract/connector.ts";
import type { Vault } from "../contract/ports.ts";

/** Clients of connectors, each opened once under its own credential. Holds connections; close it. */
export interface Clients {
  readonly of: <Client>(connector: Connector<ConnectorSide, Client>) => Promise<Client>;
  readonly close: () => Promise<void>;
}

/** A way that the house opens itself, with the client that it gives. */
export type HouseClient = readonly [
  connector: Pick<Connector<ConnectorSide, never>, "name" | "side" | "secret">,
  client: unknown,
];

/**
 * Opens clients on first use; one that could not be opened is tried anew the next time. `house` are those that are open already, over the
 * process's own database.
 */
export function openClients(vault: Vault, house: readonly HouseClient[] = []): Clients {
  const opened = new Map<unknown, { client: Promise<unknown>; close: () => Promise<void> }>();
  for (const [connector, client] of house) opened.set(connector, { client: Promise.resolve(client), close: async () => {} });
  return {
    of<Client>(connector: Connector<ConnectorSide, Client>) {
      const known = opened.get(connector);
      // The map holds under each connector the client that this same connector opened.
      if (known !== undefined) return known.client as Promise<Client>;
      const client = (async () => connector.open(vault.secret(connector.secret)))();
      opened.set(connector, { client, close: async () => connector.close(await client) });
      client.catch(() => opened.delete(connector));
      return client;
    },
    async close() {
      const left = [...opened.values()];
      opened.clear();
      await Promise.allSettled(left.map((one) => one.close()));
    },
  };
}
