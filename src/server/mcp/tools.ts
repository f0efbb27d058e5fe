import { z } from "zod";
import type { Client } from "../../client/index.ts";
import { idPattern, limits } from "../../contract/limits.ts";
import { redundancyBody } from "../requests.ts";

/** One tool that is offered over MCP: it asks, proposes or reads. None approves, applies, stops or resolves anything. */
export interface OfferedTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodObject;
  /** It begins a decision; the others only read. */
  readonly begins: boolean;
  readonly run: (client: Client, input: unknown) => Promise<object>;
}

const id = z.string().min(1).max(100).describe("The id of a decision");
const instant = z.iso.datetime({ offset: true }).describe("Such as 2026-03-31T09:00:00Z");
const once = z
  .string()
  .min(1)
  .max(limits.idempotencyKeyLength)
  .optional()
  .describe("The same key with the same request begins nothing new");

/** The tools in the order in which they are listed. */
export const offeredTools: readonly OfferedTool[] = [
  tool({
    name: "ask",
    title: "Ask",
    description:
      "Ask in plain words. The answer comes with its sources, or with a proposal that waits for a person, or with a question back.",
    begins: true,
    input: z.strictObject({ text: z.string().min(1).max(limits.requestText), idempotencyKey: once }),
    run: (client, { text, idempotencyKey }) => client.ask({ text, ...keyed(idempotencyKey) }),
  }),
  tool({
    name: "propose_decision",
    title: "Propose a decision",
    description:
      "Have a named capability decide over its inputs. What would change something is a proposal: people or policy sign it, and this tool cannot.",
    begins: true,
    input: z.strictObject({
      capability: z.string().regex(idPattern),
      inputs: z.record(z.string(), z.json()),
      idempotencyKey: once,
    }),
    run: (client, { capability, inputs, idempotencyKey }) => client.decide({ capability, inputs, ...keyed(idempotencyKey) }),
  }),
  tool({
    name: "read_decision",
    title: "Read a decision",
    description: "Where a decision stands: what was proposed, who signed, what was applied and what an independent look saw.",
    begins: false,
    input: z.strictObject({ id }),
    run: (client, { id: of }) => client.decision(of),
  }),
  tool({
    name: "list_decisions",
    title: "List your decisions",
    description: "The caller's own decisions, newest first: what became of a request whose answer did not come.",
    begins: false,
    input: z.strictObject({ limit: z.int().min(1).max(100).default(20) }),
    run: async (client, { limit }) => ({ items: (await client.decisions({ limit })).items }),
  }),
  tool({
    name: "explain_decision",
    title: "Explain a decision",
    description:
      "The causal chain of a decision: who asked, on which evidence it was decided, who allowed it, what was sent and seen.",
    begins: false,
    input: z.strictObject({ id }),
    run: (client, { id: of }) => client.explanation(of),
  }),
  tool({
    name: "search",
    title: "Search documents",
    description: "Search passages that the caller may see, each with its document, version, section and page, to be cited.",
    begins: false,
    input: z.strictObject({
      query: z.string().min(1).max(limits.requestText),
      collection: z.string().min(1).max(200).optional(),
      at: instant.optional(),
      limit: z.int().min(1).max(50).default(10),
    }),
    run: (client, { at, ...search }) => client.search({ ...search, ...(at === undefined ? {} : { at: Date.parse(at) }) }),
  }),
  tool({
    name: "facts_at",
    title: "Facts at a time",
    description: "What was true of a subject at a time that you name. A question about facts always has a time.",
    begins: false,
    input: z.strictObject({
      subject: z.string().min(1).max(200).describe("Such as employee:e-17"),
      at: instant,
      steps: z.int().min(1).max(6).optional().describe("How many relations are followed from the subject"),
    }),
    run: async (client, { subject, at, steps }) => ({
      items: await client.facts({
        subject,
        predicates: "all",
        at: Date.parse(at),
        limit: 50,
        ...(steps === undefined ? {} : { steps }),
      }),
    }),
  }),
  tool({
    name: "find_redundancy",
    title: "Find what is said twice",
    description:
      "Where texts say the same thing more than once, and how many bytes and tokens leaving that out would save. All together at most 200,000 characters.",
    begins: false,
    input: redundancyBody,
    run: (client, { texts }) => client.redundancy(texts),
  }),
];

function tool<S extends z.ZodObject>({
  run,
  ...rest
}: Omit<OfferedTool, "input" | "run"> & { input: S; run: (client: Client, input: z.output<S>) => Promise<object> }): OfferedTool {
  return { ...rest, run: (client, input) => run(client, rest.input.parse(input)) };
}

function keyed(idempotencyKey: string | undefined): { idempotencyKey?: string } {
  return idempotencyKey === undefined ? {} : { idempotencyKey };
}
