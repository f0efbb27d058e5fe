import { type ContextItem, type LoadedContext, labelOf, type RecordRow } from "../../contract/context.ts";
import { fieldQuantity } from "../../contract/read-number.ts";
import { windowText } from "../../contract/shown-item.ts";
import { type Detail, detailsOf, plainText } from "./details.ts";
import { bearsOutMeasure, inOnes, type Measure } from "./measures.ts";
import { namesIn, wordsIn } from "./names.ts";
import { bearsOutDate } from "./spell-dates.ts";

/** What a source says, taken apart for looking things up in it. */
export interface Known {
  readonly details: readonly Detail[];
  readonly words: ReadonlySet<string>;
  /** The whole text in lower case, between spaces. */
  readonly text: string;
}

/** Takes a source apart. A field that is labelled secret, and what is remembered, says nothing. */
export function knownOf(item: ContextItem): Known {
  const text = sourceText(item);
  const measures = item.kind === "record" ? unitsOf(item) : [];
  const details: readonly Detail[] = [
    ...detailsOf(text),
    ...measures.map((measure): Detail => ({ kind: "number", text: "", measure })),
  ];
  return { details, words: new Set(wordsIn(plainText(text))), text: ` ${plainText(text).toLowerCase().replace(/\s+/g, " ")} ` };
}

/** Says whether a source bears out a detail of a claim. */
export function bearsOut(known: Known, said: Detail): boolean {
  switch (said.kind) {
    case "date":
      return known.details.some((one) => one.kind === "date" && bearsOutDate(one.date, said.date));
    case "time":
      return known.details.some((one) => one.kind === "time" && one.minutes === said.minutes) || holdsWhole(known, said.text);
    case "number":
      return known.details.some((one) =>
        one.kind === "number" ? bearsOutMeasure(one.measure, said.measure) : isYear(one, said),
      );
    case "identifier":
      return holdsWhole(known, said.text);
    case "name":
      return holdsName(known, said.text);
  }
}

/** Words that the sources use as names, in lower case. */
export function namesElsewhere({ items }: Pick<LoadedContext, "items">): ReadonlySet<string> {
  return new Set(items.flatMap((item) => namesIn(plainText(sourceText(item)))).map((name) => name.toLowerCase()));
}

/** The text of a source as far as it may be repeated. */
function sourceText(item: ContextItem): string {
  switch (item.kind) {
    case "passage":
      return `${item.title} ${item.version}\n${item.section}\n${item.text}`;
    case "record":
      return openFields(item)
        .map(
          ([field, value]) =>
            `${field.replaceAll("_", " ")}: ${typeof value === "object" ? JSON.stringify(value) : String(value)}`,
        )
        .join("\n");
    case "fact":
      return `${item.sourceTitle}\n${item.subject}\n${item.predicate.replaceAll("_", " ")}\n${item.object}\n${windowText(item)}`;
    case "memory":
      return "";
  }
}

function openFields(item: RecordRow): readonly (readonly [string, unknown])[] {
  return Object.entries(item.row).filter(([field, value]) => labelOf(item, field) !== "secret" && value !== null);
}

/** What a record's numbers are in is declared beside it, not written in it. */
function unitsOf(item: RecordRow): readonly Measure[] {
  return openFields(item).flatMap(([field, value]) => {
    const unit = item.units?.[field];
    const read = unit === undefined ? undefined : fieldQuantity({ value, row: item.row, unit });
    return read === undefined ? [] : [{ value: inOnes(read.value, read.scale), unit: read.unit, from: 0, to: 0 }];
  });
}

/** `2026` is borne out by any day of that year. */
function isYear(known: Detail, { measure }: Detail & { kind: "number" }): boolean {
  if (known.kind !== "date" || measure.unit !== "" || measure.value.denominator !== 1n) return false;
  return known.date.readings.some(({ year }) => year !== undefined && BigInt(year) === measure.value.numerator);
}

/** It stands there, and is no part of something longer. */
function holdsWhole({ text }: Known, said: string): boolean {
  const sought = said.toLowerCase();
  for (let at = text.indexOf(sought); at !== -1; at = text.indexOf(sought, at + 1)) {
    const [before, after] = [text.slice(at - 2, at), text.slice(at + sought.length, at + sought.length + 2)];
    if (!/(?:[\p{L}\p{N}]|[\p{L}\p{N}][._@/-])$/u.test(before) && !/^(?:[\p{L}\p{N}]|[._@/-][\p{L}\p{N}])/u.test(after))
      return true;
  }
  return false;
}

/** A name with or without an `s`: plurals and possessives without an apostrophe. */
function holdsName({ words }: Known, said: string): boolean {
  const name = said.toLowerCase();
  return words.has(name) || words.has(`${name}s`) || (name.endsWith("s") && words.has(name.slice(0, -1)));
}
