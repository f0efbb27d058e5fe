import { z } from "zod";
import type { ContextItem } from "../../contract/context.ts";
import type { DecisionRequest } from "../../contract/decision.ts";
import type { Json, JsonObject } from "../../contract/json.ts";
import type { CallRecord } from "../../contract/model.ts";
import { allowListsSchema, everything } from "../../contract/principal.ts";
import type { Runtime } from "../../contract/runtime.ts";
import type { LoopStep } from "../../contract/tool.ts";
import { nodeNames } from "../../contract/words.ts";
import type { ReadBefore } from "../recording.ts";

/** The outcome of a decision as the book holds it: the facts of its entry and the bodies of its payload. */
export interface BookedOutcome {
  readonly kind: string;
  readonly facts: JsonObject;
  readonly bodies: { readonly [name: string]: Json };
}

/** Where it stands in the book. */
export interface Booked extends BookedOutcome {
  readonly tenant: string;
  readonly decisionId: string;
  readonly entryId: string;
  readonly cause: string | null;
  /** The decision's one clock reading, in milliseconds since the epoch. */
  readonly at: number;
}

/** What a walk needs of a decision, in the forms in which it was kept. */
export interface Kept {
  readonly request: DecisionRequest;
  /** Of a decision whose inputs the principal did not write: what they gave; left out where the inputs are their own. */
  readonly given?: Json;
  readonly environment: string;
  readonly thresholdPpm: number | null;
  readonly context: readonly ContextItem[];
  readonly before: readonly ReadBefore[];
  readonly loop: readonly LoopStep[];
  readonly replies: readonly CallRecord[];
  /** What the request stood in the middle of; `null` where nobody looked. */
  readonly runtime: Runtime | null;
}

/** Reads what was kept, or says in words what is missing for a replay. */
export function keptOf(booked: Booked): Kept | { readonly missing: string } {
  const { facts, bodies } = booked;
  const stop = factsSchema.shape.stop.safeParse(facts["stop"]).data ?? null;
  if (stop?.reason === "abandoned") return { missing: "it was abandoned by its decider, and nothing of it was kept" };
  if (stop?.reason === "cancelled") return { missing: "whoever asked had cancelled it, and a replay has nobody who does" };
  if (bodies["trace"] === undefined) return { missing: "its record could not be kept whole" };
  if (stop?.node === "pre_check" || stop?.node === "entry")
    return { missing: `it was stopped in \`${stop.node}\`; inputs that did not pass are not kept` };
  if (bodies["inputs"] === undefined)
    return { missing: "its inputs were not kept: set `keepsInputs` on the capability for decisions to come" };
  if (bodies["context"] === undefined) return { missing: "it was stopped in `context_load`, before there was a context to keep" };
  const read = { facts: factsSchema.safeParse(facts), bodies: bodiesSchema.safeParse(bodies) };
  if (!read.facts.success || !read.bodies.success) return { missing: "it was kept in a form that this version does not replay" };
  if (read.bodies.data.replies.some(({ outcome, isReplyWhole }) => outcome === "fits" && isReplyWhole === false))
    return { missing: "a reply of its model was too long to be kept whole" };
  return assembled(booked, read.facts.data, read.bodies.data);
}

const text = z.string();
const factsSchema = z.looseObject({
  capability: text,
  principal: text,
  onBehalfOf: text.nullable(),
  roles: z.array(text),
  allow: allowListsSchema.default(everything),
  environment: text,
  thresholdPpm: z.int().nullable(),
  stop: z.looseObject({ reason: text, node: z.enum(nodeNames).nullable() }).nullable(),
  session: text.nullish(),
});

const plain = z.record(text, z.json());
// The forms of a record's own making are checked as far as a walk relies on them; the rest is handed on as it is.
const bodiesSchema = z.looseObject({
  inputs: z.json(),
  received: z.json().optional(),
  given: z.json().optional(),
  attributes: plain.default({}),
  runtime: z.looseObject({ flags: z.array(text) }).optional(),
  context: z.array(z.looseObject({ kind: z.enum(["passage", "record", "fact", "memory"]), id: text, need: text })),
  before: z.array(z.object({ query: text, params: plain, rows: z.array(plain).nullable() })).default([]),
  loop: z.array(z.looseObject({ step: z.int(), tool: text.nullable(), outcome: text, found: z.array(z.unknown()) })).default([]),
  replies: z.array(
    z.looseObject({
      ...{ node: z.enum(nodeNames), purpose: text, step: z.int(), attempt: z.int(), send: z.int(), model: text },
      ...{ outcome: z.enum(["fits", "misfits", "failed"]), fault: text.nullable(), problem: text.nullable(), reply: text },
      stopReason: z.enum(["end", "length", "refusal", "filter"]).nullable(),
      requestDigest: text,
      usage: z.record(text, z.int()),
      ms: z.number(),
    }),
  ),
});

function assembled(
  { tenant, decisionId, entryId, cause }: Booked,
  { principal: id, onBehalfOf, roles, allow, capability, environment, thresholdPpm, session = null }: z.infer<typeof factsSchema>,
  { inputs, received = inputs, given, attributes, context, before, loop, replies, runtime }: z.infer<typeof bodiesSchema>,
): Kept {
  const principal = { tenant, id, roles, attributes: attributes as JsonObject, onBehalfOf, allow }; // parsed as plain JSON
  return {
    request: { decisionId, entryId, principal, capability, inputs: received, idempotencyKey: null, cause, session },
    ...(given === undefined ? {} : { given: given as Json }), // parsed as plain JSON
    ...{ environment, thresholdPpm },
    // Written by this program from these types, and looked at above.
    context: context as unknown as readonly ContextItem[],
    before: before as readonly ReadBefore[],
    loop: loop as unknown as readonly LoopStep[],
    replies: replies as unknown as readonly CallRecord[],
    runtime: (runtime ?? null) as unknown as Runtime | null,
  };
}
