import type { Json } from "../../../../src/contract/json.ts";
import type { ItemView } from "../../../../src/contract/review-evidence.ts";
import { plainName, plainValue } from "../../words/plain.ts";
import { dateOf, timeWords } from "../../words/times.ts";

/** What a piece of evidence says, in the lines of a card. */
export interface EvidenceWords {
  readonly title: string;
  /** Where it stands, and when it was read. */
  readonly place: string;
  readonly text: string;
  /** The words are quoted from a text. */
  readonly isQuote: boolean;
  /** How far it holds. */
  readonly foot: string;
}

/** The words of a piece of evidence; times in UTC, the window of a fact in the zone of its source. */
export function evidenceWords(item: ItemView, now: number): EvidenceWords {
  switch (item.kind) {
    case "passage":
      return {
        title: `${item.title} ${item.version}`,
        place: joined(item.section, item.page === null ? "" : `page ${item.page}`),
        text: item.quote,
        isQuote: true,
        foot: joined(item.isCurrent ? "Current when read." : "Not in force when read.", accessWords(item.accessCheckedAt, now)),
      };
    case "record":
      return {
        title: item.title,
        place: `${item.query}, read ${timeWords(item.readAt, now)} UTC`,
        text: fieldsInWords(item.fields),
        isQuote: false,
        foot: joined("As it was when read.", thirdWords(item.fields)),
      };
    case "fact":
      return {
        title: `${item.subject}, ${plainName(item.predicate).toLowerCase()}`,
        place: `${item.title}, ${windowWords(item)}`,
        text: item.object,
        isQuote: false,
        foot: joined(
          `Reference time ${timeWords(item.at, now, false)} UTC.`,
          item.isInConflict ? "Sources contradict each other here." : "",
          item.hasLater ? "A later value exists; it does not apply at that time." : "",
        ),
      };
    case "memory":
      return {
        title: "Remembered",
        place: `${item.remembered}, ${timeWords(item.at, now, false)} UTC`,
        text: item.text,
        isQuote: true,
        foot: "Kept from an earlier turn, not from a source.",
      };
  }
}

/** Who can write a field of a record, where that is somebody outside. */
export function labelWords(label: string): string {
  return label === "third" ? "can be written by a third party" : label === "shared" ? "can be written by several" : "";
}

/** The window in which a fact is true. */
function windowWords({ validFrom, validTo, zone }: Extract<ItemView, { kind: "fact" }>): string {
  const day = new Intl.DateTimeFormat("en-GB", { timeZone: zone, dateStyle: "medium" });
  const from = `from ${day.format(dateOf(validFrom))}`;
  return validTo === null ? `${from}, no end` : `${from} until before ${day.format(dateOf(validTo))}`;
}

function fieldsInWords(fields: readonly { readonly name: string; readonly value: Json }[]): string {
  const shown = fields.filter(({ value }) => value !== null).slice(0, 5);
  const words = shown.map(({ name, value }) => `${plainName(name).toLowerCase()} ${plainValue(value)}`).join(", ");
  const rest = fields.length - shown.length;
  return rest > 0 ? `${words}, and ${rest} more` : words;
}

function thirdWords(fields: readonly { readonly label: string }[]): string {
  return fields.some(({ label }) => label === "third") ? "Holds fields from a third party." : "";
}

function accessWords(at: number | null, now: number): string {
  return at === null ? "" : `Access checked ${timeWords(at, now, false)} UTC.`;
}

function joined(...words: readonly string[]): string {
  return words.filter((word) => word !== "").join(words.every((word) => word === "" || word.endsWith(".")) ? " " : ", ");
}
