import { type Rubric, rubric } from "../../../src/evals/judges/rubric.ts";

/** A rubric with three criteria: of weight 3, of weight 1, and one that may not apply. */
export const sampleRubric: Rubric = rubric.parse({
  name: "helpful_answer",
  version: "1",
  task: "Answers to questions of employees about devices.",
  model: { provider: "script", id: "judge-2026-01-01" },
  capabilities: ["answer_question"],
  floor: 0.7,
  criteria: [
    {
      id: "correct",
      asks: "Does the answer say what the sources say?",
      weight: 3,
      anchors: [
        { reading: "wrong", worth: 0, means: "it says something that the sources do not" },
        { reading: "partly", worth: 0.5, means: "it leaves out what matters" },
        { reading: "right", worth: 1, means: "it says what the sources say" },
      ],
    },
    {
      id: "plain",
      asks: "Would an employee understand it?",
      weight: 1,
      anchors: [
        { reading: "no", worth: 0, means: "it needs a second reading" },
        { reading: "yes", worth: 1, means: "it is understood at once" },
      ],
    },
    {
      id: "polite",
      asks: "Where it declines, does it say what to do instead?",
      weight: 2,
      mayNotApply: true,
      anchors: [
        { reading: "no", worth: 0, means: "it only declines" },
        { reading: "yes", worth: 1, means: "it names the next step" },
      ],
    },
  ],
});
