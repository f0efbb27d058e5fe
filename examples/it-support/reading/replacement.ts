/** The scripted model's way with replacements: the device that is named, why, and what the policy that it was shown says of it. */
import { categoriesIn } from "./devices.ts";
import {
  type Asked,
  allowedWords,
  passagesIn,
  requestOf,
  rowsIn,
  type ShownPassage,
  type ShownRow,
  type ShownSource,
  sourcesOf,
} from "./sources.ts";
import { holdsWord } from "./words.ts";

const reasonWords: Readonly<Record<string, readonly string[]>> = {
  lost: ["lost", "stole", "stolen", "verloren"],
  defective: ["defective", "broken", "dead", "stopped", "cracked", "kaputt", "torn"],
  worn_out: ["worn", "old", "tired", "abgenutzt", "flickers"],
};
const accessories = ["mouse", "keyboard", "headset"];

/** A choice from what stands in the prompt. */
export function readReplacement(asked: Asked): string {
  const text = requestOf(asked).replace(/\{[^}]*\}/g, " ");
  const sources = sourcesOf(asked);
  const { device, isSure } = deviceIn(text, rowsIn(sources, "devices.ofPerson"));
  const reason = reasonIn(text, allowedWords(asked, "reason"));
  const ruling = rulingOn({ device, reason: reason.word, sources });
  return JSON.stringify({
    ...{ device: device?.row["id"] ?? "dev-0", reason: reason.word, eligible: ruling.eligible, policy: ruling.policy },
    note: `The request names the ${String(device?.row["category"] ?? "device")}; the reason is "${reason.word}".`,
    confidence: isSure && reason.isSure ? 95 : 10,
  });
}

/**
 * By asset tag, else by the word of a category; where that leaves a choice, the first, and it is not sure. Of two kinds of device it names
 * none, since a proposal is about one. What is not among the records is no device.
 */
function deviceIn(text: string, rows: readonly ShownRow[]): { readonly device: ShownRow | undefined; readonly isSure: boolean } {
  const tags: readonly string[] = text.toUpperCase().match(/\b[A-Z]{2}-\d{4}\b/g) ?? [];
  const tagged = rows.filter(({ row }) => tags.includes(String(row["asset_tag"])));
  if (tags.length > 0) return { device: tagged[0], isSure: tagged.length === 1 };
  const categories = categoriesIn(text);
  const named = rows.filter(({ row }) => categories.includes(String(row["category"])));
  return { device: categories.length > 1 ? undefined : named[0], isSure: named.length === 1 };
}

function reasonIn(text: string, allowed: readonly string[]): { readonly word: string; readonly isSure: boolean } {
  const said = allowed.filter((word) => holdsWord(text, ...(reasonWords[word] ?? [])));
  return { word: said[0] ?? allowed[0] ?? "unknown", isSure: said.length === 1 };
}

function rulingOn({
  device,
  reason,
  sources,
}: {
  device: ShownRow | undefined;
  reason: string;
  sources: readonly ShownSource[];
}): { readonly eligible: boolean; readonly policy: string } {
  const category = String(device?.row["category"]);
  const isAccessory = accessories.includes(category);
  const section = sectionFor({ isAccessory, reason });
  const passage = passagesIn(sources).find((one) => section.test(one.section));
  const policy = passage?.id ?? "none";
  const today = newestDate(sources);
  if (device === undefined || passage === undefined) return { eligible: false, policy };
  if (reason === "defective") return { eligible: isAccessory || !isUnderWarranty(device, sources, today), policy };
  if (reason === "lost" && !isAccessory) return { eligible: false, policy };
  return { eligible: monthsOld(device, today) >= monthsNeeded(passage, category), policy };
}

function sectionFor({ isAccessory, reason }: { isAccessory: boolean; reason: string }): RegExp {
  if (isAccessory) return /accessories/i;
  if (reason === "defective") return /warranty/i;
  return reason === "lost" ? /lost/i : /laptops/i;
}

/** The number of months that the passage names after the category. */
function monthsNeeded({ text }: ShownPassage, category: string): number {
  const said = new RegExp(`${category}[^.]*?(\\d+) months`, "i").exec(text.replace(/\s+/g, " "));
  return said === null ? Number.POSITIVE_INFINITY : Number(said[1]);
}

function isUnderWarranty({ row }: ShownRow, sources: readonly ShownSource[], today: string): boolean {
  const warranty = rowsIn(sources, "warranties.ofPerson").find((one) => one.row["device"] === row["id"]);
  return String(warranty?.row["ends_on"] ?? "") >= today;
}

/** No prompt says what day it is; the last change of a ticket is the newest day that the model has seen. */
function newestDate(sources: readonly ShownSource[]): string {
  const days = rowsIn(sources, "tickets.ofPerson").map(({ row }) => String(row["updated_on"]));
  return days.toSorted().at(-1) ?? "";
}

function monthsOld({ row }: ShownRow, today: string): number {
  const month = (day: string): number => 12 * Number(day.slice(0, 4)) + Number(day.slice(5, 7));
  return month(today) - month(String(row["bought_on"]));
}
