import type { Fact } from "../../contract/fact.ts";
import type { Played } from "../played.ts";
import { expectsRefusal, itemNames, listed, namesOf, required, type Scorer } from "./scoring.ts";

/**
 * Time: of a case with facts, that the ones it names were loaded and that each loaded one is valid at the reference time that it was asked
 * for, whatever was written down later. That the time is the right one is what the case's own evidence says.
 */
export const scoreTime: Scorer = ({ one }, played) => {
  const { fixtures, expectations } = one;
  const wanted = expectations.evidence.filter(isFact);
  if (wanted.length === 0 && fixtures.facts.length === 0 && !expectations.withheld.some(isFact)) return [];
  // Nothing reached it that could be of another time.
  if (played.items === null && wanted.length === 0 && expectsRefusal(one)) return [required("time.state_at_reference", 1, "")];
  if (played.items === null)
    return [required("time.state_at_reference", null, "nothing was loaded, so there is no state to look at")];
  const loaded = itemNames(played);
  const missing = wanted.filter((id) => !loaded.has(id));
  const wrong = [...factsOf(played).filter((fact) => !isValid(fact)), ...withheldOf(played, expectations.withheld)];
  const why = [
    ...(missing.length === 0 ? [] : [`expected ${listed(missing)}, which is valid then`]),
    ...(wrong.length === 0
      ? []
      : [`expected nothing that is not valid then, and ${listed(wrong.map(({ id }) => id))} was loaded`]),
  ].join("; ");
  return [required("time.state_at_reference", why === "" ? 1 : 0, why)];
};

function isFact(id: string): boolean {
  return id.startsWith("fact:");
}

function factsOf({ items }: Played): readonly Fact[] {
  return (items ?? []).flatMap((item) => (item.kind === "fact" ? [item] : []));
}

function withheldOf(played: Played, withheld: readonly string[]): readonly Fact[] {
  return factsOf(played).filter((fact) => namesOf(fact).some((name) => withheld.includes(name)));
}

function isValid({ validFrom, validTo, at }: Fact): boolean {
  return validFrom <= at && (validTo === null || at < validTo);
}
