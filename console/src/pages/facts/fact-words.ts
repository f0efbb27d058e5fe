import type { Fact } from "../../../../src/contract/fact.ts";
import { dateOf } from "../../words/times.ts";

/** The day of an instant where the source writes its dates, with the time where it is not that day's first moment. */
export function dayIn(at: number, zone: string): string {
  const date = dateOf(at);
  const day = new Intl.DateTimeFormat("en-GB", { timeZone: zone, dateStyle: "medium" }).format(date);
  const time = new Intl.DateTimeFormat("en-GB", { timeZone: zone, hour: "2-digit", minute: "2-digit" }).format(date);
  return time === "00:00" ? day : `${day} ${time}`;
}

/** Since when and until when a fact is true, in the zone of its source. */
export function windowWords({ validFrom, validTo, zone }: Pick<Fact, "validFrom" | "validTo" | "zone">): string {
  const from = `from ${dayIn(validFrom, zone)}`;
  return validTo === null ? `${from}, until further notice` : `${from} until before ${dayIn(validTo, zone)}`;
}

/** Who can write into the source of a fact. */
export function labelWords({ label }: Pick<Fact, "label">): string {
  return words[label];
}

const words: Readonly<Record<Fact["label"], string>> = {
  own: "written within the house",
  directory: "written by the directory",
  system: "written by a system of record",
  shared: "can be written by several",
  third: "can be written by a third party",
  secret: "kept secret",
};
