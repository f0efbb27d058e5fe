import { allLocales } from "@faker-js/faker";
import type { People } from "./people.ts";
import { pickWeighted, type Random } from "./random.ts";
import { type StreetStyle, streetStyles } from "./street-styles.ts";
import type { WordLists } from "./word-lists.ts";

/** What addresses are made from. */
export interface AddressParts {
  readonly people: People;
  readonly lists: WordLists;
}

/** Makes streets, with and without a number. */
export interface Streets {
  readonly street: () => string;
  /** A street without a number. */
  readonly bareStreet: () => string;
  /** A name that a street or a house could have. */
  readonly stem: () => string;
}

const realStreets = Object.values(allLocales).flatMap(({ location }) =>
  ((location?.street_name ?? []) as readonly unknown[]).filter(
    (name): name is string => typeof name === "string" && /^\p{Script=Latin}/u.test(name),
  ),
);
const endings =
  "Street St St. Avenue Ave Ave. Road Rd Rd. Lane Ln Drive Dr Dr. Boulevard Blvd Court Ct Place Pl Square Terrace Crescent Close Way Parkway Highway Row Mews Grove Gardens Rise Circle Trail Walk Hill Park Parks Views Heights Ridge Meadows Crossing Junction Coves Points Squares Forks Fort Extensions Gateway Mill Plaza Green Vale Wharf Isle Springs Summit Union Village Ferry Falls".split(
    " ",
  );
const quarters = ["North", "South", "East", "West", "N", "S", "E", "W", "N.", "Old", "Upper"];
const ordinals = ["1st", "2nd", "3rd", "5th", "7th", "12th", "42nd", "First", "Second", "Third", "Fourth", "Fifth"];

/** Opens a source of streets. */
export function openStreets(random: Random, { people, lists }: AddressParts): Streets {
  const word = () => {
    const one = random.pick(random.isLucky(0.4) ? lists.ordinary : lists.common);
    return `${one.slice(0, 1).toUpperCase()}${one.slice(1)}`;
  };
  const stem = () =>
    pickWeighted<() => string>(random, [
      [40, people.family],
      [25, people.given],
      [20, word],
      [15, () => random.pick(lists.cities)],
    ])();
  const styled = ({ before, after, fused }: StreetStyle) => {
    if (fused !== undefined) return `${stem().replace(/[ '.-].*$/, "")}${random.pick(fused)}`;
    const [first, last] = [before, after].map((words) => (words === undefined ? [] : [random.pick(words)]));
    return [...(first ?? []), stem(), ...(last ?? [])].join(" ");
  };
  const bareStreet = () =>
    pickWeighted<() => string>(random, [
      [34, () => `${stem()} ${random.pick(endings)}`],
      [5, () => `${random.pick(quarters)} ${stem()} ${random.pick(endings)}`],
      [6, () => `${random.pick(ordinals)} ${random.pick(["Street", "Avenue", "Ave", "St"])}`],
      [20, () => random.pick(realStreets)],
      [33, () => styled(random.pick(streetStyles))],
      [2, () => `${random.pick(["Highway", "Route", "Hwy", "County Road"])} ${digitsOf(random, 3)}`],
    ])();
  return { street: () => numbered(random, bareStreet), bareStreet, stem };
}

function numbered(random: Random, bareStreet: () => string): string {
  const number = () => houseNumber(random);
  return pickWeighted<() => string>(random, [
    [40, () => `${number()} ${bareStreet()}`],
    [34, () => `${bareStreet()} ${number()}`],
    [4, () => `${bareStreet()}, ${number()}`],
    [4, () => `${number()}, ${bareStreet()}`],
    // Forms that were filled in twice, with a number at both ends.
    [10, () => `${number()} ${bareStreet()} ${number()}`],
    [4, () => `${number()} ${number()} ${bareStreet()}`],
    [4, () => `${random.pick(["House", "Plot", "No.", "Nr.", "nº", "#"])} ${digitsOf(random, 3)}, ${bareStreet()}`],
  ])();
}

function houseNumber(random: Random): string {
  const digits = (most: number) => digitsOf(random, most);
  return pickWeighted<() => string>(random, [
    [70, () => digits(4)],
    [8, () => digits(5).padStart(5, "0")],
    [8, () => `${digits(3)}${random.pick([..."abcdABC"])}`],
    [3, () => `${digits(3)}-${digits(3)}`],
    [4, () => `${digits(3)}/${digits(2)}`],
    [4, () => `${digits(2)}.`],
    [3, () => `${digits(3)} ${random.pick([..."ABCDab"])}`],
  ])();
}

/** A number of one to `most` digits, not 0. */
export function digitsOf(random: Random, most: number): string {
  return String(1 + random.below(10 ** (1 + random.below(most)) - 1));
}
