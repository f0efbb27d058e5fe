import type { Context } from "hono";
import { CountersignError, messageOf } from "../../contract/errors.ts";
import type { Assert, Identity } from "../../contract/identity.ts";
import { answerWithinMs, idempotencyKeyOf, referenceTimeOf, sessionOf } from "../requests.ts";

/** What the decider answered, passed on as it came. */
export interface Forwarded {
  readonly status: number;
  readonly type: string;
  readonly text: string;
  /** How long it said to wait, where it takes no more just now. */
  readonly retryAfter: string | null;
}

/** Sends one request to the decider in the caller's name; the decider authenticates again. */
export type Forward = (request: {
  readonly method: "GET" | "POST";
  readonly path: string;
  /** Who calls. Their credential stays here: what goes on is the desk's assertion of who they are. */
  readonly identity: Identity;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** It begins a decision, so one without an answer may have been made. */
  readonly begins?: true;
  /** Ends the waiting once the caller has hung up; what was begun goes on. */
  readonly signal?: AbortSignal;
}) => Promise<Forwarded>;

/** Makes the way to one decider. Throws `service_unavailable` where it cannot be reached or something else answers. */
export function createForward({ deciderUrl, assert }: { deciderUrl: string; assert: Assert }): Forward {
  const base = deciderUrl.replace(/\/+$/, "");
  return async ({ method, path, identity, body, headers = {}, begins = false, signal }) => {
    const authorization = `Bearer ${await assert(identity)}`;
    const timeout = AbortSignal.timeout(answerWithinMs);
    const init: RequestInit = {
      method,
      headers: { ...headers, accept: "application/json", "content-type": "application/json", authorization },
      // A redirect would take the assertion to an address that nobody named.
      redirect: "error",
      signal: signal === undefined ? timeout : AbortSignal.any([timeout, signal]),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    };
    const silence = begins ? ("idempotency-key" in headers ? decidedUnderKey : perhapsDecided) : nothingBegun;
    const answer = await reached(() => fetch(`${base}${path}`, init), silence);
    const type = answer.type.split(";")[0] ?? "";
    if (type === "application/json" || type === "application/problem+json") return answer;
    throw new CountersignError(
      "service_unavailable",
      "what answers at the decider's address is not the decider; see `COUNTERSIGN_DECIDER_URL`",
    );
  };
}

const nothingDecided = "the decider cannot be reached; nothing was decided, try again";
const nothingBegun = "the decider gave no answer; try again";
const decidedUnderKey =
  "the decider gave no answer, and may have decided all the same; send the request again with the same `Idempotency-Key`, which begins nothing new";
const perhapsDecided =
  "the decider gave no answer, and may have decided all the same; look at your decisions before you send it again, and then with an `Idempotency-Key`";

/** Nobody listened, so the request got nowhere. */
function isRefused(thrown: unknown): boolean {
  const cause = thrown instanceof Error ? thrown.cause : undefined;
  return typeof cause === "object" && cause !== null && "code" in cause && cause.code === "ECONNREFUSED";
}

async function reached(send: () => Promise<Response>, silence: string): Promise<Forwarded> {
  try {
    const response = await send();
    return {
      status: response.status,
      type: response.headers.get("content-type") ?? "",
      text: await response.text(),
      retryAfter: response.headers.get("retry-after"),
    };
  } catch (cause) {
    // The address of the decider is private, so it is not said.
    const facts = {
      reason: cause instanceof Error && cause.name === "TimeoutError" ? "no answer in time" : messageOf(cause).slice(0, 80),
    };
    throw new CountersignError("service_unavailable", isRefused(cause) ? nothingDecided : silence, { facts, cause });
  }
}

/** The headers of a request that mean something to the decider. Throws `bad_request` for an idempotency key, a session or a reference time of a wrong form. */
export function passedOn(context: Context): Record<string, string> {
  const key = idempotencyKeyOf(context.req.header("idempotency-key"));
  const prefer = context.req.header("prefer");
  const session = sessionOf(context.req.header("countersign-session"));
  const at = referenceTimeOf(context.req.header("countersign-reference-time"));
  return {
    ...(key === null ? {} : { "idempotency-key": key }),
    ...(session === null ? {} : { "countersign-session": session }),
    ...(at === null ? {} : { "countersign-reference-time": new Date(at).toISOString() }),
    ...(prefer === undefined ? {} : { prefer }),
  };
}

/** Answers with what the decider said: status, kind and body unchanged. */
export function passBack(context: Context, { status, type, text, retryAfter }: Forwarded): Response {
  if (retryAfter !== null) context.header("retry-after", retryAfter);
  context.header("content-type", type);
  // The status came from a real response, so it is one.
  return context.body(text, status as 200);
}
