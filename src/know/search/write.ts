// Files documents into the index that search reads, and takes them out of it again. For ingest and set-up alone: what decides has no
// path to this file. Every change is whole within the caller's transaction, and is counted before it returns.
import { sql } from "kysely";
import { CountersignError } from "../../contract/errors.ts";
import type { CollectionSettings, DocumentStatus, Filing } from "../../contract/knowledge.ts";
import type { Tx } from "../../store/database.ts";
import { audienceOf } from "./audiences.ts";
import { checkFiled, checkScopes } from "./check-filed.ts";
import { keepSettings, settingsOf } from "./collections.ts";
import { indexDocument } from "./impacts.ts";
import { addPostings, movePostings, removePostings } from "./postings.ts";
import { rebuildPostings } from "./rebuild.ts";
import {
  deleteVersions,
  type FiledVersion,
  findVersions,
  insertVersions,
  type PreparedVersion,
  updateVersion,
  type VersionRow,
} from "./versions.ts";

export type { FiledVersion } from "./versions.ts";

/** A document, or one version of it. */
export interface VersionKey {
  readonly tenant: string;
  readonly id: string;
  /** Every version where it is left out. */
  readonly version?: string;
}

/** Files one version whole, in place of what stood there. Throws `index_incomplete` where the database holds less afterwards. */
export async function fileDocument(tx: Tx, { tenant, document, passages }: { tenant: string } & FiledVersion): Promise<Filing> {
  const [filing] = await fileDocuments(tx, { tenant, versions: [{ document, passages }] });
  // One version was given.
  return filing as Filing;
}

/** Files several versions at once, which is quicker than one by one; each as `fileDocument` does. */
export async function fileDocuments(
  tx: Tx,
  { tenant, versions }: { tenant: string; versions: readonly FiledVersion[] },
): Promise<readonly Filing[]> {
  for (const version of versions) checkFiled(version);
  refuseTwice(versions);
  await lockIndex(tx, tenant);
  const replaced = await findVersions(tx, { tenant, keys: versions.map(({ document }) => document) });
  await removeVersions(tx, { tenant, versions: replaced });
  const prepared = await prepare(tx, { tenant, versions });
  const numbers = await insertVersions(tx, { tenant, versions: prepared });
  await addPostings(tx, { tenant, documents: prepared.map((one, at) => ({ ...one, number: numbers[at] ?? 0 })) });
  const before = new Set(replaced.map(keyOf));
  return prepared.map(({ document, index: { places } }) => ({
    kind: before.has(keyOf(document)) ? "replaced" : "added",
    passages: places.length,
    terms: places.reduce((sum, { length }) => sum + length, 0),
  }));
}

/** Takes a version, or every version of a document, out of the index, and says how many there were. The next search finds none of it. */
export async function removeDocument(tx: Tx, key: VersionKey): Promise<number> {
  await lockIndex(tx, key.tenant);
  const versions = await findVersions(tx, { tenant: key.tenant, keys: [key] });
  await removeVersions(tx, { tenant: key.tenant, versions });
  return versions.length;
}

/** Changes who may see a version, or every version of a document, and says how many there are. The next search goes by it. */
export async function changeScopes(tx: Tx, { scopes, ...key }: VersionKey & { scopes: readonly string[] }): Promise<number> {
  checkScopes("the document", scopes);
  return move(tx, key, (version) => ({ ...version, scopes }));
}

/** Changes whether a version is in use, and says how many were found; `supersededBy` names the version in its place. */
export async function changeStatus(
  tx: Tx,
  { status, supersededBy = null, ...key }: VersionKey & { status: DocumentStatus; supersededBy?: string | null },
): Promise<number> {
  return move(tx, key, (version) => ({ ...version, status, supersededBy: status === "superseded" ? supersededBy : null }));
}

/** Makes a collection, or changes how what is filed in it from now on is scored; what was filed before keeps its scores until a rebuild. */
export async function declareCollection(
  tx: Tx,
  collection: { tenant: string; name: string; settings: CollectionSettings },
): Promise<void> {
  await lockIndex(tx, collection.tenant);
  await keepSettings(tx, collection);
}

function keyOf({ id, version }: { readonly id: string; readonly version: string }): string {
  return `${id} ${version}`;
}

function refuseTwice(versions: readonly FiledVersion[]): void {
  if (new Set(versions.map(({ document }) => keyOf(document))).size === versions.length) return;
  throw new CountersignError("bad_request", "a version of a document is filed twice at once");
}

/** Makes the whole index of a tenant anew from its passages, and says of how many documents; searches go on meanwhile, as before it. */
export async function rebuildIndex(tx: Tx, { tenant }: { tenant: string }): Promise<number> {
  await lockIndex(tx, tenant);
  return rebuildPostings(tx, { tenant });
}

/** Writers of one tenant take turns: they count the same things. Held until the transaction ends. */
async function lockIndex(tx: Tx, tenant: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${tenant}, 7263544003))`.execute(tx);
}

async function removeVersions(tx: Tx, { tenant, versions }: { tenant: string; versions: readonly VersionRow[] }): Promise<void> {
  if (versions.length === 0) return;
  const numbers = versions.map(({ number }) => number);
  await removePostings(tx, { tenant, numbers });
  await deleteVersions(tx, { tenant, numbers });
}

/** Analyses each version, under the settings of its collection, and finds its audience. */
async function prepare(
  tx: Tx,
  { tenant, versions }: { tenant: string; versions: readonly FiledVersion[] },
): Promise<readonly PreparedVersion[]> {
  const settings = new Map<string, CollectionSettings>();
  const audiences = new Map<string, number>();
  const prepared: PreparedVersion[] = [];
  for (const { document, passages } of versions) {
    const { collection, status, scopes, title } = document;
    const own = settings.get(collection) ?? (await settingsOf(tx, { tenant, name: collection }));
    settings.set(collection, own);
    const key = JSON.stringify([collection, status, scopes]);
    const audience = audiences.get(key) ?? (await audienceOf(tx, { tenant, ...document }));
    audiences.set(key, audience);
    prepared.push({ document, passages, audience, index: indexDocument({ title, passages, settings: own }) });
  }
  return prepared;
}

async function move(tx: Tx, key: VersionKey, change: (version: VersionRow) => VersionRow): Promise<number> {
  const { tenant } = key;
  await lockIndex(tx, tenant);
  const versions = await findVersions(tx, { tenant, keys: [key] });
  for (const version of versions) {
    const { number, ...changed } = change(version);
    const audience = await audienceOf(tx, { tenant, ...changed });
    if (audience !== version.audience) await movePostings(tx, { tenant, number, audience });
    await updateVersion(tx, { tenant, ...changed, number, audience });
  }
  return versions.length;
}
