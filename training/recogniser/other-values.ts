import { type Faker, faker } from "@faker-js/faker";
import { pickWeighted, type Random } from "./random.ts";
import type { WordLists } from "./word-lists.ts";

const demonyms =
  "German French Spanish Italian Polish Czech Hungarian Danish Swedish Norwegian Finnish Dutch Belgian Swiss Austrian Greek Turkish Russian Ukrainian Romanian Bulgarian Serbian Croatian Slovenian Estonian Latvian Lithuanian Irish Scottish Welsh British English American Canadian Mexican Brazilian Argentine Chilean Peruvian Australian Japanese Chinese Korean Indian Pakistani Iranian Iraqi Saudi Egyptian Moroccan Tunisian Nigerian Kenyan Ghanaian Ethiopian European African Asian Nordic Baltic Catholic Jewish Muslim Buddhist Hindu".split(
    " ",
  );
const titles = [
  "Mr.",
  "Mr",
  "Mrs.",
  "Mrs",
  "Ms.",
  "Ms",
  "Miss",
  "Dr.",
  "Dr",
  "Prof.",
  "Professor",
  "Sir",
  "Herr",
  "Frau",
  "Mme",
  "M.",
  "Señor",
  "Sra.",
  "Sig.",
  "Sig.ra",
  "Rev.",
  "Judge",
  "Captain",
  "mr.",
  "mrs.",
  "ms.",
];

/** Makes what is no name, organisation or address: dates, numbers, words. */
export function openOtherValues(random: Random, lists: WordLists): Readonly<Record<string, () => string>> {
  faker.seed(random.below(2 ** 31));
  faker.setDefaultRefDate("2026-06-30T12:00:00.000Z");
  const capital = (word: string) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`;
  const word = () => random.pick(random.isLucky(0.6) ? lists.common : lists.ordinary);
  return {
    ...fromFaker(faker),
    date: () => dateOf(random, faker),
    demonym: () => random.pick(demonyms),
    title: () => random.pick(titles),
    word,
    Word: () => capital(word()),
    WORD: () => word().toUpperCase(),
    Words: () => Array.from({ length: 2 + random.below(3) }, () => capital(word())).join(" "),
    words: () => Array.from({ length: 2 + random.below(6) }, word).join(" "),
    id: () =>
      faker.helpers.replaceSymbols(
        random.pick(["??-#####", "#######", "???####", "##-####-##", "ORD-######", "INV-####", "#####"]),
      ),
    num: () => String(random.below(10 ** (1 + random.below(4)))),
    money: () =>
      `${random.pick(["$", "€", "£", "USD ", "EUR ", "CHF ", ""])}${random.below(20_000)}${random.pick(["", ".00", ".50", ",99", " EUR", "k"])}`,
    age: () => String(1 + random.below(98)),
    time: () => `${random.below(24)}:${String(random.below(60)).padStart(2, "0")}`,
    version: () => `${random.below(20)}.${random.below(30)}.${random.below(30)}`,
  };
}

function fromFaker({
  date,
  phone,
  internet,
  finance,
  commerce,
  person,
  hacker,
  company,
  git,
  system,
  vehicle,
  airline,
  animal,
  color,
  food,
  music,
  book,
  lorem,
}: Faker): Readonly<Record<string, () => string>> {
  return {
    month: () => date.month(),
    day: () => date.weekday(),
    phone: () => phone.number(),
    email: () => internet.email(),
    url: () => internet.url(),
    ip: () => internet.ipv4(),
    card: () => finance.creditCardNumber(),
    iban: () => finance.iban(),
    product: () => commerce.productName(),
    about: () => commerce.productDescription(),
    job: () => person.jobTitle(),
    tech: () => hacker.phrase(),
    slogan: () => company.catchPhrase(),
    hash: () => git.commitSha(),
    file: () => system.fileName(),
    car: () => vehicle.vehicle(),
    plane: () => airline.airplane().name,
    animal: () => animal.type(),
    colour: () => color.human(),
    dish: () => food.dish(),
    music: () => music.genre(),
    book: () => book.genre(),
    latin: () => lorem.sentence(),
  };
}

function dateOf(random: Random, { date }: Faker): string {
  const day = date.past({ years: 90 });
  const [iso = "", clock = ""] = day.toISOString().split(/[T.]/);
  const [year = "", month = "", number = ""] = iso.split("-");
  const name = date.month();
  return pickWeighted(random, [
    [20, iso],
    [10, `${iso} ${clock}`],
    [15, `${Number(month)}/${Number(number)}/${year}`],
    [15, `${number}.${month}.${year}`],
    [15, `${name} ${Number(number)}, ${year}`],
    [10, `${Number(number)} ${name} ${year}`],
    [10, year],
    [5, `${name} ${year}`],
  ]);
}
