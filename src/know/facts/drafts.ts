import { CountersignError } from "../../contract/errors.ts";
import type { FactDraft } from "../../contract/fact.ts";
import { endOf, instantOf, isInstant, type Window } from "../../contract/instant.ts";
import { isKeepableText } from "../../contract/json.ts";

/** A fact that was looked at: its texts can be kept, and its window is one of instants. */
export type CheckedFact = Pick<FactDraft, "subject" | "predicate" | "object" | "scopes"> & Window;

/**
 * Checks a fact as a source tells it; a date without an offset is one of the source's zone. Throws `bad_request` for a fact that is none,
 * and `reference_time_invalid` for its dates.
 */
export function checkDraft({ subject, predicate, object, scopes, ...dates }: FactDraft, zone: string): CheckedFact {
  checkTexts({ subject, predicate, object, scopes });
  return { subject, predicate, object, scopes, ...windowIn(dates, zone) };
}

function checkTexts({
  subject,
  predicate,
  object,
  scopes,
}: Pick<FactDraft, "subject" | "predicate" | "object" | "scopes">): void {
  const isText = (text: unknown, most: number) =>
    typeof text === "string" && isKeepableText(text) && Buffer.byteLength(text) <= most;
  if (!isText(subject, 200) || subject === "" || !isText(predicate, 63) || !isText(object, 1000))
    throw bad("a fact has a subject, a predicate and an object, all of them text that can be kept");
  checkScopes(scopes);
}

/** Refuses, with `bad_request`, labels that nobody could have. */
export function checkScopes(scopes: readonly string[]): void {
  const isLabel = (one: unknown) => typeof one === "string" && one !== "" && one.length <= 200 && isKeepableText(one);
  if (!Array.isArray(scopes) || scopes.length === 0 || !scopes.every(isLabel))
    throw bad("a fact has at least one label that may see it");
}

/** The window as instants: a date without an offset is one of the source's zone. */
function windowIn(
  { validFrom, validTo, validToIsIncluded = false }: Omit<FactDraft, "subject" | "predicate" | "object" | "scopes">,
  zone: string,
): Window {
  if (validToIsIncluded && typeof validTo === "number") throw bad("an instant has no length that could be included");
  const from = typeof validFrom === "string" ? instantOf(validFrom, zone) : validFrom;
  const end = typeof validTo === "string" ? endOf(validTo, { zone, isIncluded: validToIsIncluded }) : validTo;
  if (!isInstant(from) || (end !== null && !(isInstant(end - 1) && end > from)))
    throw new CountersignError(
      "reference_time_invalid",
      "a fact's window is `[from, to)` in whole milliseconds, and holds some time",
    );
  return { from, to: end };
}

function bad(message: string): CountersignError {
  return new CountersignError("bad_request", message);
}
