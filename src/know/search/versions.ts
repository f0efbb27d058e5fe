import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { DocumentStatus, FiledDocument, FiledPassage } from "../../contract/knowledge.ts";
import type { Tx } from "../../store/database.ts";
import type { IndexedDocument } from "./impacts.ts";
import { bytesOfVector } from "./vector-bytes.ts";

/** A version and its passages in their order. */
export interface FiledVersion {
  readonly document: FiledDocument;
  readonly passages: readonly FiledPassage[];
}

/** A version that was analysed, with its audience in the database. */
export interface PreparedVersion extends FiledVersion {
  readonly index: IndexedDocument;
  readonly audience: number;
}

/** What of a version concerns who finds it. */
export interface VersionRow {
  readonly number: number;
  readonly id: string;
  readonly version: string;
  readonly audience: number;
  readonly collection: string;
  readonly status: DocumentStatus;
  readonly supersededBy: string | null;
  readonly scopes: readonly string[];
}

/** Finds versions; every version of a document where a key names none. */
export async function findVersions(
  tx: Tx,
  { tenant, keys }: { tenant: string; keys: readonly { readonly id: string; readonly version?: string }[] },
): Promise<readonly VersionRow[]> {
  const { rows } = await sql<VersionRow>`
    select number, document.id, document.version, audience, collection, status, superseded_by as "supersededBy", scopes
    from unnest(${keys.map(({ id }) => id)}::text[], ${keys.map(({ version = null }) => version)}::text[]) as key (id, version)
    join countersign.document on document.tenant = ${tenant} and document.id = key.id
      and document.version = coalesce(key.version, document.version)
    order by number`.execute(tx);
  return rows;
}

/** Removes versions with their passages and vectors. Their postings are removed before. */
export async function deleteVersions(tx: Tx, { tenant, numbers }: { tenant: string; numbers: readonly number[] }): Promise<void> {
  await sql`delete from countersign.document where tenant = ${tenant} and number = any (${[...numbers]}::integer[])`.execute(tx);
}

/** Writes who may see a version and whether it is in use. */
export async function updateVersion(
  tx: Tx,
  {
    tenant,
    number,
    audience,
    status,
    supersededBy,
    scopes,
  }: Omit<VersionRow, "id" | "version" | "collection"> & { tenant: string },
): Promise<void> {
  await sql`
    update countersign.document set audience = ${audience}, status = ${status}, superseded_by = ${supersededBy},
      scopes = ${[...scopes]}::text[]
    where tenant = ${tenant} and number = ${number}`.execute(tx);
}

type Inserting = { readonly tenant: string; readonly versions: readonly PreparedVersion[] };

/** Inserts versions with their passages and vectors, and gives their numbers in their order. */
export async function insertVersions(tx: Tx, { tenant, versions }: Inserting): Promise<readonly number[]> {
  const { rows } = await sql<{ number: number; id: string; version: string }>`
    insert into countersign.document (tenant, id, version, audience, title, collection, owner, source, status, superseded_by,
      is_authority, valid_from, valid_to, scopes, content_hash, metadata, passages, terms)
    select ${tenant}, id, version, audience, title, collection, owner, source, status, "supersededBy", "isAuthority",
      to_timestamp("validFrom" / 1000), to_timestamp("validTo" / 1000), array(select json_array_elements_text(scopes)), "contentHash",
      metadata, passages, array(select json_array_elements_text(terms))
    from json_to_recordset(${JSON.stringify(versions.map(documentColumns))}) as row (id text, version text, audience integer, title text,
      collection text, owner text, source text, status text, "supersededBy" text, "isAuthority" boolean, "validFrom" float8,
      "validTo" float8, scopes json, "contentHash" text, metadata jsonb, passages integer, terms json)
    returning number, id, version`.execute(tx);
  const numbered = new Map(rows.map(({ id, version, number }) => [`${id} ${version}`, number]));
  const numbers = versions.map(({ document: { id, version } }) => numbered.get(`${id} ${version}`) ?? 0);
  await insertPassages(tx, { tenant, versions, numbers });
  return numbers;
}

function documentColumns({ document, passages, index, audience }: PreparedVersion) {
  return { ...document, audience, passages: passages.length, terms: [...index.postings.keys()] };
}

async function insertPassages(tx: Tx, { tenant, versions, numbers }: Inserting & { numbers: readonly number[] }): Promise<void> {
  const list = versions.flatMap((version, at) => passageColumns(version, numbers[at] ?? 0));
  const { rows } = await sql<{ number: string; document: number; position: number }>`
    insert into countersign.passage (tenant, document, position, section_path, section_number, page, from_character, to_character,
      term_count, content_hash, context_line, body)
    select ${tenant}, document, position, array(select json_array_elements_text(path)), section, page, "from", "to", length, hash, line, body
    from json_to_recordset(${JSON.stringify(list)}) as row (document integer, position integer, path json, section integer, page integer,
      "from" integer, "to" integer, length integer, hash text, line text, body text)
    returning number, document, position`.execute(tx);
  if (!versions.some(({ passages }) => passages.some(({ vectors }) => vectors !== undefined))) return;
  const passageNumbers = new Map(rows.map(({ number, document, position }) => [`${document} ${position}`, number]));
  for (const [at, { passages }] of versions.entries())
    await insertVectors(tx, { tenant, passages, numberOf: (position) => passageNumbers.get(`${numbers[at]} ${position}`) });
}

function passageColumns({ passages, index }: PreparedVersion, document: number) {
  return passages.map(({ sectionPath, page, from, to, text, contextLine = "" }, at) => ({
    ...{ document, position: at + 1, path: sectionPath, section: index.places[at]?.section, page, from, to },
    ...{ length: index.places[at]?.length, hash: createHash("sha256").update(text).digest("hex"), line: contextLine, body: text },
  }));
}

interface VectorsOf {
  readonly tenant: string;
  readonly passages: readonly FiledPassage[];
  readonly numberOf: (position: number) => string | undefined;
}

async function insertVectors(tx: Tx, { tenant, passages, numberOf }: VectorsOf): Promise<void> {
  const rows = passages.flatMap(({ vectors = {} }, at) =>
    Object.entries(vectors).map(([embedder, vector]) => ({ passage: numberOf(at + 1), embedder, bytes: bytesOfVector(vector) })),
  );
  await sql`
    insert into countersign.passage_vector (tenant, passage, embedder, vector)
    select ${tenant}, passage, embedder, vector from unnest(${rows.map(({ passage }) => passage)}::bigint[],
      ${rows.map(({ embedder }) => embedder)}::text[], ${rows.map(({ bytes }) => bytes)}::bytea[]) as row (passage, embedder, vector)`.execute(
    tx,
  );
}
