import type { Fact } from "../contract/fact.ts";

/** A fact by what it says, as `fact:employee:e-17/office=Porto`: its id is made by chance when it is written down. */
export function factName({ subject, predicate, object }: Pick<Fact, "subject" | "predicate" | "object">): string {
  return `fact:${subject}/${predicate}=${object}`;
}
