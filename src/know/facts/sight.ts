import { sql } from "kysely";
import type { RecordSource } from "../../contract/connector.ts";
import type { JsonObject } from "../../contract/json.ts";
import type { StandingFact } from "../../contract/keeping.ts";
import type { Database, Tx } from "../../store/database.ts";
import { readFacts } from "./read.ts";

/** Looks at what is known of a subject as of an instant, whoever may see it: for who carried an effect out, never for who decides. */
export async function standingFacts(
  tx: Tx,
  { tenant, subject, predicate, at }: { tenant: string; subject: string; predicate: string; at: number },
): Promise<readonly StandingFact[]> {
  const { rows } = await sql<StandingFact>`
    select 'fact:' || id as id, object, valid_from::float8 as "validFrom", valid_to::float8 as "validTo", source, scopes from fact
    where tenant = ${tenant} and subject = ${subject} and predicate = ${predicate} and learnt_to is null
      and valid_from <= ${at} and (valid_to is null or valid_to > ${at})
    order by valid_from desc, id`.execute(tx);
  return rows;
}

/**
 * The record query `knowledge.facts` over this process's own database, for the state before an effect: what the principal may see of a
 * `subject` and `predicate` as of the request's time.
 */
export function factRecords(database: Database): RecordSource {
  const name = "knowledge.facts";
  return Object.freeze({
    connector: { name: "countersign.facts", side: "reads", secret: null } as const,
    queries: [{ name, title: "What is known", key: (row: JsonObject) => String(row["id"]), labels: {} }],
    open: async () => ({
      run: (_query: string, { subject, predicate }: JsonObject, envelope: Parameters<typeof readFacts>[0]["envelope"]) =>
        database.inTenant(envelope.principal.tenant, async (tx) => {
          const asked = { subject: String(subject), predicates: [String(predicate)], limit: 20, isRequired: false };
          const facts = await readFacts({ tx, need: { kind: "facts", name, at: envelope.at, ...asked }, envelope });
          return facts.map(({ id, object, validFrom, validTo, source }) => ({ id, object, validFrom, validTo, source }));
        }),
      close: async () => {},
    }),
  });
}
