// case.ts
import { defineCase } from "../../../src/define/case.ts";
import { z } from "zod";
export const told: [unknown, unknown][] = [];
defineCase({
  name: "loan", version: "1", owner: "service-desk", description: "Lend a device and get it back.", openTo: ["employee"],
  input: z.strictObject({ device: z.string() }), data: z.strictObject({ device: z.string() }),
  begin: ({ input }) => ({ device: input.device }),
  events: { returned: { body: z.strictObject({}), by: ["service-desk"] } },
  start: "lend",
  steps: {
    lend: {
      kind: "decide", capability: "lend_device", inputs: ({ data }) => ({ device: data.device }), to: ["wait", "refused"],
      next: ({ decision }) => ({ to: decision.outcome === "done" ? "wait" : "refused" }),
    },
    wait: { kind: "wait", events: ["returned"], to: ["back"], next: () => ({ to: "back" }) },
    back: { kind: "end", outcome: "returned" },
    refused: { kind: "end", outcome: "refused", isFailure: true },
  },
});

export type Shown = typeof defineCase;
