import { type RawBuilder, sql } from "kysely";
import { type CollectionSettings, documentSettings, turnSettings } from "../../contract/knowledge.ts";
import type { Tx } from "../../store/database.ts";

/** A collection by its name, in one tenant. */
export interface CollectionKey {
  readonly tenant: string;
  readonly name: string;
}

/** How a collection is scored. One that is not there is made: `turns` with the settings of turns, any other with those of documents. */
export async function settingsOf(tx: Tx, { tenant, name }: CollectionKey): Promise<CollectionSettings> {
  const kept = await readSettings(tx, { tenant, name });
  if (kept !== undefined) return kept;
  const usual = name === "turns" ? turnSettings : documentSettings;
  await keepSettings(tx, { tenant, name, settings: usual });
  return usual;
}

/**
 * Makes a collection, or changes how what is filed in it from now on is scored. What was filed before keeps its scores, so the most that a
 * term says of a passage never falls by it.
 */
export async function keepSettings(
  tx: Tx,
  { tenant, name, settings }: CollectionKey & { settings: CollectionSettings },
): Promise<void> {
  const { k1, b, windowReach, windowWeight, sectionWeight, passageTerms, sectionTerms, headingsFind } = settings;
  const given = (value: number) => sql`${value}::float8`;
  const weights = { k1: given(k1), windowWeight: given(windowWeight), sectionWeight: given(sectionWeight) };
  await sql`
    insert into countersign.collection as kept (tenant, name, k1, b, window_reach, window_weight, section_weight, passage_terms, section_terms, headings_find, most_of_term)
    values (${tenant}, ${name}, ${k1}, ${b}, ${windowReach}, ${windowWeight}, ${sectionWeight}, ${passageTerms}, ${sectionTerms}, ${headingsFind},
      ${mostOfTerm(weights)})
    on conflict (tenant, name) do update set k1 = excluded.k1, b = excluded.b, window_reach = excluded.window_reach,
      window_weight = excluded.window_weight, section_weight = excluded.section_weight, passage_terms = excluded.passage_terms,
      section_terms = excluded.section_terms, headings_find = excluded.headings_find,
      most_of_term = greatest(kept.most_of_term, excluded.most_of_term)`.execute(tx);
}

const columns = { k1: sql.ref("k1"), windowWeight: sql.ref("window_weight"), sectionWeight: sql.ref("section_weight") };

/** Says that all of a tenant's collections were filed anew by their settings. The caller keeps other writers out. */
export async function keepFiledAnew(tx: Tx, tenant: string): Promise<void> {
  await sql`
    update countersign.collection set most_of_term = ${mostOfTerm(columns)}
    where tenant = ${tenant}`.execute(tx);
}

/** What of a collection's settings bounds a score, each as SQL. */
type Weights = Readonly<Record<"k1" | "windowWeight" | "sectionWeight", RawBuilder<unknown>>>;

/** The most that a term can say of a passage by these settings: of itself, its window and its section, before its rarity, in thousandths. */
function mostOfTerm({ k1, windowWeight, sectionWeight }: Weights): RawBuilder<number> {
  return sql`1000 * (${k1} + 1) * (1 + ${windowWeight} + ${sectionWeight})`;
}

async function readSettings(tx: Tx, { tenant, name }: CollectionKey): Promise<CollectionSettings | undefined> {
  const { rows } = await sql<CollectionSettings>`
    select k1, b, window_reach as "windowReach", window_weight as "windowWeight", section_weight as "sectionWeight",
      passage_terms as "passageTerms", section_terms as "sectionTerms", headings_find as "headingsFind"
    from countersign.collection where tenant = ${tenant} and name = ${name}`.execute(tx);
  return rows[0];
}
