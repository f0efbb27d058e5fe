import type { ExplainedOperation } from "../../../../src/contract/explanation.ts";
import { resolvedWords } from "../../words/states.ts";
import { endReason, faultWords } from "./operation-words.ts";

/** One thing that was tried or seen, by the time at which it was recorded. */
export interface Tried {
  readonly key: string;
  readonly at: number;
  readonly words: string;
}

/** What was tried so far, oldest first; looks that found the same one after the other are told together. */
export function triedOf(course: ExplainedOperation, nameOf: (id: string) => string): readonly Tried[] {
  const sends = course.sends.flatMap(({ entryId, at, attempt, fence, credential, response }): Tried[] => {
    const how = [
      attempt === null ? "" : `try ${attempt}`,
      credential === null ? "" : `with ${credential}`,
      fence === null ? "" : `fence ${fence}`,
    ];
    const sent = { key: `${entryId} sent`, at, words: `sent, ${how.filter((one) => one !== "").join(", ")}` };
    if (response === null) return [sent];
    const named = response.targetId === null ? "" : `: ${response.targetId}`;
    return [sent, { key: `${entryId} answered`, at: response.at, words: `the target answered${named}` }];
  });
  const ends = course.ends.map(({ entryId, at, kind, reason, owner, by, outcome }) => ({
    key: entryId,
    at,
    words: endWords({ kind, reason, owner, by: by === null ? null : nameOf(by), outcome }),
  }));
  return [...sends, ...looksOf(course), ...ends].toSorted((one, other) => one.at - other.at);
}

/** Looks with the same finding in a row: the first of them, and how many more there were until when. */
function looksOf({ looks }: ExplainedOperation): readonly Tried[] {
  const told: (Tried & { readonly more: number })[] = [];
  for (const look of looks) {
    const words = lookWords(look);
    const last = told.at(-1);
    if (last !== undefined && last.words === words) told[told.length - 1] = { ...last, more: last.more + 1 };
    else told.push({ key: look.entryId, at: look.at, words, more: 0 });
  }
  return told.map(({ more, words, ...rest }) => ({
    ...rest,
    words: more === 0 ? words : `${words}; the same ${more} more ${more === 1 ? "time" : "times"}`,
  }));
}

function lookWords({ verdict, fault, joins, next }: ExplainedOperation["looks"][number]): string {
  if (fault !== null) return `read, could not be made: ${faultWords(fault)}`;
  const joined = joins === null ? "" : ", made by an earlier operation of the same change";
  const undone = next === null ? "" : "; it is to be undone";
  return `read: ${verdict ?? "nothing that tells"}${joined}${undone}`;
}

type End = Pick<ExplainedOperation["ends"][number], "kind" | "reason" | "owner" | "by" | "outcome">;

function endWords({ kind, reason, owner, by, outcome }: End): string {
  switch (kind) {
    case "escalated":
      return `left to people${owner === null ? "" : `, ${owner} was called`}. ${endReason(reason)}`;
    case "resolved":
      return `${by ?? "A person"} said: ${outcome === null ? "what became of it" : resolvedWords[outcome].told}${reason === null ? "" : ` (“${reason}”)`}`;
    case "compensated":
      return "seen to be undone";
    case "refused":
      return `refused, nothing more is sent. ${endReason(reason)}`;
  }
}
