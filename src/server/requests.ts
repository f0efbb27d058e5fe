import { createHash } from "node:crypto";
import type { Context } from "hono";
import { z } from "zod";
import { CountersignError } from "../contract/errors.ts";
import { maxFactSteps, maxFacts } from "../contract/fact.ts";
import { endOfTime, firstInstant } from "../contract/instant.ts";
import { limits } from "../contract/limits.ts";
import { sessionPattern } from "../contract/runtime.ts";
import { spendGroups } from "../contract/spend.ts";
import { decisionStates } from "../contract/views.ts";
import { haltScopes, neverAutoPpm, resolvedOutcomes } from "../contract/words.ts";

/** The bodies of the HTTP API; the decider and the desk read the same. */
export const decideBody = z.strictObject({ capability: z.string().max(limits.idLength), inputs: z.json() });
export const askBody = z.strictObject({ text: z.string().max(limits.requestText) });
/** How long what is answered was visible and focused, in milliseconds, as the console measures it; shown to whoever answers alone. */
const viewed = { viewedMs: z.int().min(0).max(86_400_000).optional() };
export const approveBody = z.strictObject(viewed);
export const editBody = z.strictObject({ decision: z.json(), ...viewed });
const reason = z.string().trim().min(1).max(2000);
export const rejectBody = z.strictObject({ reason, ...viewed });
export const resolveBody = z.strictObject({
  effectIndex: z.int().min(0).max(32_767),
  outcome: z.enum(resolvedOutcomes),
  reason,
  evidence: z.string().trim().min(1).max(4000),
});
export const haltBody = z.strictObject({
  scope: z.enum(haltScopes),
  name: z.string().min(1).max(limits.idLength).nullish(),
  stop: z.boolean(),
  reason,
});
export const emptyBody = z.strictObject({});
export const sliceBody = z.strictObject({
  capability: z.string().min(1).max(limits.idLength),
  slice: z.string().min(1).max(limits.idLength),
  thresholdPpm: z.int().min(0).max(neverAutoPpm),
  proposal: z.strictObject({ digest: z.string().regex(/^[0-9a-f]{64}$/), until: z.int().min(0) }).optional(),
});
/** What the routes of autonomy are asked for. */
export const calibrationQuery = z.strictObject({ capability: z.string().min(1).max(limits.idLength) });
export const simulationQuery = calibrationQuery.extend({
  slice: z.string().min(1).max(limits.idLength),
  thresholdPpm: z.coerce.number().pipe(z.int().min(0).max(neverAutoPpm)),
});
export const caseStartBody = z.strictObject({
  case: z.string().min(1).max(limits.idLength),
  key: z.string().min(1).optional(),
  input: z.json(),
});
export const caseEventBody = z.strictObject({ event: z.string().min(1).max(limits.idLength), body: z.json().default({}) });
const moment = z
  .int()
  .min(firstInstant)
  .max(endOfTime - 1);
const name = z.string().min(1).max(200);
/** A search for passages; times are milliseconds since the epoch. */
export const searchBody = z.strictObject({
  query: z.string().min(1).max(limits.requestText),
  collection: name.optional(),
  metadata: z.record(name, name).optional(),
  at: moment.optional(),
  limit: z.int().min(1).max(100).default(10),
});
const named = z.strictObject({ id: name, text: z.string() });
/** Texts that are compared with one another; the limit of a body is theirs. */
export const redundancyBody = z.strictObject({
  texts: z
    .array(named)
    .min(1)
    .max(200)
    .refine((texts) => new Set(texts.map(({ id }) => id)).size === texts.length, "each text has an id of its own")
    .refine(
      (texts) => texts.reduce((sum, { text }) => sum + text.length, 0) <= 200_000,
      "at most 200,000 characters all together",
    ),
});
/** A question about facts, whose time is never left out; times are milliseconds since the epoch. */
export const factsBody = z.strictObject({
  subject: name,
  predicates: z.union([z.literal("all"), z.array(name).min(1).max(50)]).default("all"),
  at: moment,
  asKnownAt: moment.optional(),
  steps: z.int().min(1).max(maxFactSteps).optional(),
  limit: z.int().min(1).max(maxFacts).default(50),
});
/** What `/v1/spend` is asked for: days in UTC. */
export const spendQuery = z.strictObject({
  by: z.enum(spendGroups).default("capability"),
  from: z.iso.date().optional(),
  before: z.iso.date().optional(),
});

const moments = { from: z.coerce.number().pipe(moment).optional(), before: z.coerce.number().pipe(moment).optional() };
/** What `/v1/reviews` is asked for beside the page. */
export const reviewsQuery = z.strictObject({
  capability: name.optional(),
  state: z.enum(["waiting", "needs_person"]).optional(),
});
/** What `/v1/decisions` is asked for beside the page; times are when decisions were asked for, in milliseconds since the epoch. */
export const decisionsQuery = z.strictObject({
  of: z.enum(["mine", "all"]).default("mine"),
  state: z.enum(decisionStates).optional(),
  capability: name.optional(),
  person: name.optional(),
  ...moments,
});
/** What `/v1/cases` is asked for beside the page. */
export const casesQuery = z.strictObject({ case: name.optional(), state: z.enum(["running", "escalated", "ended"]).optional() });

/** Reads what a list is asked for beside its page. Throws `bad_request`, naming what does not fit. */
export function questionOf<T>(context: Context, schema: z.ZodType<T>): T {
  const { limit: _limit, cursor: _cursor, ...asked } = context.req.query();
  const fit = schema.safeParse(asked);
  if (fit.success) return fit.data;
  throw new CountersignError("bad_request", `the query does not fit: ${z.prettifyError(fit.error).slice(0, 300)}`);
}

/**
 * How long the desk waits for the decider. Node's `fetch` gives up on an answer that has not begun after five minutes; the desk says so
 * sooner, in its own words. A decision that takes longer goes on all the same.
 */
export const answerWithinMs = 290_000;

/** Reads `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header): printable, at most 200 characters. */
export function idempotencyKeyOf(header: string | undefined): string | null {
  if (header === undefined) return null;
  if (!/^[!-~]{1,200}$/.test(header)) {
    throw new CountersignError(
      "bad_request",
      `\`Idempotency-Key\` must be 1 to ${limits.idempotencyKeyLength} printable characters`,
    );
  }
  return header;
}

/** Reads `Countersign-Session`: the client's own id of the session of which the request is a turn. */
export function sessionOf(header: string | undefined): string | null {
  if (header === undefined) return null;
  if (sessionPattern.test(header)) return header;
  throw new CountersignError("bad_request", "`Countersign-Session` is 1 to 100 letters, digits, `_`, `.` and `-`");
}

/** Reads `Countersign-Reference-Time`, an instant of ISO 8601 in UTC, in milliseconds since the epoch; a trial's requests may have one. */
export function referenceTimeOf(header: string | undefined): number | null {
  if (header === undefined) return null;
  const at = z.iso.datetime().safeParse(header);
  if (at.success) return Date.parse(at.data);
  throw new CountersignError("bad_request", "`Countersign-Reference-Time` is an instant such as `2026-03-01T09:00:00Z`");
}

/**
 * Reads the `Idempotency-Key` of an ask, which leads to two decisions: the second's key is the first's with the capability's name
 * behind it. One that leaves no room for that is shortened to its digest, the same each time.
 */
export function askKeyOf(header: string | undefined): string | null {
  const key = idempotencyKeyOf(header);
  const hasRoom = key === null || key.length + 1 + limits.idLength <= limits.idempotencyKeyLength;
  return hasRoom ? key : createHash("sha256").update(key).digest("hex");
}

/** Reads `Prefer: wait=N` (RFC 7240, 4.3) in milliseconds, at most 30 s; 0 where it is not asked for. */
export function waitMsOf(header: string | undefined): number {
  const match = /(?:^|[,;\s])wait(?:=(\d{1,4}))?(?:$|[,;\s])/.exec(header ?? "");
  return match === null ? 0 : Math.min(30, Number(match[1] ?? "10")) * 1000;
}
