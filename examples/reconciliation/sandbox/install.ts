import { fileURLToPath } from "node:url";
import { installSystem, type SystemPasswords } from "../../it-support/sandbox/install-system.ts";

const definition = fileURLToPath(new URL("books.sql", import.meta.url));
/** The custodians' feeds, in a folder for each tenant. */
export const feedsFolder = fileURLToPath(new URL("feeds/", import.meta.url));

/** The URLs of the three logins, under the names of the secrets that hold them. */
export type BooksUrls = Readonly<Record<"BOOKS_READ_URL" | "BOOKS_WRITE_URL" | "BOOKS_OBSERVE_URL", string>>;

/** Puts the books into a database, in the schema `books`. */
export async function installSandbox(place: { adminUrl: string; passwords: SystemPasswords }): Promise<BooksUrls> {
  const { read, write, observe } = await installSystem({ schema: "books", definition }, place);
  return { BOOKS_READ_URL: read, BOOKS_WRITE_URL: write, BOOKS_OBSERVE_URL: observe };
}
