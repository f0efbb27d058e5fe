/** Puts the books into a database. They stand for a system of somebody else: Countersign has its logins, no more. */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import pg from "pg";

const definition = fileURLToPath(new URL("books.sql", import.meta.url));
/** The custodians' feeds, in a folder for each tenant. */
export const feedsFolder = fileURLToPath(new URL("feeds/", import.meta.url));
const logins = { read: "books_read", write: "books_write", observe: "books_observe" } as const;

/** Passwords of the three logins. */
export type BooksPasswords = Readonly<Record<keyof typeof logins, string>>;
/** The URLs of the three logins, under the names of the secrets that hold them. */
export type BooksUrls = Readonly<Record<"BOOKS_READ_URL" | "BOOKS_WRITE_URL" | "BOOKS_OBSERVE_URL", string>>;

/**
 * Creates the schema `books`, its logins and their grants, and returns the URL of each login. Repeating it changes nothing but passwords.
 * `adminUrl` is an administrator's login: roles belong to the whole server.
 */
export async function installSandbox({
  adminUrl,
  passwords,
}: {
  adminUrl: string;
  passwords: BooksPasswords;
}): Promise<BooksUrls> {
  const client = new pg.Client({ connectionString: adminUrl, application_name: "books install" });
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
  return booksUrls({ adminUrl, passwords });
}

/** The URLs of the three logins at the administrator's server and database. */
function booksUrls({ adminUrl, passwords }: { adminUrl: string; passwords: BooksPasswords }): BooksUrls {
  const urlOf = (side: keyof typeof logins) => {
    const url = new URL(adminUrl);
    url.username = logins[side];
    url.password = passwords[side];
    return url.href;
  };
  return { BOOKS_READ_URL: urlOf("read"), BOOKS_WRITE_URL: urlOf("write"), BOOKS_OBSERVE_URL: urlOf("observe") };
}
