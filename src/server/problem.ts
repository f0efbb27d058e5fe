import type { Context } from "hono";
import { CountersignError, errorCodes, isCountersignError } from "../contract/errors.ts";

/** What is done with a fault that has no code: it is written to the log under an id, and the caller gets the id alone. */
export type FaultLog = (fault: { id: string; path: string; cause: unknown }) => void;

/** Answers an error as problem details (RFC 9457): the code, what came, what to do. Never a stack, never a secret. */
export function problemResponse({ context, thrown, log }: { context: Context; thrown: unknown; log: FaultLog }): Response {
  const error = knownError({ context, thrown, log });
  const { status, means } = errorCodes[error.code];
  const body = {
    type: `urn:countersign:error:${error.code}`,
    title: means,
    status,
    code: error.code,
    detail: error.message,
    next: `see docs/errors.md, section ${error.code}`,
    facts: error.facts,
  };
  const challenge: Record<string, string> = status === 401 ? { "www-authenticate": "Bearer" } : {};
  return context.newResponse(JSON.stringify(body), {
    status,
    headers: { "content-type": "application/problem+json", ...challenge },
  });
}

/** What was thrown, as an error of the closed list; a fault of ours goes to the log and comes back as `internal` with its id. */
export function knownError({ context, thrown, log }: { context: Context; thrown: unknown; log: FaultLog }): CountersignError {
  return isCountersignError(thrown) ? thrown : internal({ context, thrown, log });
}

function internal({ context, thrown, log }: { context: Context; thrown: unknown; log: FaultLog }): CountersignError {
  const id = crypto.randomUUID();
  log({ id, path: context.req.path, cause: thrown });
  return new CountersignError("internal", `a fault of ours; it is in the log as \`${id}\``, { facts: { id }, cause: thrown });
}
