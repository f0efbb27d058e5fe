import { sql } from "kysely";
import type { Database, Tx } from "../store/database.ts";

/** How a model stands, as the deciding half last found it and as owners are told of it. */
export interface KeptStanding {
  /** As it is booked, such as `openai/gpt-4.1-2025-04-14`. */
  readonly model: string;
  readonly state: "unknown" | "active" | "deprecated" | "retired";
  readonly shutdownOn: string | null;
  readonly source: string | null;
  readonly isDue: boolean;
  readonly owners: readonly string[];
}

/** Keeps how all models of a project stand, in the place of what stood there, under the role `deciding`. They are of no tenant. */
export function keepStandings(database: Database, standings: readonly KeptStanding[]): Promise<void> {
  const rows = JSON.stringify(standings);
  return database.inTenant("models", async (tx) => {
    await sql`delete from model_standing where model <> all (${standings.map(({ model }) => model)}::text[])`.execute(tx);
    await sql`
      insert into model_standing (model, state, shutdown_on, source, is_due, owners)
      select model, state, "shutdownOn", source, "isDue", owners from json_to_recordset(${rows}::json)
        as made (model text, state text, "shutdownOn" date, source text, "isDue" boolean, owners text[])
      on conflict (model) do update set state = excluded.state, shutdown_on = excluded.shutdown_on, source = excluded.source,
        is_due = excluded.is_due, owners = excluded.owners, checked_at = clock_timestamp()`.execute(tx);
  });
}

/** A model whose end is near or over, with the days until then by the database's clock; `null` where nobody says a day. */
export interface DueModel extends KeptStanding {
  readonly daysLeft: number | null;
}

/** The models that are due, by their names; under every role. */
export async function readDueModels(tx: Tx): Promise<readonly DueModel[]> {
  const { rows } = await sql<DueModel>`
    select model, state, to_char(shutdown_on, 'YYYY-MM-DD') as "shutdownOn", source, is_due as "isDue", owners,
      shutdown_on - (clock_timestamp() at time zone 'utc')::date as "daysLeft"
    from model_standing where is_due order by model collate "C"`.execute(tx);
  return rows;
}
