import { resolve } from "node:path";
import { CountersignError } from "../contract/errors.ts";
import { type Database, openDatabase } from "../store/database.ts";
import { withRoleUrl } from "./embedded-url.ts";

/** What the commands for the index have in common. */
export interface IndexOptions {
  readonly directory: string;
  readonly tenant?: string;
  readonly json?: true;
}

/** Does `work` with the index under the role `ingesting`. */
export function withIndex<T>({ directory }: IndexOptions, work: (database: Database) => Promise<T>): Promise<T> {
  return withRoleUrl({ directory: resolve(directory), role: "ingesting" }, async (url) => {
    const database = openDatabase({ url, role: "ingesting", connections: 2 });
    try {
      return await work(database);
    } finally {
      await database.close();
    }
  });
}

/** The tenant that is meant. Throws `bad_request` where several could be, `not_found` for one that there is not. */
export async function tenantMeant(database: Database, { tenant }: IndexOptions): Promise<string> {
  const tenants = await database.tenants();
  const [only] = tenants;
  if (tenant === undefined && tenants.length === 1 && only !== undefined) return only;
  if (tenant === undefined)
    throw new CountersignError("bad_request", `there are ${tenants.length} tenants; say which with --tenant`);
  if (tenants.includes(tenant)) return tenant;
  throw new CountersignError("not_found", "there is no tenant of that id; see `countersign tenant list`");
}
