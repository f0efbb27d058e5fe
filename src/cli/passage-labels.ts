import type { ContextItem } from "../contract/context.ts";
import { everything } from "../contract/principal.ts";
import type { Policy } from "../guard/policy/policy.ts";
import { asOwner } from "../store/owner.ts";
import type { EvalPerson } from "./eval-people.ts";

/** Who may see which passages and facts of a scratch installation, by the labels that stand with them and not by any search. */
export interface Labels {
  /** Ids of those that are not open to this person. */
  readonly unseenBy: (person: EvalPerson, items: readonly ContextItem[]) => readonly string[];
  /** Whether there is a passage or a fact of this id at all. */
  readonly has: (id: string) => boolean;
}

/** Reads the labels of every passage and fact, under the owner's login of a scratch installation. */
export async function readPassageLabels(adminUrl: string, policy: Pick<Policy, "scopes">): Promise<Labels> {
  const labels = new Map<string, readonly string[]>();
  await asOwner(adminUrl, async (client) => {
    const passages = await client.query<{ id: string; labels: string[] }>(
      `select 'passage:' || d.id || ':' || d.version || ':' || p.position as id, d.scopes as labels
      from document d join passage p on p.tenant = d.tenant and p.document = d.number`,
    );
    const facts = await client.query<{ id: string; labels: string[] }>(
      `select 'fact:' || unnest(array[id::text, subject || '/' || predicate || '=' || object]) as id, scopes as labels from fact`,
    );
    for (const { id, labels: own } of [...passages.rows, ...facts.rows]) labels.set(id, own);
  });
  return {
    has: (id) => labels.has(id),
    unseenBy: ({ tenant, id, roles }, items) => {
      const open = policy.scopes({ tenant, id, roles, attributes: {}, onBehalfOf: null, allow: everything });
      const isClosed = (one: string): boolean => labels.get(one)?.some((label) => open.includes(label)) === false;
      return [...new Set(items.map((item) => item.id))].filter(isClosed);
    },
  };
}
