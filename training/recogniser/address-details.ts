import { pickWeighted, type Random } from "./random.ts";
import { digitsOf } from "./streets.ts";

const unitWords = [
  ...["Apt.", "Apt", "Suite", "Ste.", "Unit", "Flat", "Room", "Apartment", "#", "Floor", "Fl.", "Bldg", "Wohnung", "Top", "Appt"],
  ...["Piso", "Interno", "Lgh", "Leil.", "m.", "Lakás", "Byt", "Bus", "apto", "Box", "Lot", "Stiege", "Bât.", "Esc."],
];
const boxWords = [
  ...["P.O. Box", "PO Box", "P O Box", "Postbox", "Postfach", "Postbus", "Postboks", "BP", "Apartado", "Casella postale"],
  ...["Caixa Postal", "Box", "GPO Box", "Private Bag", "Skrytka pocztowa", "Pf."],
];

/** A flat, a floor or a room. */
export function unitOf(random: Random): string {
  const digits = (most: number) => digitsOf(random, most);
  const letter = random.isLucky(0.15) ? random.pick([..."ABCD"]) : "";
  const number = `${digits(3).padStart(random.isLucky(0.4) ? 3 : 1, "0")}${letter}`;
  const word = random.pick(unitWords);
  return pickWeighted(random, [
    [80, `${word}${word === "#" ? "" : " "}${number}`],
    [6, `${digits(1)}${random.pick(["nd", "rd", "th", "st"])} Floor`],
    [5, `${digits(1)}. ${random.pick(["OG", "Stock", "em.", "th", "tv", "patro"])}`],
    [4, `${digits(1)}º ${random.pick(["A", "B", "Dcha", "Esq"])}`],
  ]);
}

/** A box at a post office. */
export function boxOf(random: Random): string {
  return `${random.isLucky(0.12) ? `${digitsOf(random, 4)} ` : ""}${random.pick(boxWords)} ${digitsOf(random, 4)}`;
}

/** Of forces abroad, in the forms of the United States' and the British post. */
export function militaryOf(random: Random): string {
  const four = () => String(1000 + random.below(9000));
  const first = random.pick([
    `PSC ${four()}, Box ${four()}`,
    `Unit ${four()} Box ${four()}`,
    `CMR ${digitsOf(random, 3)} Box ${four()}`,
    `USS ${random.pick(["Carver", "Halden", "Morrow"])}`,
    `BFPO ${digitsOf(random, 3)}`,
  ]);
  const code = String(9000 + random.below(90_000)).padStart(5, "0");
  const last = `${random.pick(["APO", "FPO", "DPO"])} ${random.pick(["AE", "AP", "AA"])} ${code}`;
  return `${first}${random.pick(["\n", "\n", ", ", " "])}${last}`;
}

const postcodeForms: readonly (readonly [number, string])[] = [
  ...([
    [45, "#####"],
    [15, "####"],
    [6, "### ##"],
    [6, "##-###"],
    [5, "#####-####"],
    [6, "country"],
    [5, "@#@ #@#"],
    [4, "######"],
    [3, "#### @@"],
    [5, "british"],
  ] as const),
];

/** A postcode of some country. */
export function postcodeOf(random: Random): string {
  const form = pickWeighted(random, postcodeForms);
  if (form === "british") {
    const area = random.pick(["SW", "N", "EC", "M", "LS", "BS", "G", "CF", "NR"]);
    return `${area}${1 + random.below(20)} ${random.below(10)}${random.pick([..."ABDEFG"])}${random.pick([..."HJLNPQ"])}`;
  }
  if (form === "country") {
    const country = random.pick(["LV-", "LT-", "MD-", "AZ", "L-", "CH-", "D-", "A-", "SI-", "FI-"]);
    return `${country}${1000 + random.below(9000)}`;
  }
  const mark = (one: string) =>
    one === "#" ? String(random.below(10)) : one === "@" ? random.pick([..."ABCEGHJKLMNPRSTVXY"]) : one;
  return [...form].map(mark).join("");
}
