import { CountersignError, type ErrorCode, type ErrorFacts, errorCodes } from "../contract/errors.ts";

/**
 * The error that an answer with a failing status stands for: the service's own, read from `application/problem+json` (RFC 9457),
 * or one of ours where something else answered.
 */
export function problemFrom({ status, body, base }: { status: number; body: unknown; base: string }): CountersignError {
  // Every member is checked before it is used.
  const { code, detail, facts } = (typeof body === "object" && body !== null ? body : {}) as Record<string, unknown>;
  if (!isErrorCode(code)) return withoutProblem(status, base);
  // The detail is the message and holds the next step; nothing is added, so that an error passes through a desk unchanged.
  return new CountersignError(code, typeof detail === "string" ? detail : errorCodes[code].means, { facts: factsOf(facts) });
}

function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === "string" && Object.hasOwn(errorCodes, code);
}

function factsOf(facts: unknown): ErrorFacts {
  if (typeof facts !== "object" || facts === null) return {};
  return Object.fromEntries(Object.entries(facts).filter(([, fact]) => isFact(fact)));
}

function isFact(fact: unknown): fact is ErrorFacts[string] {
  if (Array.isArray(fact)) return fact.every((one) => typeof one === "string");
  return fact === null || ["string", "number", "boolean"].includes(typeof fact);
}

/** A proxy's page, another program on the port, or a service that is newer than this client. */
function withoutProblem(status: number, base: string): CountersignError {
  const message = `\`${base}\` answered with status ${status} and no problem document; see that Countersign runs there, in this version`;
  return new CountersignError("service_unavailable", message, { facts: { address: base, status } });
}
