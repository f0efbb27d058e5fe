import { allLocales } from "@faker-js/faker";
import { openLetterChain } from "./letter-chain.ts";
import type { People } from "./people.ts";
import { pickWeighted, type Random } from "./random.ts";
import type { WordLists } from "./word-lists.ts";

const forms = [
  "Inc",
  "Inc.",
  "LLC",
  "Ltd",
  "Ltd.",
  "Corp.",
  "Group",
  "GmbH",
  "AG",
  "S.A.",
  "SARL",
  "S.p.A.",
  "S.r.l.",
  "BV",
  "AB",
  "A/S",
  "Oy",
  "Sp. z o.o.",
  "Kft.",
  "s.r.o.",
  "PLC",
  "LLP",
  "Co.",
  "Pty Ltd",
  "& Co.",
  "& Sons",
  "Holding",
  "Partners",
  "Limited",
  "KG",
];
const trades = [
  "Technologies",
  "Systems",
  "Solutions",
  "Software",
  "Labs",
  "Industries",
  "Consulting",
  "Logistics",
  "Energy",
  "Foods",
  "Insurance",
  "Bank",
  "Capital",
  "Media",
  "Motors",
  "Airlines",
  "Pharma",
  "Health",
  "Care",
  "Analytics",
  "Networks",
  "Foundation",
  "Trust",
  "Associates",
  "Services",
  "Credit Union",
  "Transit",
  "Data",
  "Electric",
  "Steel",
  "Textiles",
  "Records",
  "Studios",
  "Press",
  "Hotels",
  "Properties",
  "Ventures",
  "Exchange",
  "Security",
  "Mutual",
];
const heads = [
  "University of",
  "Bank of",
  "Ministry of",
  "Department of",
  "Institute of",
  "Museum of",
  "Council of",
  "Association of",
  "Port of",
  "City of",
];
const parts = Object.values(allLocales).flatMap(({ company }) =>
  ((company?.legal_entity_type ?? []) as readonly unknown[]).filter(
    (one): one is string => typeof one === "string" && /^\p{Script=Latin}/u.test(one),
  ),
);

/** Makes names of companies and other bodies. */
export function openOrganisations(random: Random, { people, lists }: { people: People; lists: WordLists }): () => string {
  const made = openLetterChain(lists.ordinary);
  const capital = (word: string) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`;
  const word = () => capital(random.pick(random.isLucky(0.5) ? lists.common : lists.ordinary));
  const brand = () =>
    pickWeighted<() => string>(random, [
      [35, () => capital(made(random))],
      [25, word],
      [15, () => `${word()}${random.pick([word(), word().toLowerCase(), "ly", "ify", "hub", "tech", "soft", "corp"])}`],
      [15, people.family],
      [10, () => Array.from({ length: 2 + random.below(3) }, () => random.pick([..."ABCDEFGHIJKLMNOPRSTUVW"])).join("")],
    ])();
  const legal = () => (random.isLucky(0.8) ? random.pick(forms) : random.pick(parts));
  return () =>
    pickWeighted<() => string>(random, [
      [18, brand],
      [20, () => `${brand()} ${legal()}`],
      [18, () => `${brand()} ${random.pick(trades)}`],
      [6, () => `${brand()} ${random.pick(trades)} ${legal()}`],
      [6, () => `${people.family()} ${random.pick(["&", "and"])} ${people.family()}`],
      [4, () => `${people.family()}, ${people.family()} and ${people.family()}`],
      [6, () => `${people.family()}-${people.family()}`],
      [6, () => `${word()} ${word()}`],
      [4, () => `${word()} ${word()} ${legal()}`],
      [5, () => `${random.pick(heads)} ${random.isLucky(0.6) ? random.pick(lists.cities) : word()}`],
      [4, () => `${random.pick(lists.cities)} ${random.pick(trades)}`],
    ])();
}
