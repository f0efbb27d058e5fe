import { z } from "zod";
import type { OperationLine, OperationSummary, OperationView } from "../../contract/operation-view.ts";
import { dedupes, haltScopes, operationStates, resolvedOutcomes, risks, sideEffects, verdicts } from "../../contract/words.ts";
import { components } from "./components.ts";
import { ms, resolution, snapshot } from "./decision-replies.ts";
import { approval, operation } from "./explanation-reply.ts";

const state = z.enum(operationStates);
const counts = z.array(z.strictObject({ state, count: z.int() }));

const line = z.strictObject({
  ...{ id: z.string(), decisionId: z.string(), effectIndex: z.int(), effect: z.string(), capability: z.string() },
  sentence: z.string().nullable(),
  ...{ risk: z.enum(risks).nullable(), sideEffect: z.enum(sideEffects).nullable(), reversible: z.boolean().nullable() },
  ...{ state, verdict: z.enum(verdicts).nullable(), dedupe: z.enum(dedupes).nullable() },
  key: z.string().describe("The business key: one consequence for each"),
  generation: z.int().describe("How often that key was opened anew, from 1"),
  ...{ attempts: z.int(), fence: z.int(), begunAt: ms, since: ms, nextLookAt: ms.nullable(), deadlineAt: ms },
  ...{ expected: snapshot, observed: snapshot, differs: z.array(z.string()), forbidden: z.array(z.string()) },
  resolution: resolution.nullable(),
  resolvable: z.array(z.enum(resolvedOutcomes)),
  stopped: z.enum(haltScopes).nullable(),
});

/** One operation of a list. */
export const operationLineReply = line.register(components, {
  id: "OperationLine",
  description: "One execution of one effect: where it stands, what was expected and what was seen",
}) satisfies z.ZodType<OperationLine>;

/** One operation with its course. */
export const operationReply = z
  .strictObject({ ...line.shape, before: snapshot, approvals: z.array(approval), course: operation.nullable() })
  .register(components, {
    id: "Operation",
    description: "One operation with its signatures, sends, looks and ends",
  }) satisfies z.ZodType<OperationView>;

/** How many stand how. */
export const operationSummaryReply = z
  .strictObject({
    ...{ open: counts, isOpenOver: z.boolean(), ended: counts, endedFrom: ms, isEndedOver: z.boolean() },
    oldestOpenAt: ms.nullable(),
  })
  .register(components, {
    id: "OperationSummary",
    description: "How many operations are open, and how many of those begun in the last 24 hours ended how",
  }) satisfies z.ZodType<OperationSummary>;
