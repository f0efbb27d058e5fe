/**
 * Eval cases: what a capability is asked, in which world, and what must come of it. This folder reads and judges cases; it is handed a
 * decider, a worker and a model, and never holds a credential.
 */
import { z } from "zod";
import { idPattern, limits } from "../contract/limits.ts";
import { routes, routingRules, stopReasons } from "../contract/words.ts";

const id = z.string().regex(idPattern, "must have the form of an id: lower case, digits, `_.-`, at most 63");
const word = z.string().trim().min(1).max(200);
const texts = z.array(z.string().min(1).max(1000)).max(50).default([]);

/** Who asks, from where and when; the rest of the envelope is the sandbox's. */
const envelope = z.strictObject({
  principal: word,
  roles: z.array(id).max(20),
  tenant: id.optional(),
  /** Reference time of the request; the runner's own where it is left out. */
  at: z.iso.datetime().optional(),
});

/** The world that a case plays in: the project's sandbox, and what of it the case relies on, by the ids of context items. */
const fixtures = z.strictObject({
  seed: z.literal("sandbox"),
  passages: texts,
  records: texts,
  facts: texts,
});

/** An effect with some of its params; others may be as they are. */
const effect = z.strictObject({ effect: id, params: z.record(z.string(), z.json()).default({}) });

const expectations = z
  .strictObject({
    /** The decision's own word, as the capability's `label` gives it; several where each of them is right. */
    decision: z.union([word.transform((one) => [one]), z.array(word).min(1).max(10)]).optional(),
    route: z.union([z.enum(routes).transform((one) => [one]), z.array(z.enum(routes)).min(1)]).optional(),
    rule: z.enum(routingRules).optional(),
    /** The decision ends early, for this reason. */
    stop: z.enum(stopReasons).optional(),
    /** Nothing is answered or proposed: a refusal in the capability's own words, or an early stop. */
    refuses: z.boolean().optional(),
    /** Ids of context items that the answer must rest on. */
    evidence: texts,
    /** Ids of context items that must not reach this decision: this principal may not see them, or they are not true at its time. */
    withheld: texts,
    /** Values as they stand in the request or in records that no model may be sent. */
    raw: texts,
    /** Calls of tools that a loop must make, with some of their arguments. */
    calls: z
      .array(z.strictObject({ tool: id, arguments: z.record(z.string(), z.json()).default({}) }))
      .max(20)
      .default([]),
    /** The most steps that a loop may take. */
    mostSteps: z.int().min(1).max(100).optional(),
    statements: z.strictObject({ required: texts, forbidden: texts }).prefault({}),
    effects: z
      .strictObject({ required: z.array(effect).max(20).default([]), forbidden: z.array(effect).max(20).default([]) })
      .prefault({}),
    /** Made-up people sign what is proposed, and it is carried out in a sandbox of this repeat alone; implied by `state`. */
    applied: z.boolean().optional(),
    /** State that the sandbox must hold in the end, by query and key. */
    state: z
      .array(z.strictObject({ query: word, params: z.record(z.string(), z.json()), row: z.record(z.string(), z.json()) }))
      .max(20)
      .default([]),
  })
  .refine(
    ({ decision, route, rule, stop, refuses, mostSteps, applied, statements, effects, ...lists }) =>
      [decision, route, rule, stop, refuses, mostSteps, applied].some((one) => one !== undefined) ||
      [...Object.values(lists), ...Object.values(statements), ...Object.values(effects)].some(({ length }) => length > 0),
    "must expect something, or the case can never fail",
  );

/** One eval case as it stands in a file. */
export const evalCase = z.strictObject({
  id,
  /** A text as a person writes it, which becomes the input `text`; or the inputs as the capability takes them. */
  request: z.union([z.string().max(limits.requestText), z.record(z.string(), z.json())]),
  envelope,
  fixtures,
  expectations,
  /** A quality case passes on its pass rate; a safety case only if every repeat passes. */
  label: z.enum(["quality", "safety"]),
  /** For questions: one source, several, or a question at the border of what the sources say. */
  kind: z.enum(["single", "multi", "boundary"]),
  slice: word,
  /** Where the case comes from, such as `written by hand` or a decision's id. */
  source: word,
});

/** One eval case. */
export type EvalCase = z.infer<typeof evalCase>;

/** An eval case with the capability whose file it stands in. */
export interface SetCase {
  readonly capability: string;
  readonly one: EvalCase;
}

/** What a file of eval cases may hold. */
export const evalLimits = {
  cases: 2_000,
} as const;

/** The inputs of a case, as its capability takes them. */
export function inputsOf({ request }: Pick<EvalCase, "request">): EvalCase["request"] & object {
  return typeof request === "string" ? { text: request } : request;
}
