import { z } from "zod";
import { readLines, setFile } from "../schema/read-lines.ts";

const question = z.object({
  id: z.string(),
  doc_id: z.string(),
  property: z.string(),
  years_in_question: z.array(z.int()),
  answerable: z.boolean(),
  answers: z.array(z.object({ text: z.string() })),
});
export type Question = z.infer<typeof question>;

/** A statement of the set with its window: whole years, the last one included. */
export interface Statement {
  readonly subject: string;
  readonly predicate: string;
  readonly object: string;
  readonly first: number;
  readonly last: number;
}

/** A stretch of years in which the set says that nothing is known. */
export interface Unanswerable extends Omit<Statement, "object"> {
  readonly id: string;
}

/** What of the set has a window that is well-formed: two years, the first not after the last. */
export interface TimeCases {
  readonly questions: number;
  readonly statements: readonly Statement[];
  readonly unanswerable: readonly Unanswerable[];
  /** Questions without such a window, which are left out. */
  readonly leftOut: number;
}

/** Reads a split; `null` where it is not there. */
export async function readTimeCases(data: string, split: "open" | "held"): Promise<TimeCases | null> {
  const questions = await readLines(setFile(data, { set: "timeqa", split, file: "questions.jsonl" }), question);
  if (questions === null) return null;
  const windowed = questions.flatMap((one) => {
    const [first, last, more] = one.years_in_question;
    return first === undefined || last === undefined || more !== undefined || first > last ? [] : [{ one, first, last }];
  });
  const place = (one: Question, first: number, last: number) => ({
    ...{ subject: one.doc_id, predicate: one.property.toLowerCase(), first, last },
  });
  const statements = windowed.flatMap(({ one, first, last }) =>
    one.answerable ? one.answers.map(({ text: object }) => ({ ...place(one, first, last), object })) : [],
  );
  const unanswerable = windowed.flatMap(({ one, first, last }) =>
    one.answerable ? [] : [{ ...place(one, first, last), id: one.id }],
  );
  return {
    questions: questions.length,
    statements: distinct(statements),
    unanswerable,
    leftOut: questions.length - windowed.length,
  };
}

/** Two questions may ask for the same in other words. */
function distinct(statements: readonly Statement[]): Statement[] {
  return [...new Map(statements.map((one) => [JSON.stringify(one), one])).values()];
}
