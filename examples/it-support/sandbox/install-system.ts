/** Puts a sandbox's system of record into a database. It stands for a system of somebody else: Countersign has its logins, no more. */
import { readFile } from "node:fs/promises";
import pg from "pg";

/** The three sides of a system of record, each with a login of its own. */
export type Side = "read" | "write" | "observe";
/** Passwords of the three logins. */
export type SystemPasswords = Readonly<Record<Side, string>>;

/** Which system of record is installed: its schema's name, which its logins begin with, and the file that creates it. */
export interface System {
  readonly schema: string;
  readonly definition: string;
}

/**
 * Runs the definition, which creates a schema with its logins and their grants, sets the logins' passwords and returns the URL of each.
 * Repeating it changes nothing but passwords. `adminUrl` is an administrator's login: roles belong to the whole server.
 */
export async function installSystem(
  { schema, definition }: System,
  { adminUrl, passwords }: { adminUrl: string; passwords: SystemPasswords },
): Promise<Readonly<Record<Side, string>>> {
  const client = new pg.Client({ connectionString: adminUrl, application_name: `${schema} install` });
  await client.connect();
  try {
    await client.query("begin");
    // Roles are shared by all databases of a server; this lock is too, so that two installations take turns.
    await client.query("lock table pg_catalog.pg_authid in share row exclusive mode");
    await client.query(await readFile(definition, "utf8"));
    for (const side of ["read", "write", "observe"] as const) {
      await client.query(`alter role ${schema}_${side} password ${client.escapeLiteral(passwords[side])}`);
    }
    await client.query("commit");
  } finally {
    await client.end();
  }
  const urlOf = (side: Side): string => {
    const url = new URL(adminUrl);
    url.username = `${schema}_${side}`;
    url.password = passwords[side];
    return url.href;
  };
  return { read: urlOf("read"), write: urlOf("write"), observe: urlOf("observe") };
}
