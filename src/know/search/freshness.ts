import { sql } from "kysely";
import type { FolderSource } from "../../contract/document-source.ts";
import { CountersignError } from "../../contract/errors.ts";
import type { Asked } from "./permitted.ts";
import type { FreshnessCheck } from "./search.ts";

/**
 * Makes the check that an answer rests on an index as fresh as promised. It looks at every source that could hold what was asked for, not
 * only at those of what was found: what an old index lacks is found by nobody. A source that a project declares and nobody has read yet
 * is behind, too. A source that the asker's labels do not open is passed over, and so tells nothing of its state.
 * The check throws `index_stale` with the names of the sources.
 */
export function freshnessCheck(declared: readonly FolderSource[]): FreshnessCheck {
  return async (asked, found) => {
    const kept = await readPromises(asked, found);
    const missing = declared.filter((one) => bears(one, asked) && !kept.some(({ name }) => name === one.name));
    const late = kept.filter(({ isBehind }) => isBehind);
    const names = [...late, ...missing].map(({ name }) => name).sort();
    if (names.length === 0) return;
    throw new CountersignError(
      "index_stale",
      `the index is further behind ${names.map((name) => `\`${name}\``).join(", ")} than promised; see \`countersign index status\``,
      { facts: { sources: names } },
    );
  };
}

interface Kept {
  readonly name: string;
  readonly isBehind: boolean;
}

async function readPromises(
  { tx, need, envelope: { principal, scopes } }: Asked,
  found: readonly string[],
): Promise<readonly Kept[]> {
  const { collection } = need;
  const ofCollection = collection === undefined ? sql`true` : sql`${collection} = any (collections)`;
  const { rows } = await sql<Kept>`
    select name, fresh_as_of is null or clock_timestamp() - fresh_as_of > promise_ms * interval '1 millisecond' as "isBehind"
    from countersign.source
    where tenant = ${principal.tenant}
      and (name = any (${[...found]}::text[]) or (scopes && ${[...scopes]}::text[] and ${ofCollection}))`.execute(tx);
  return rows;
}

/** Whether a source that is declared could hold what was asked for. */
function bears({ tenants, scopes, collection }: FolderSource, { need, envelope }: Asked): boolean {
  const { principal, scopes: own } = envelope;
  if (tenants !== "all" && !tenants.includes(principal.tenant)) return false;
  return scopes.some((label) => own.includes(label)) && (need.collection === undefined || need.collection === collection);
}
