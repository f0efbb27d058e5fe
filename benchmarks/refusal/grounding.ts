import { groundedness, sentencesOf } from "../../src/decide/answers/groundedness.ts";

/** How the check of grounding tells answers from their own passages apart from the same answers with another task's. Shares are of 100. */
export interface Grounding {
  readonly answers: number;
  /** The least share of an answer's sentences that must be borne out, of 100. */
  readonly bar: number;
  readonly ownPass: number;
  readonly othersRejected: number;
}

/** A reference answer with the passages that it was written from. */
export interface GroundedAnswer {
  readonly text: string;
  readonly passages: readonly { readonly id: string; readonly text: string }[];
}

/** Answers of people are in other words than their passages, and carry courtesies: half of their sentences is what the check asks of them. */
const bar = 50;
/** How far away in the list the other task stands, so that it is none of the same dialogue. */
const apart = 57;

/** Holds each answer against its own passages, and against those of another task that has none of them. */
export function groundingOf(answers: readonly GroundedAnswer[]): Grounding {
  const own = answers.map((answer) => isGrounded(answer.text, answer.passages));
  const others = answers.map((answer, at) => isGrounded(answer.text, otherPassages(answers, at)));
  const share = (held: readonly boolean[]): number => Math.round((1000 * held.filter(Boolean).length) / held.length) / 10;
  return { answers: answers.length, bar, ownPass: share(own), othersRejected: share(others.map((one) => !one)) };
}

function otherPassages(answers: readonly GroundedAnswer[], at: number): GroundedAnswer["passages"] {
  const mine = new Set(answers[at]?.passages.map(({ id }) => id));
  const inTurn = answers.map((_, step) => answers[(at + apart + step) % answers.length]?.passages ?? []);
  return inTurn.find((passages) => passages.length > 0 && passages.every(({ id }) => !mine.has(id))) ?? [];
}

function isGrounded(text: string, passages: GroundedAnswer["passages"]): boolean {
  const items = passages.map(({ id, text: said }) => ({
    ...{
      kind: "passage" as const,
      id,
      need: "reference",
      document: id,
      title: "",
      version: "1",
      section: "",
      text: said,
      score: 1,
    },
  }));
  const statements = sentencesOf(
    text,
    items.map(({ id }) => id),
  );
  return groundedness(statements, { items }).ppm >= bar * 10_000;
}
