import { z } from "zod";
import type { CaseLine, CaseView } from "../../contract/case-view.ts";
import { components } from "./components.ts";
import { ms } from "./decision-replies.ts";

const waits = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("decision"), decisionId: z.string().nullable() }),
  z.strictObject({ kind: z.literal("event"), events: z.array(z.string()), until: ms.nullable() }),
  z.strictObject({ kind: z.literal("cases") }),
  z.strictObject({ kind: z.literal("person") }),
  z.strictObject({ kind: z.literal("worker") }),
]);

const states = ["running", "escalated", "ended"] as const;

const line = {
  id: z.string(),
  tenant: z.string(),
  case: z.string(),
  version: z.string(),
  key: z.string(),
  state: z.enum(states),
  outcome: z.string().nullable().describe("The word of its end"),
  isFailure: z.boolean(),
  step: z.string(),
  waitsFor: waits.nullable(),
  owner: z.string(),
  startedBy: z.string(),
  onBehalfOf: z.string().nullable(),
  startedAt: ms,
  deadlineAt: ms.nullable(),
  code: z.string().nullable(),
  parentId: z.string().nullable(),
};

const move = z.strictObject({
  place: z.int(),
  kind: z.enum(["entered", "escalated", "migrated", "resumed"]),
  version: z.string(),
  step: z.string(),
  from: z.string().nullable(),
  outcome: z.string().nullable(),
  decisionId: z.string().nullable(),
  code: z.string().nullable(),
  at: ms,
});

/** A case in a list. */
export const caseLineReply = z
  .strictObject(line)
  .register(components, { id: "CaseLine", description: "A case in a list" }) satisfies z.ZodType<CaseLine>;

/** A case with its moves and parts. */
export const caseReply = z
  .strictObject({
    ...line,
    data: z.json().describe("What it holds; null where this is not the caller's to see"),
    moves: z.array(move),
    parts: z.array(z.strictObject({ id: z.string(), name: z.string(), case: z.string(), state: z.enum(states) })),
  })
  .register(components, { id: "Case", description: "A case as the caller may see it" }) satisfies z.ZodType<CaseView>;
