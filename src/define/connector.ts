import type { Connector, ConnectorSide, OpenRecordSource, RecordQuery, RecordSource } from "../contract/connector.ts";
import { CountersignError } from "../contract/errors.ts";
import type { HiddenSearch, HiddenValues } from "../contract/ports.ts";

/** Defines a way into a system of record. The side fixes which process may open it and under which credential. */
export function defineConnector<const S extends ConnectorSide, Client>(connector: Connector<S, Client>): Connector<S, Client> {
  return Object.freeze({ ...connector });
}

/**
 * Binds record queries to a connector. The deciding half binds them to its `reads` connector, the acting half the same queries
 * to its `observes` connector, so that both see the same rows under credentials of their own.
 */
export function recordSource<Client>(
  connector: Connector<"reads" | "observes", Client>,
  queries: readonly RecordQuery<Client>[],
): RecordSource {
  const { name, side, secret } = connector;
  return Object.freeze({
    connector: { name, side, secret },
    queries: queries.map(({ run: _, ...query }) => ({ title: query.name, ...query })),
    open: async (credential: string): Promise<OpenRecordSource> => {
      const client = await connector.open(credential);
      return {
        run: async (query, params, envelope) => queryOf(queries, query).run(client, params, envelope),
        close: () => connector.close(client),
      };
    },
  });
}

function queryOf<Client>(queries: readonly RecordQuery<Client>[], name: string): RecordQuery<Client> {
  const query = queries.find((one) => one.name === name);
  if (query === undefined)
    throw new CountersignError("definition_invalid", `no record query is named \`${name}\``, { facts: { name } });
  return query;
}

/** Values of records that a principal may not see, found through a reading connector. */
export interface HiddenValuesSource {
  readonly connector: { readonly name: string; readonly secret: string };
  readonly open: (secret: string) => Promise<HiddenValues & { readonly close: () => Promise<void> }>;
}

/**
 * Binds the search for hidden values to a reading connector; the output guard blocks what it finds. The search filters where the
 * records are: it is run for every decision, and must not load them all.
 */
export function hiddenValuesSource<Client>(
  connector: Connector<"reads", Client>,
  find: (client: Client, search: HiddenSearch) => Promise<readonly string[]>,
): HiddenValuesSource {
  return Object.freeze({
    connector: { name: connector.name, secret: connector.secret },
    open: async (credential: string) => {
      const client = await connector.open(credential);
      return { findHidden: (search: HiddenSearch) => find(client, search), close: () => connector.close(client) };
    },
  });
}
