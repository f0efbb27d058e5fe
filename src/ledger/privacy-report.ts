import { asOwner } from "../store/owner.ts";

/** Which decisions a report is over: from one day to before another, in UTC; of one tenant or all. */
export interface PrivacyRange {
  readonly from: string;
  readonly before: string;
  readonly tenant: string | null;
}

/** How the requests of one capability to models were sent. Decisions by a rule or a script are in none of the counts. */
export interface SentBy {
  readonly capability: string;
  /** Decisions for which a model was asked. */
  readonly decisions: number;
  /** Those of which something was sent as it is, since a boundary was off. */
  readonly unbounded: number;
  /** Pieces of personal data that were replaced before they were sent, the most first. */
  readonly replaced: readonly { readonly class: string; readonly treatment: string; readonly count: number }[];
}

const asked = `from entry where kind in ('decided', 'stopped') and ts >= $1 and ts < $2 and ($3::text is null or tenant = $3)
   and coalesce((body::jsonb ->> 'sends')::int, 0) > 0 and not coalesce((body::jsonb ->> 'scripted')::boolean, false)`;

/**
 * Counts from the entries of decisions what was sent to models and what was replaced in it, by capability, class and treatment; under the
 * owner's login. No entry holds a value of personal data, and no payload is read.
 */
export function privacyReport(adminUrl: string, { from, before, tenant }: PrivacyRange): Promise<readonly SentBy[]> {
  const values = [Date.parse(from), Date.parse(before), tenant];
  return asOwner(adminUrl, async (client) => {
    const sent = await client.query<Omit<SentBy, "replaced">>(
      `select capability, count(*)::int as decisions,
         (count(*) filter (where body::jsonb ->> 'boundary' <> 'on'))::int as unbounded ${asked} group by 1 order by 1`,
      values,
    );
    const replaced = await client.query<{ capability: string; class: string; treatment: string; count: number }>(
      `select e.capability, c.key as class, t.key as treatment, sum(t.value::bigint)::float8 as count
         from (select capability, body::jsonb #> '{privacy,replaced}' as replaced ${asked}) e
         cross join lateral jsonb_each(coalesce(e.replaced, '{}')) c cross join lateral jsonb_each_text(c.value) t
         group by 1, 2, 3 order by 4 desc, 2, 3`,
      values,
    );
    const rowsOf = (name: string) =>
      replaced.rows.filter(({ capability }) => capability === name).map(({ capability: _, ...row }) => row);
    return sent.rows.map((row) => ({ ...row, replaced: rowsOf(row.capability) }));
  });
}
