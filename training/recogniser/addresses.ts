import { boxOf, militaryOf, postcodeOf, unitOf } from "./address-details.ts";
import { pickWeighted, type Random } from "./random.ts";
import { type AddressParts, openStreets, type Streets } from "./streets.ts";

/** Makes postal addresses as people write them in many countries, tidy and untidy. */
export interface Addresses {
  /** A whole address, in one line or in several. */
  readonly whole: () => string;
  /** In several lines always. */
  readonly block: () => string;
  /** Street and number, perhaps with a unit. */
  readonly street: () => string;
  /** A street without a number. */
  readonly bareStreet: () => string;
  readonly unit: () => string;
  readonly postcode: () => string;
  readonly city: () => string;
  readonly country: () => string;
}

const regions =
  "CA NY TX WA FL IL OH GA NC QC ON BC AB NSW VIC QLD WA SP RJ n/a NaN MI TO NA Bavaria Ontario Texas Ohio Kent Essex Surrey Utah".split(
    " ",
  );

/** Opens a source of addresses. */
export function openAddresses(random: Random, parts: AddressParts): Addresses {
  const streets = openStreets(random, parts);
  const { street, bareStreet, stem } = streets;
  const unit = () => unitOf(random);
  const postcode = () => postcodeOf(random);
  const city = () => {
    const name = random.isLucky(0.12) ? stem() : random.pick(parts.lists.cities);
    return random.isLucky(0.07) ? name.toUpperCase() : name;
  };
  const country = () => random.pick(parts.lists.countries);
  const town = () => townOf(random, { city, postcode });
  const land = () => (random.isLucky(0.45) ? [random.isLucky(0.4) ? `${country()} ${postcode()}` : country()] : []);
  const lines = (): readonly string[] => {
    const first = firstLine(random, { street, unit });
    const rest = [town(), ...land()];
    const house = random.pick([`${stem()} House`, `${stem()} Tower`, `${stem()} Apartments`, `c/o ${parts.people.full()}`]);
    return pickWeighted(random, [
      [10, [first]],
      // The unit on a line of its own.
      [10, [street(), unit(), ...rest]],
      [70, [first, ...rest]],
      [10, [house, first, ...rest]],
    ]);
  };
  const block = () => {
    const indent = random.isLucky(0.25) ? " ".repeat(1 + random.below(4)) : "";
    const comma = random.isLucky(0.2) ? "," : "";
    const all = random.isLucky(0.1) ? lines().flatMap((line) => line.replace(", ", "\n, ").split("\n")) : lines();
    return all.join(`${comma}\n${indent}`);
  };
  const whole = (): string =>
    pickWeighted<() => string>(random, [
      [52, () => lines().join(random.pick([", ", ", ", ", ", " ", " - ", "; "]))],
      [26, block],
      [7, () => militaryOf(random)],
      [7, () => [boxOf(random), ...(random.isLucky(0.8) ? lines().slice(-2) : [])].join(random.pick([", ", " ", "\n"]))],
      [9, () => cornerOf(random, streets)],
      [3, () => `${street()} ${unit()}`],
    ])();
  return { whole, block, street, bareStreet, unit, postcode, city, country };
}

function firstLine(random: Random, { street, unit }: { street: () => string; unit: () => string }): string {
  const between = random.pick([" ", ", "]);
  return pickWeighted<() => string>(random, [
    [35, () => `${street()}${between}${unit()}`],
    [5, () => `${unit()}${between}${street()}`],
    [60, street],
  ])();
}

function townOf(random: Random, { city, postcode }: { city: () => string; postcode: () => string }): string {
  const region = () => random.pick(regions);
  return pickWeighted<() => string>(random, [
    [24, () => city()],
    [18, () => `${postcode()} ${city()}`],
    [16, () => `${city()} ${postcode()}`],
    [16, () => `${city()}, ${region()} ${postcode()}`],
    [6, () => `${city()}, ${region()}`],
    [4, () => `${city()} (${region()})`],
    [4, () => `${city()}, ${postcode()}`],
  ])();
}

function cornerOf(random: Random, { street, bareStreet, stem }: Streets): string {
  const before = random.pick(["the corner of ", "the corner of ", "corner of ", "the intersection of ", "the junction of ", ""]);
  const side = pickWeighted<() => string>(random, [
    [45, bareStreet],
    [40, street],
    [15, stem],
  ])();
  return `${before}${side} ${random.pick(["and", "and", "and", "&", "at", "/"])} ${random.isLucky(0.3) ? bareStreet() : street()}`;
}
