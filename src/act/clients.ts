import type { Connector, ConnectorSide } from "../contract/connector.ts";
import type { Vault } from "../contract/ports.ts";

/** Clients of connectors, each opened once under its own credential. Holds connections; close it. */
export interface Clients {
  readonly of: <Client>(connector: Connector<ConnectorSide, Client>) => Promise<Client>;
  readonly close: () => Promise<void>;
}

/** Opens clients on first use; one that could not be opened is tried anew the next time. */
export function openClients(vault: Vault): Clients {
  const opened = new Map<unknown, { client: Promise<unknown>; close: () => Promise<void> }>();
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
