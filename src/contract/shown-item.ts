import { type ContextItem, labelOf, type RecordRow } from "./context.ts";
import type { Fact } from "./fact.ts";
import { localText } from "./instant.ts";
import type { Json, JsonObject } from "./json.ts";
import type { Remembered } from "./memory.ts";

/**
 * A piece of context as a model may be shown it. A fact comes with its window, the reference time and a note of what does not apply; a
 * field that is labelled secret does not come at all.
 */
export function shownItem(item: ContextItem): JsonObject {
  switch (item.kind) {
    case "passage":
      return { id: item.id, document: `${item.title} ${item.version}`, section: item.section, text: item.text };
    case "record":
      return { id: item.id, need: item.need, row: openFields(item) };
    case "fact":
      return shownFact(item);
    case "memory":
      return { id: item.id, remembered: item.of, ...aboutOf(item), at: new Date(item.at).toISOString(), text: item.text };
  }
}

/** What of a piece of context is text or value that an output may repeat: a record's fields with their names, all that is written elsewhere. */
export function contentOf(item: ContextItem): Json {
  switch (item.kind) {
    case "passage":
    case "memory":
      return item.text;
    case "record":
      return item.row;
    case "fact":
      return [item.subject, item.predicate, item.object, windowText(item)];
  }
}

/** The window of a fact in words, in the zone of its source. */
export function windowText({ validFrom, validTo, zone }: Pick<Fact, "validFrom" | "validTo" | "zone">): string {
  const from = localText(validFrom, zone);
  return validTo === null ? `from ${from} until further notice` : `from ${from} until before ${localText(validTo, zone)}`;
}

/** The value of a field of a fact, for bindings and claims; `undefined` for a name that it does not have. */
export function factField(fact: Fact, field: string): string | undefined {
  switch (field) {
    case "subject":
    case "predicate":
    case "object":
      return fact[field];
    case "from":
      return localText(fact.validFrom, fact.zone);
    case "until":
      return fact.validTo === null ? undefined : localText(fact.validTo, fact.zone);
    default:
      return undefined;
  }
}

function shownFact(fact: Fact): JsonObject {
  const { id, subject, predicate, object, zone, at, sourceTitle, path } = fact;
  const notes = notesOf(fact);
  return {
    ...{ id, subject, predicate, object, true: windowText(fact), asOf: localText(at, zone), source: sourceTitle },
    ...(path.length > 1 ? { path: [...path] } : {}),
    ...(notes.length > 0 ? { notes } : {}),
  };
}

function notesOf({ hasLater, isInConflict, isCutOff }: Fact): string[] {
  return [
    ...(hasLater ? ["A later value exists; it does not apply at the time that is asked about."] : []),
    ...(isInConflict ? ["Sources contradict each other here; a person has to say which is right."] : []),
    ...(isCutOff ? ["There are more of these than are listed."] : []),
  ];
}

function aboutOf({ about }: Remembered): JsonObject {
  return about === null ? {} : { about };
}

function openFields(record: RecordRow): Json {
  return Object.fromEntries(Object.entries(record.row).filter(([field]) => labelOf(record, field) !== "secret"));
}
