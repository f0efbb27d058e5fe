import type { Connector } from "../contract/connector.ts";
import { CountersignError } from "../contract/errors.ts";
import type { Keeper, KeptSight } from "../contract/keeping.ts";

/** The names of these secrets begin like this; no vault holds them, since the house opens these ways itself. */
const house = "countersign.";

/**
 * The way of an effect's hands into what the house itself knows: facts and memory. Handed to `through` like any writing connector; the
 * worker opens it over its own database.
 * @example
 * implementEffect(noteDepartment, {
 *   apply: through(keeper, async (kept, { employee, department, from }, { tenant }) => {
 *     const fact = { subject: employee, predicate: "department", object: department, validFrom: from, validTo: null, scopes: ["tenant:all"] };
 *     const { written, known } = await kept.succeedFact({ tenant, source: "hr" }, { mapping: 1, fact, reason: "moved" });
 *     return { targetId: written[0] ?? known[0] ?? null };
 *   }),
 *   observe: through(keptSight, async (kept, { employee, from }, { tenant }) => {
 *     const [fact] = await kept.facts(tenant, { subject: employee, predicate: "department", at: Date.parse(from) });
 *     return fact === undefined ? null : { department: fact.object };
 *   }),
 * });
 */
export const keeper: Connector<"writes", Keeper> = Object.freeze({
  name: "countersign.keeper",
  side: "writes",
  secret: `${house}keeper`,
  open: notHere,
  close: async () => {},
});

/** The way to look at it afterwards, by reads of their own. Handed to `through` like any observing connector. */
export const keptSight: Connector<"observes", KeptSight> = Object.freeze({
  name: "countersign.kept",
  side: "observes",
  secret: `${house}kept`,
  open: notHere,
  close: async () => {},
});

/** Says whether a secret's name is that of a way that the house opens itself. */
export function isHouseSecret(name: string): boolean {
  return name.startsWith(house);
}

async function notHere(): Promise<never> {
  throw new CountersignError("definition_invalid", "what the house knows is written by the worker alone");
}
