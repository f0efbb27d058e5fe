import { type GivenAnswer, keepAnswer } from "../../ledger/review-answers.ts";
import type { Answered, Answering, Signing } from "./answering.ts";

/** What an answer was, and how long the person had it before their eyes, in milliseconds, where the console told. */
export interface Timed {
  readonly answer: GivenAnswer["answer"];
  readonly viewedMs: number | null;
}

/** An answer that also keeps, in its transaction, what it took. */
export function timed(
  { answer, viewedMs }: Timed,
  work: (answering: Answering, signing: Signing) => Promise<Answered>,
): (answering: Answering, signing: Signing) => Promise<Answered> {
  return async (answering, signing) => {
    const answered = await work(answering, signing);
    const { tx, decisionId, now, principal } = answering;
    const [entryId] = answered.entryIds;
    const of = { tenant: principal.tenant, decisionId, principal: principal.id, answer, viewedMs, now };
    if (entryId !== undefined) await keepAnswer(tx, { ...of, entryId });
    return answered;
  };
}
