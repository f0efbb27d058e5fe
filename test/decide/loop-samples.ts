/** A small capability with a bounded loop, for tests: why does a projector not work? What to look at next depends on what was found. */
import { z } from "zod";
import type { Capability, Loop } from "../../src/contract/capability.ts";
import { type CapabilityDefinition, defineCapability } from "../../src/define/capability.ts";
import { defineTool } from "../../src/define/tool.ts";
import { type FixedItems, testTime } from "../../src/testing/index.ts";
import { model, passage } from "./samples.ts";

const projector = z.string().regex(/^pr-\d{1,4}$/);

const lamps = defineTool({
  name: "lamps",
  description: "The state of a projector's lamp.",
  sideEffect: "read",
  args: z.strictObject({ projector }),
  need: ({ projector: id }) => ({ kind: "records", query: "lamps.ofProjector", params: { id }, maxAgeMs: 30_000 }),
});
const log = defineTool({
  name: "log",
  description: "What a projector logged in the last days.",
  sideEffect: "read",
  args: z.strictObject({ projector, days: z.int().min(1).max(30) }),
  need: ({ projector: id, days }) => ({ kind: "records", query: "log.ofProjector", params: { id, days }, maxAgeMs: 30_000 }),
});
const manual = defineTool({
  name: "manual",
  description: "Passages of the manual that hold the words.",
  sideEffect: "read",
  args: z.strictObject({ words: z.string().min(1).max(100) }),
  need: ({ words }) => ({ kind: "passages", query: words, limit: 3, minimumScore: 0.3 }),
});

const faultInput = z.strictObject({ text: z.string().min(1).max(500) });
const fault = z.strictObject({
  cause: z.enum(["lamp", "fan", "unknown"]),
  says: z.string().max(200),
  source: z.string().max(100),
});
type FaultInput = z.infer<typeof faultInput>;
type Fault = z.infer<typeof fault>;

/** Finds why a projector does not work; parts of the definition and of its loop can be replaced. */
export function findFault(
  own: Partial<CapabilityDefinition<FaultInput, Fault>> = {},
  looped: Partial<Loop<FaultInput>> = {},
): Capability {
  return defineCapability<FaultInput, Fault>({
    name: "find_fault",
    version: "1",
    owner: "equipment-desk",
    description: "Find out why a projector does not work.",
    openTo: ["employee"],
    input: faultInput,
    decision: fault,
    needs: () => [{ kind: "records", name: "projector", query: "projectors.byId", params: {}, maxAgeMs: 30_000 }],
    deciding: {
      kind: "loop",
      version: "l1",
      model,
      reason: "a burnt lamp is seen at once; without one the log says where to look in the manual",
      tools: [lamps, log, manual],
      maxSteps: 6,
      caps: { ms: 60_000, tokens: 100_000, costMicros: 1_000_000 },
      prompt: ({ inputs }) => ({ system: "You find faults of projectors.", messages: [{ role: "user", text: inputs.text }] }),
      enough: (trace) => trace.some((step) => step.found.length > 0),
      ...looped,
    },
    checks: [
      {
        name: "source_known",
        run: ({ decision, context }) => ({ passed: context.items.some((item) => item.id === decision.source), evidence: "" }),
      },
    ],
    label: (decision) => decision.cause,
    propose: ({ decision }) => ({
      summary: `The cause is ${decision.cause}`,
      claims: [{ text: decision.says, source: decision.source }],
    }),
    ...own,
  });
}

const labels = { id: "system", hours: "system", state: "system", at: "system", message: "third", pin: "secret" } as const;

/** What the tools find: the row of `projectors.byId` is loaded before the loop. */
export const workshop: FixedItems = {
  records: {
    "projectors.byId": [{ id: "projectors.byId:pr-1", row: { id: "pr-1", state: "broken" }, labels, readAt: testTime }],
    "lamps.ofProjector": [
      { id: "lamps.ofProjector:pr-1", row: { id: "pr-1", hours: 2100, state: "burnt", pin: "4711" }, labels, readAt: testTime },
    ],
    "log.ofProjector": [
      {
        id: "log.ofProjector:e-9",
        row: { id: "e-9", at: "2026-03-01", message: "fan stalled, call nils@workshop.example" },
        labels,
        readAt: testTime,
      },
    ],
  },
  passages: { manual_2: [{ ...passage, id: "passage:manual:2:4", text: "A fan that stalls is cleaned first." }] },
};

/** A reply that asks for a tool. */
export function asks(tool: string, args: object): string {
  return JSON.stringify({ next: { tool, arguments: args } });
}

/** A reply that ends the loop. */
export function ends(decision: object): string {
  return JSON.stringify({ next: { final: decision } });
}

export const burnt = { cause: "lamp", says: "The lamp is {{lamps_1.state}}.", source: "lamps.ofProjector:pr-1" };
