import { CountersignError } from "../contract/errors.ts";
import { asOwner } from "./owner.ts";

/**
 * Makes a database on the server of `adminUrl`, empty or as a copy of another one that nobody is connected to, and returns its URL under
 * the same login. Throws `bad_request` for a name that is not one.
 */
export async function makeDatabase({
  adminUrl,
  name,
  copyOf,
}: {
  adminUrl: string;
  name: string;
  copyOf?: string;
}): Promise<string> {
  const template = copyOf === undefined ? "template0" : checkedName(copyOf);
  await asOwner(adminUrl, (client) => client.query(`create database ${checkedName(name)} template ${template}`));
  return inDatabase(adminUrl, name);
}

/** Drops a database on the server of `adminUrl`, and ends whoever is connected to it. */
export async function dropDatabase({ adminUrl, name }: { adminUrl: string; name: string }): Promise<void> {
  await asOwner(adminUrl, (client) => client.query(`drop database if exists ${checkedName(name)} with (force)`));
}

/** The same login at the same server, in another database. */
export function inDatabase(url: string, name: string): string {
  const other = new URL(url);
  other.pathname = `/${name}`;
  return other.href;
}

/** A name stands in the statement's text, so nothing but a plain one may. */
function checkedName(name: string): string {
  if (/^[a-z][a-z0-9_]{0,50}$/.test(name)) return name;
  throw new CountersignError("bad_request", "a database's name is small letters, digits and `_`");
}
