/** The ways into the sandbox and the queries over it; each half binds the same queries to a way of its own. */
import pg from "pg";
import type { RecordQuery } from "../../src/contract/connector.ts";
import type { JsonObject } from "../../src/contract/json.ts";
import { defineConnector } from "../../src/define/connector.ts";
import { type Domain, domains, toolsOf } from "./domains.ts";
import { scopeQuery } from "./effects.ts";
import { readCollection, readPaths } from "./sandbox.ts";
import { bookOf, readScope, visible } from "./scope.ts";
import type { Tool } from "./tool.ts";

/** The secrets by their names, as a vault resolves them. */
export const secretNames = { reads: "SANDBOX_READ_URL", writes: "SANDBOX_WRITE_URL", observes: "SANDBOX_OBSERVE_URL" } as const;

const open = async (url: string): Promise<pg.Pool> => {
  const pool = new pg.Pool({ connectionString: url, max: 4 });
  // The server may end an idle connection at any time; the next query opens another.
  pool.on("error", () => {});
  return pool;
};
const close = (pool: pg.Pool): Promise<void> => pool.end();

export const reader = defineConnector({ name: "sandbox-reader", side: "reads", secret: secretNames.reads, open, close });
export const writer = defineConnector({ name: "sandbox-writer", side: "writes", secret: secretNames.writes, open, close });
export const observer = defineConnector({
  name: "sandbox-observer",
  side: "observes",
  secret: secretNames.observes,
  open,
  close,
});

/** What a write is about, as far as who asks may see it; `seesAll` is for a reader that does not care. */
export function scopeRecords({ seesAll = false }: { seesAll?: boolean } = {}): RecordQuery<pg.Pool> {
  return {
    name: scopeQuery,
    title: "Records of the customer",
    key: () => "scope",
    labels: { revision: "system", documents: "system" },
    run: async (pool, { tool, args }, { principal }) => {
      const asked = { tool: String(tool), args: args as JsonObject }; // as `effects.ts` writes them
      const { revision, documents } = await readScope(pool, {
        world: principal.tenant,
        asked,
        customer: seesAll ? null : principal.id,
      });
      return [{ revision, documents }];
    },
  };
}

/** The reading tools as queries, `domain.tool`: one row with the result, none where the tool refuses or the record is another's. */
export function toolRecords(): readonly RecordQuery<pg.Pool>[] {
  return domains.flatMap((domain) =>
    [...toolsOf(domain, { repeatsFault: false }).values()]
      .filter(({ writes, name }) => !writes && name !== "calculate" && name !== "transfer_to_human_agents")
      .map((tool) => toolQuery(domain, tool)),
  );
}

function toolQuery(domain: Domain, tool: Tool): RecordQuery<pg.Pool> {
  return {
    name: `${domain}.${tool.name}`,
    key: () => tool.name,
    labels: { result: "system" },
    run: async (pool, args, { principal }) => {
      const read = { world: principal.tenant, customer: principal.id };
      const collection = collectionOf(tool.name);
      const stored =
        collection === null
          ? await readPaths(pool, { world: read.world, paths: pathsOf(args, principal.id) })
          : await readCollection(pool, { world: read.world, collection });
      const seen = stored.flatMap((one) => visible(one, read.customer) ?? []);
      const outcome = tool.call(args, bookOf(Object.fromEntries(seen.map(({ path, body }) => [path, body]))));
      return outcome.kind === "ok" ? [{ result: outcome.result }] : [];
    },
  };
}

/** The collection that a tool goes through; `null` where it reads single documents. */
function collectionOf(tool: string): string | null {
  if (/airports|_flight$/.test(tool)) return "flights";
  return /product_types|get_item/.test(tool) ? "products" : null;
}

/** Who somebody is, is known of the session; the tools that look it up find the customer alone. */
function pathsOf(args: JsonObject, customer: string): string[] {
  const named = Object.entries(args).flatMap(([name, id]) => {
    if (name === "flight_number") return [`flights/${id}`];
    return /^(order|product|user|reservation)_id$/.test(name) ? [`${name.slice(0, -3)}s/${id}`] : [];
  });
  return [...named, `users/${customer}`];
}
