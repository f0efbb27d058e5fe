import type { Leg } from "../../src/know/search/search.ts";
import { changeScopes, removeDocument } from "../../src/know/search/write.ts";
import { type SearchStand, standTenant } from "../knowledge/stand.ts";

/** Whether what was changed was in force for the very next query. */
export interface Changes {
  readonly leg: string;
  readonly permissionTaken: boolean;
  readonly permissionGiven: boolean;
  readonly deleted: boolean;
}

/** Takes a permission from the best document, gives it back, and deletes the document; asks after each. */
export async function tryChanges(
  stand: SearchStand,
  { leg, query, label, others }: { leg: Leg; query: string; label: string; others: readonly string[] },
): Promise<Changes> {
  const ask = async () => {
    const { content, activity } = await stand.search({ query, scopes: [label], limit: 10, legs: [leg] });
    return { best: content[0]?.document, all: [...content.map(({ id }) => id), ...activity.legs.flatMap(({ ranks }) => ranks)] };
  };
  const { best } = await ask();
  if (best === undefined) throw new Error(`nothing was found for \`${query}\``);
  const holds = async () => (await ask()).all.some((id) => id.startsWith(`passage:${best}:`));
  const key = { tenant: standTenant, id: best };
  const write = (scopes: readonly string[]) => stand.filing.inTenant(standTenant, (tx) => changeScopes(tx, { ...key, scopes }));
  await write(others);
  const permissionTaken = !(await holds());
  await write([...others, label]);
  const permissionGiven = await holds();
  await stand.filing.inTenant(standTenant, (tx) => removeDocument(tx, key));
  return { leg: leg.name, permissionTaken, permissionGiven, deleted: !(await holds()) };
}
