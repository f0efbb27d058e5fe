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
  /** Its id says one fixed version; `null` where that is not known. */
  readonly isPinned: boolean | null;
  /** The last day on which a fine-tuned one can be trained anew; `null` where it is none, or nobody says. */
  readonly lastTrainingOn: string | null;
}

/** Keeps how all models of a project stand, in the place of what stood there, under the role `deciding`. They are of no tenant. */
export function keepStandings(database: Database, standings: readonly KeptStanding[]): Promise<void> {
  const rows = JSON.stringify(standings);
  return database.untenanted(async (store) => {
    await sql`
      with gone as (delete from model_standing where model <> all (${standings.map(({ model }) => model)}::text[]))
      insert into model_standing (model, state, shutdown_on, source, is_due, owners, is_pinned, last_training_on)
      select model, state, "shutdownOn", source, "isDue", owners, "isPinned", "lastTrainingOn" from json_to_recordset(${rows}::json)
        as made (model text, state text, "shutdownOn" date, source text, "isDue" boolean, owners text[], "isPinned" boolean, "lastTrainingOn" date)
      on conflict (model) do update set state = excluded.state, shutdown_on = excluded.shutdown_on, source = excluded.source,
        is_due = excluded.is_due, owners = excluded.owners,
        is_pinned = excluded.is_pinned, last_training_on = excluded.last_training_on, checked_at = clock_timestamp()`.execute(
      store,
    );
  });
}

/** A model whose end is near or over, with the days until then by the database's clock; `null` where nobody says a day. */
export interface DueModel extends KeptStanding {
  readonly daysLeft: number | null;
}

/** A model's standing as it was found last, and when that was, in milliseconds since the epoch. */
interface FoundStanding extends DueModel {
  readonly checkedAt: number;
}

/** The models that are due, by their names; under every role. */
export async function readDueModels(tx: Tx): Promise<readonly DueModel[]> {
  return (await readStandings(tx)).filter(({ isDue }) => isDue);
}

/** How all models of a project stand, by their names; under every role. */
export async function readStandings(tx: Tx): Promise<readonly FoundStanding[]> {
  const { rows } = await sql<FoundStanding>`
    select model, state, to_char(shutdown_on, 'YYYY-MM-DD') as "shutdownOn", source, is_due as "isDue", owners,
      is_pinned as "isPinned", to_char(last_training_on, 'YYYY-MM-DD') as "lastTrainingOn",
      shutdown_on - (clock_timestamp() at time zone 'utc')::date as "daysLeft",
      floor(extract(epoch from checked_at) * 1000)::float8 as "checkedAt"
    from model_standing order by model collate "C"`.execute(tx);
  return rows;
}
