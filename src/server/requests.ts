import { createHash } from "node:crypto";
import { z } from "zod";
import { CountersignError } from "../contract/errors.ts";
import { limits } from "../contract/limits.ts";
import { sessionPattern } from "../contract/runtime.ts";
import { haltScopes, resolvedOutcomes } from "../contract/words.ts";

/** The bodies of the HTTP API; the decider and the desk read the same. */
export const decideBody = z.strictObject({ capability: z.string().max(limits.idLength), inputs: z.json() });
export const askBody = z.strictObject({ text: z.string().max(limits.requestText) });
export const editBody = z.strictObject({ decision: z.json() });
const reason = z.string().trim().min(1).max(2000);
export const rejectBody = z.strictObject({ reason });
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
