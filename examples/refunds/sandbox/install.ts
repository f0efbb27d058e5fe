/** Puts the shop's system of record into a database. It stands for a system of somebody else: Countersign has its logins, no more. */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import pg from "pg";

const definition = fileURLToPath(new URL("shop.sql", import.meta.url));
const logins = { read: "shop_read", write: "shop_write", observe: "shop_observe" } as const;

/** Passwords of the three logins. */
export type ShopPasswords = Readonly<Record<keyof typeof logins, string>>;
/** The URLs of the three logins, under the names of the secrets that hold them. */
export type ShopUrls = Readonly<Record<"SHOP_READ_URL" | "SHOP_WRITE_URL" | "SHOP_OBSERVE_URL", string>>;

/**
 * Creates the schema `shop`, its logins and their grants, and returns the URL of each login. Repeating it changes nothing but passwords.
 * `adminUrl` is an administrator's login: roles belong to the whole server.
 */
export async function installSandbox({ adminUrl, passwords }: { adminUrl: string; passwords: ShopPasswords }): Promise<ShopUrls> {
  const client = new pg.Client({ connectionString: adminUrl, application_name: "shop install" });
  await client.connect();
  try {
    await client.query("begin");
    // Roles are shared by all databases of a server; this lock is too, so that two installations take turns.
    await client.query("lock table pg_catalog.pg_authid in share row exclusive mode");
    await client.query(await readFile(definition, "utf8"));
    for (const side of ["read", "write", "observe"] as const) {
      await client.query(`alter role ${logins[side]} password ${client.escapeLiteral(passwords[side])}`);
    }
    await client.query("commit");
  } finally {
    await client.end();
  }
  return shopUrls({ adminUrl, passwords });
}

/** The URLs of the three logins at the administrator's server and database. */
function shopUrls({ adminUrl, passwords }: { adminUrl: string; passwords: ShopPasswords }): ShopUrls {
  const urlOf = (side: keyof typeof logins) => {
    const url = new URL(adminUrl);
    url.username = logins[side];
    url.password = passwords[side];
    return url.href;
  };
  return { SHOP_READ_URL: urlOf("read"), SHOP_WRITE_URL: urlOf("write"), SHOP_OBSERVE_URL: urlOf("observe") };
}
