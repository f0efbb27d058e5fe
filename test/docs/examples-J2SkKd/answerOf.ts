// answer-of.ts
import { answerOf } from "../../../src/testing/misbehaving/answer-of.ts";

export const told: [unknown, unknown][] = [];
const fenced = answerOf({ name: "cut_json", seed: 7, good: '{"days":3}' });

export type Shown = typeof answerOf;
