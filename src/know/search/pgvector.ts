import { type RawBuilder, sql } from "kysely";
import { type Embedder, vectorsOf } from "../../contract/embedder.ts";
import type { Tx } from "../../store/database.ts";
import { isSearchable } from "./in-force.ts";
import { type Asked, isPermitted, type Permitted } from "./permitted.ts";
import { placeOf } from "./place.ts";

/** Where the database compares vectors itself: the schema that its extension stands in. */
export interface Pgvector {
  readonly schema: string;
}

/** Says whether the database keeps vectors for pgvector, see `keep_pgvector` in the migrations. */
export async function findPgvector(tx: Tx): Promise<Pgvector | null> {
  const { rows } = await sql<Pgvector>`
    select nspname as schema from pg_extension join pg_namespace on pg_namespace.oid = extnamespace
    where extname = 'vector' and to_regclass('countersign.passage_nearness') is not null`.execute(tx);
  return rows[0] ?? null;
}

/**
 * Ranks permitted passages by how near their vectors are, as `rankByVector` does and with what it promises, by the database: each is looked at,
 * by no index of approximations, since one that is filtered afterwards loses what may be seen among what may not.
 */
export async function rankInDatabase(
  asked: Asked,
  {
    embedder,
    pgvector: { schema },
    permitted,
    vector,
    limit,
  }: {
    embedder: Pick<Embedder, "name" | "version" | "dimensions">;
    pgvector: Pgvector;
    permitted: Permitted;
    vector: Float32Array;
    limit: number;
  },
): Promise<readonly number[]> {
  if (permitted.audiences.length === 0) return [];
  const { rows } = await sql<{ number: number; position: number }>`
    select document.number, passage.position from countersign.document
    join countersign.passage on passage.tenant = document.tenant and passage.document = document.number
    join countersign.passage_nearness as near on near.tenant = passage.tenant and near.passage = passage.number
      and near.embedder = ${vectorsOf(embedder)}
    where ${isSearchable(asked, { ofFew: false })} and ${isPermitted(permitted)}
      and ${named(schema, "vector_dims")}(near.value) = ${embedder.dimensions}
    order by near.value operator(${named(schema, "<#>")}) ${`[${vector.join(",")}]`}::${named(schema, "vector")},
      document.number, passage.position
    limit ${limit}`.execute(asked.tx);
  return rows.map(({ number, position }) => placeOf(number, position));
}

/** A name of the extension's, by its schema. Both are names of the catalogue and of this file. */
function named(schema: string, name: string): RawBuilder<unknown> {
  return sql`${sql.id(schema)}.${sql.raw(name)}`;
}
