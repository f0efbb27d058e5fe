import { type RawBuilder, sql } from "kysely";
import type { Asked } from "./permitted.ts";

/**
 * What a row called `document` has to be to be searched: of the tenant, in force at the reference time as the one version that is,
 * and fit for the filters of the need. Whether the asker may see it is asked by its audience. With `ofFew` newer versions are looked up for
 * each document by itself; else the database may go through all documents once, which for a few takes several milliseconds of ten thousand.
 */
export function isSearchable(
  { need: { metadata, includeNotCurrent = false }, envelope: { principal, at } }: Asked,
  { ofFew }: { ofFew: boolean },
): RawBuilder<boolean> {
  const instant = sql`to_timestamp(${at}::float8 / 1000)`;
  const filter = metadata === undefined ? sql`` : sql`and document.metadata @> ${JSON.stringify(metadata)}::jsonb`;
  const inForce = sql`and document.valid_from <= ${instant} and (document.valid_to is null or document.valid_to > ${instant})
        and not exists (
          select from countersign.document as newer
          where newer.tenant = document.tenant and newer.id = document.id and newer.status = 'current'
            and newer.valid_from > document.valid_from and newer.valid_from <= ${instant} and (newer.valid_to is null or newer.valid_to > ${instant})
          ${ofFew ? sql`offset 0` : sql``}
        )`;
  return sql`document.tenant = ${principal.tenant} ${filter} ${includeNotCurrent ? sql`` : inForce}`;
}
