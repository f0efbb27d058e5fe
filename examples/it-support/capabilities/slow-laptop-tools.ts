import { defineTool } from "countersign";
import { z } from "zod";

const device = z.string().regex(/^dev-\d{1,9}$/);

/** What the last measurement of a device says. The query shows a person their own devices alone. */
export const diagnostics = defineTool({
  name: "diagnostics",
  description: "The last measurement of one of the asker's devices: disk, memory, heat, battery.",
  sideEffect: "read",
  args: z.strictObject({ device }),
  need: ({ device: id }) => ({ kind: "records", query: "diagnostics.ofDevice", params: { device: id }, maxAgeMs: 60_000 }),
});

/** What was done to a device, as far back as two years. */
export const history = defineTool({
  name: "history",
  description: "What was done to one of the asker's devices in the last months, newest first: cleaning, exchanges, updates.",
  sideEffect: "read",
  args: z.strictObject({ device, months: z.int().min(1).max(60) }),
  need: ({ device: id, months }) => ({
    kind: "records",
    query: "history.ofDevice",
    params: { device: id, months },
    maxAgeMs: 60_000,
  }),
});

/** What the policies say; who asks sees what their scopes permit, and no more. */
export const policy = defineTool({
  name: "policy",
  description: "Passages of the policies that hold at least half of the words.",
  sideEffect: "read",
  args: z.strictObject({ words: z.string().min(3).max(120) }),
  need: ({ words }) => ({ kind: "passages", query: words, limit: 3, minimumScore: 0.5 }),
});
