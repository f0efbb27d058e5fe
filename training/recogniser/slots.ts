import { openAddresses } from "./addresses.ts";
import type { Slots } from "./fill-template.ts";
import { openOrganisations } from "./organisations.ts";
import { openOtherValues } from "./other-values.ts";
import { openPeople } from "./people.ts";
import type { Random } from "./random.ts";
import type { WordLists } from "./word-lists.ts";

/** All slots that a template may have. */
export function openSlots(random: Random, lists: WordLists): Slots {
  const people = openPeople(random, lists);
  const addresses = openAddresses(random, { people, lists });
  const { city, country, unit, postcode, bareStreet } = addresses;
  const of = <K extends Slots[string]["kind"]>(kind: K, makers: Readonly<Record<string, () => string>>): Slots =>
    Object.fromEntries(Object.entries(makers).map(([name, make]) => [name, { kind, make }]));
  return {
    ...of(null, openOtherValues(random, lists)),
    ...of("person", { full: people.full, first: people.given, last: people.family, any: people.any }),
    ...of("organisation", { org: openOrganisations(random, { people, lists }) }),
    ...of("address", {
      address: addresses.whole,
      block: addresses.block,
      street: addresses.street,
      bare: bareStreet,
      unit,
      postcode,
    }),
    ...of("address", { acity: city, acountry: country }),
    ...of("place", { city, country }),
  };
}
