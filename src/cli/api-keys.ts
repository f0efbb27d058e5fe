import { createHash, randomBytes } from "node:crypto";
import { deciderKeyOf } from "../server/decider-key.ts";

/** Whom a key belongs to. */
interface Person {
  readonly tenant: string;
  readonly id: string;
  readonly name: string;
  readonly roles: readonly string[];
}

/** What is kept of a key: its hash at each of the two doors. */
interface KeyHashes {
  readonly desk: string;
  readonly deciding: string;
}

/** Makes an API key for one person. */
export function newApiKey(): string {
  return `csk_${randomBytes(24).toString("base64url")}`;
}

/** The hashes of a person's key. */
export function hashesOf(key: string): KeyHashes {
  const hash = (text: string): string => createHash("sha256").update(text).digest("hex");
  return { desk: hash(key), deciding: hash(deciderKeyOf(key)) };
}

/**
 * The setting `COUNTERSIGN_API_KEYS` of one side: hashes of keys and whom they belong to. The desk knows people by their own keys, the
 * decider by the keys that the desk derives from them, so that what the decider is told and sent of a person signs nothing.
 */
export function apiKeysSetting(
  side: keyof KeyHashes,
  {
    people,
    accounts,
  }: { people: readonly (Person & { readonly key: string })[]; accounts: readonly (Person & { readonly hashes: KeyHashes })[] },
): string {
  const everybody = [...people.map(({ key, ...person }) => ({ ...person, hashes: hashesOf(key) })), ...accounts];
  return JSON.stringify(everybody.map(({ hashes, ...person }) => ({ hash: hashes[side], ...person })));
}
