import type { FactQuestion } from "../../../../src/contract/look-up.ts";
import type { Search } from "../../shell/search.ts";
import { instantOf } from "../../words/instants.ts";

/** A question about facts as it is typed; it stands in the address, so that it can be sent on. Times are days and times in UTC. */
export interface TypedQuestion {
  readonly subject: string;
  /** With commas between them; all where it is empty. */
  readonly predicates: string;
  /** Never left out. */
  readonly at: string;
  /** As it is known now where it is empty. */
  readonly knownAt: string;
  readonly steps: string;
}

/** How far the form offers to walk along relations; the API refuses what is more than it takes. */
export const stepChoices = ["1", "2", "3", "4", "5", "6"] as const;
/** Facts that one question asks for; the answer says where there are more. */
const askedFor = 100;

/** Reads what was typed from the address; the time that is asked about begins as `usualAt`. */
export function typedOf(search: Search, usualAt: string): TypedQuestion {
  return {
    subject: search["subject"] ?? "",
    predicates: search["predicates"] ?? "",
    at: search["at"] ?? usualAt,
    knownAt: search["known"] ?? "",
    steps: search["steps"] ?? "1",
  };
}

/** The same as the address holds it; what was opened of an earlier question is left. */
export function addressOf({ subject, predicates, at, knownAt, steps }: TypedQuestion): Search {
  return {
    ...{ subject: subject.trim(), predicates: predicates.trim() || undefined, at, known: knownAt || undefined },
    ...{ steps: steps === "1" ? undefined : steps, fact: undefined },
  };
}

type Read = { readonly asked: FactQuestion; readonly why: null } | { readonly asked: null; readonly why: string };

/** What was typed as a question, or what is still wrong with it in words. */
export function questionOf({ subject, predicates, at, knownAt, steps }: TypedQuestion, now: number): Read {
  if (subject.trim() === "") return wrong("Say who or what is asked about, such as employee:emp-104.");
  const instant = instantOf(at);
  if (instant === null) return wrong("Say as of when; facts are true within a window, so there is no answer without a time.");
  const known = knownAt === "" ? undefined : instantOf(knownAt);
  if (known === null) return wrong("The time of knowing is no day and time.");
  if (known !== undefined && known > now) return wrong("What will be known then, nobody knows yet.");
  const far = stepChoices.indexOf(steps as (typeof stepChoices)[number]) + 1; // what is no choice is 0
  if (far === 0) return wrong(`From ${stepChoices[0]} to ${stepChoices.at(-1)} steps.`);
  const names = predicates
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  if (names.length > 50) return wrong("At most 50 predicates.");
  return {
    asked: {
      subject: subject.trim(),
      predicates: names.length === 0 ? "all" : names,
      at: instant,
      limit: askedFor,
      ...(known === undefined ? {} : { asKnownAt: known }),
      ...(far === 1 ? {} : { steps: far }),
    },
    why: null,
  };
}

function wrong(why: string): Read {
  return { asked: null, why };
}
