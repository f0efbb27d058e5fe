import type { Answer } from "./answers.ts";
import { type MisbehaviourName, misbehaviours } from "./misbehaviours.ts";
import { rollFrom } from "./roll.ts";

/**
 * Makes one instance of a misbehaviour: the same for the same seed, a whole number. Hand in as `good` the JSON of a reply that your
 * schema accepts, so that faults spoil what would have been accepted.
 * @example
 * const fenced = answerOf({ name: "cut_json", seed: 7, good: '{"days":3}' });
 */
export function answerOf({ name, seed, good = plainReply }: WhichAnswer): Answer {
  return misbehaviours[name].answer(good, rollFrom(seed));
}

/** Which misbehaviour, which instance of it, and of which good reply. */
export interface WhichAnswer {
  readonly name: MisbehaviourName;
  readonly seed: number;
  /** JSON text, an object as a rule; `plainReply` unless given. */
  readonly good?: string;
}

/** The good reply of whoever names none: an object with a text of many alphabets, a number and a boolean. */
export const plainReply = '{"answer":"Crème brûlée, 3 \u20ac \u{1F600}","days":3,"isUrgent":false}';
