// tool.ts
import { defineTool } from "../../../src/define/tool.ts";
import { z } from "zod";
export const told: [unknown, unknown][] = [];
defineTool({
  name: "history", description: "What happened to one of the asker's devices, newest first.", sideEffect: "read",
  args: z.strictObject({ device: z.string().regex(/^dev-\d+$/) }),
  need: ({ device }) => ({ kind: "records", query: "history.ofDevice", params: { device }, maxAgeMs: 60_000 }),
});

export type Shown = typeof defineTool;
