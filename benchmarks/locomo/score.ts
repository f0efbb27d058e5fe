import type { Passage } from "../../src/contract/context.ts";
import { type Conversation, passagesOf, turnIds } from "./conversation.ts";

/** Of one question: which share of its evidence was found, and of what kind it is. */
export interface QuestionScore {
  readonly category: number;
  readonly at5: number;
  readonly at10: number;
  /** Says whether the dates of the sessions of what was found among its evidence came with it. */
  readonly datesShown: boolean;
}

/** Means over questions, of 100. */
export interface RecallScore {
  readonly at5: number;
  readonly at10: number;
  readonly byCategory: readonly {
    readonly category: number;
    readonly questions: number;
    readonly at5: number;
    readonly at10: number;
  }[];
  /** Of the questions about time that found evidence, the share where it came with the date of its session. */
  readonly datesShown: number | null;
}

/** Scores what was found for a question, best first. Evidence that names no turn of the conversation cannot be found, and counts. */
export function scoreQuestion({
  question: { category, evidence },
  conversation,
  found,
}: {
  question: { readonly category: number; readonly evidence: readonly string[] };
  conversation: Conversation;
  found: readonly Passage[];
}): QuestionScore {
  const ids = turnIds(conversation);
  const prefix = passagesOf(conversation);
  const turns = found.map(({ id }) => (id.startsWith(prefix) ? ids[Number(id.slice(prefix.length)) - 1] : undefined));
  const share = (limit: number) => evidence.filter((id) => turns.slice(0, limit).includes(id)).length / evidence.length;
  const dates = new Set(conversation.sessions.map(({ date_time: date }) => date));
  const datesShown = found.every(({ section }, at) => !evidence.includes(turns[at] ?? "") || dates.has(section));
  return { category, at5: share(5), at10: share(10), datesShown };
}

/** Adds up the scores of questions. */
export function addUp(scores: readonly QuestionScore[]): RecallScore {
  const categories = [...new Set(scores.map(({ category }) => category))].sort();
  const temporal = scores.filter(({ category, at10 }) => category === 2 && at10 > 0);
  return {
    ...meansOf(scores),
    byCategory: categories.map((category) => {
      const own = scores.filter((score) => score.category === category);
      return { category, questions: own.length, ...meansOf(own) };
    }),
    datesShown: temporal.length === 0 ? null : percent(temporal.filter(({ datesShown }) => datesShown).length / temporal.length),
  };
}

function meansOf(scores: readonly QuestionScore[]): { at5: number; at10: number } {
  const mean = (of: (score: QuestionScore) => number) =>
    percent(scores.reduce((sum, score) => sum + of(score), 0) / Math.max(1, scores.length));
  return { at5: mean(({ at5 }) => at5), at10: mean(({ at10 }) => at10) };
}

function percent(share: number): number {
  return Math.round(share * 1_000) / 10;
}
