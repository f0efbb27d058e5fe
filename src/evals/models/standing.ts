import type { CatalogueEntry } from "../../contract/model-catalogue.ts";
import type { ListedModel } from "./inventory.ts";
import { datesSource, type KnownDate, knownDates, lastTrainingOn } from "./known-dates.ts";

/**
 * How a model stands: `unknown` is not `active`, and `deprecated` is not `retired`. Unknown: nobody was asked, or nobody says a thing of it.
 * Active: its provider lists it and has announced no end. Deprecated: an end is announced and it still answers. Retired: it does not answer.
 */
export interface Standing {
  readonly model: ListedModel;
  readonly state: "unknown" | "active" | "deprecated" | "retired";
  /** The day on which it stops to answer; `null` where nobody says. */
  readonly shutdownOn: string | null;
  /** Days from today to that day, below 0 where it is over. */
  readonly daysLeft: number | null;
  /** The last day on which a fine-tuned one can be trained anew; `null` where it is none, or nobody says. */
  readonly lastTrainingOn: string | null;
  readonly replacement: string | null;
  /** Where that is said; `null` where nobody says it. */
  readonly source: string | null;
  /** The end is so near that another model has to be tried, or over: the check fails. */
  readonly isDue: boolean;
  /** Its provider's list was read and does not hold it, and nobody says that it is over: a wrong id, or gone without a word. */
  readonly isUnlisted: boolean;
}

/** So many days before its end another model has to be tried. */
export const retestWindowDays = 90;

/** What a provider's own list said, by the name that the project gives the provider; `null` where it could not be read or was not asked. */
export type Catalogues = ReadonlyMap<string, readonly CatalogueEntry[] | null>;

/** Says how a model stands on a day, by its author's word, its provider's list and the shipped dates; of several ends the earliest holds. */
export function standingOf(model: ListedModel, { catalogues, today }: { catalogues: Catalogues; today: string }): Standing {
  const { vendor, id, base, provider } = model;
  // A fine-tuned model ends with its base, and a deployment with the model behind it.
  const behind = base ?? id;
  const listed = catalogues.get(provider) ?? null;
  const entries = (listed ?? []).filter((one) => one.id === id || one.id === behind);
  const known = knownDates.find((one) => one.vendor === vendor && one.id === behind);
  const ends = endsOf({ own: model.shutdownOn, entries, known });
  const end = ends.toSorted((a, b) => a.on.localeCompare(b.on, "en"))[0] ?? null;
  const shutdownOn = end?.on ?? null;
  const daysLeft = shutdownOn === null ? null : daysBetween(today, shutdownOn);
  const state = stateOf({ listed, entries, daysLeft });
  return {
    ...{ model, state, shutdownOn, daysLeft },
    lastTrainingOn: base === null ? null : (model.lastTrainingOn ?? (vendor === null ? null : lastTrainingOn[vendor])),
    replacement: known?.replacement ?? null,
    source: end?.source ?? sourceOf(entries),
    isDue: state === "retired" || isNear(daysLeft, entries),
    isUnlisted: listed !== null && entries.length === 0 && state !== "retired",
  };
}

function stateOf({
  listed,
  entries,
  daysLeft,
}: {
  listed: readonly CatalogueEntry[] | null;
  entries: readonly CatalogueEntry[];
  daysLeft: number | null;
}): Standing["state"] {
  if (daysLeft !== null && daysLeft <= 0) return "retired";
  if (entries.some(({ isRetired }) => isRetired)) return "retired";
  if (daysLeft !== null || entries.some(({ isEnding }) => isEnding)) return "deprecated";
  return listed !== null && entries.length > 0 ? "active" : "unknown";
}

/** An end without a day may come any day; one with a day is near from the window on. */
function isNear(daysLeft: number | null, entries: readonly CatalogueEntry[]): boolean {
  return daysLeft === null ? entries.some(({ isEnding }) => isEnding) : daysLeft <= retestWindowDays;
}

/** Every day on which somebody says that it ends, with who says it. */
function endsOf({
  own,
  entries,
  known,
}: {
  own: string | null;
  entries: readonly CatalogueEntry[];
  known: KnownDate | undefined;
}): readonly { readonly on: string; readonly source: string }[] {
  return [
    ...(own === null ? [] : [{ on: own, source: "models.yaml" }]),
    ...entries.flatMap(({ shutdownOn: on, source }) => (on === null ? [] : [{ on, source }])),
    ...(known === undefined ? [] : [{ on: known.shutdownOn, source: datesSource[known.vendor] }]),
  ];
}

/** Who says how it stands where nobody says a day. */
function sourceOf(entries: readonly CatalogueEntry[]): string | null {
  return (entries.find(({ isEnding, isRetired }) => isEnding || isRetired) ?? entries[0])?.source ?? null;
}

/** Whole days from one day to another, both as `YYYY-MM-DD`, in UTC. */
function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / 86_400_000);
}
