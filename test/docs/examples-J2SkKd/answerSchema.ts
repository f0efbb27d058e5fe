// answer.ts
import { answerSchema } from "../../../src/define/answer.ts";

export const told: [unknown, unknown][] = [];
told.push([answerSchema({ parts: ["price", "term"], mostClaims: 4 }).safeParse([]).success, true]);

export type Shown = typeof answerSchema;
