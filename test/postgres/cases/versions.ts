import { z } from "zod";
import type { AnyCase, MovedCase } from "../../../src/contract/case.ts";
import { defineCase } from "../../../src/define/case.ts";

const common = { name: "course", owner: "office", description: "A case of several versions.", openTo: ["clerk"] };
const name = z.strictObject({ name: z.string() });
const begin = ({ input }: { input: { name: string } }) => input;
const events = { go: { body: z.strictObject({}), by: ["warehouse"] } };

/** The first version: waits for a word, has a line signed, waits again, ends. */
export const first = (isRetired = false): AnyCase =>
  defineCase({
    ...common,
    ...{ version: "1", input: name, data: name, events, isRetired },
    begin,
    start: "wait",
    steps: {
      wait: { kind: "wait", events: ["go"], to: ["sign"], next: () => ({ to: "sign" }) },
      sign: {
        kind: "decide",
        capability: "write_line",
        to: ["rest"],
        inputs: ({ data }) => ({ name: data.name, note: "risky" }),
        next: () => ({ to: "rest" }),
      },
      rest: { kind: "wait", events: ["go"], to: ["old_end"], next: () => ({ to: "old_end" }) },
      old_end: { kind: "end", outcome: "old" },
    },
  });

/** The second version: its data has one field more, the resting step is called otherwise, and it ends with another word. */
export const second = (step?: (moved: MovedCase) => MovedCase): AnyCase =>
  defineCase({
    ...common,
    ...{ version: "2", input: name, events },
    data: z.strictObject({ name: z.string(), source: z.string() }),
    begin: ({ input }) => ({ ...input, source: "begun" }),
    migrate: step === undefined ? [] : [{ from: "1", step }],
    start: "wait",
    steps: {
      wait: { kind: "wait", events: ["go"], to: ["sign"], next: () => ({ to: "sign" }) },
      sign: {
        kind: "decide",
        capability: "write_line",
        to: ["pause"],
        inputs: ({ data }) => ({ name: data.name, note: "risky" }),
        next: () => ({ to: "pause" }),
      },
      pause: { kind: "wait", events: ["go"], to: ["new_end"], next: () => ({ to: "new_end" }) },
      new_end: { kind: "end", outcome: "new" },
    },
  });

/** The written step from the first version to the second. */
export const over = ({ step, data }: MovedCase): MovedCase => ({
  step: step === "rest" ? "pause" : step,
  data: { ...(data as { name: string }), source: "taken over" }, // the data of version 1
});
