import { sql } from "kysely";
import { type Embedder, vectorsOf } from "../../contract/embedder.ts";
import type { Database } from "../../store/database.ts";
import { bytesOfVector } from "./vector-bytes.ts";
import { embeddedText } from "./with-vectors.ts";

/** Passages that are read, embedded and written at once. */
const batchSize = 64;

/** What was given, and the number up to which every passage has its vector. */
export interface Embedded {
  readonly given: number;
  readonly through: string;
}

/**
 * Gives a vector to every passage of a tenant that has none by this embedder: after an embedder was configured or got another version, and
 * for what was filed while it did not answer. Passages get growing numbers, so `after` spares looking at those that were seen to before. No
 * transaction is open while the embedder works; a passage that went in the meantime gets none. Under the role `ingesting`. Throws
 * `model_unavailable`; what was given until then stays.
 */
export async function embedMissing(
  database: Pick<Database, "inTenant">,
  {
    tenant,
    embedder,
    after = "0",
    isStopping = () => false,
  }: { tenant: string; embedder: Embedder; after?: string; isStopping?: () => boolean },
): Promise<Embedded> {
  let through = after;
  let given = 0;
  while (!isStopping()) {
    const missing = await readMissing(database, { tenant, embedder, after: through });
    const last = missing.at(-1);
    if (last === undefined) break;
    const vectors = await embedder.embedDocuments(missing.map((row) => embeddedText(row.title, row)));
    given += await keep(database, { tenant, embedder, numbers: missing.map(({ number }) => number), vectors });
    through = last.number;
  }
  return { given, through };
}

interface Missing {
  readonly number: string;
  readonly title: string;
  readonly sectionPath: readonly string[];
  readonly contextLine: string;
  readonly text: string;
}

function readMissing(
  database: Pick<Database, "inTenant">,
  { tenant, embedder, after }: { tenant: string; embedder: Embedder; after: string },
): Promise<readonly Missing[]> {
  return database.inTenant(tenant, async (tx) => {
    const { rows } = await sql<Missing>`
      select passage.number, document.title, section_path as "sectionPath", context_line as "contextLine", body as text
      from countersign.passage
      join countersign.document on document.tenant = passage.tenant and document.number = passage.document
      where passage.tenant = ${tenant} and passage.number > ${after}::bigint and not exists (
        select from countersign.passage_vector as kept
        where kept.tenant = passage.tenant and kept.embedder = ${vectorsOf(embedder)} and kept.passage = passage.number)
      order by passage.number limit ${batchSize}`.execute(tx);
    return rows;
  });
}

interface Keeping {
  readonly tenant: string;
  readonly embedder: Embedder;
  readonly numbers: readonly string[];
  readonly vectors: readonly Float32Array[];
}

function keep(database: Pick<Database, "inTenant">, { tenant, embedder, numbers, vectors }: Keeping): Promise<number> {
  return database.inTenant(tenant, async (tx) => {
    // The lock keeps a passage from being removed before its vector is there; one that is gone is passed over.
    const { rows } = await sql`
      with there as (
        select number from countersign.passage where tenant = ${tenant} and number = any (${[...numbers]}::bigint[]) for key share
      )
      insert into countersign.passage_vector (tenant, passage, embedder, vector)
      select ${tenant}, there.number, ${vectorsOf(embedder)}, row.vector
      from unnest(${[...numbers]}::bigint[], ${vectors.map(bytesOfVector)}::bytea[]) as row (number, vector) join there using (number)
      on conflict do nothing returning passage`.execute(tx);
    return rows.length;
  });
}
