import { CountersignError } from "../contract/errors.ts";
import type { Encoded, Provider, ProviderRequest } from "../contract/model.ts";
import type { Deadline } from "../contract/ports.ts";
import type { Cancel } from "../contract/principal.ts";
import { underDeadline } from "./deadline.ts";
import { problemOf } from "./fit.ts";
import { faulted, type Received, receive } from "./receive.ts";

/** One request, and how long its answer may take, in milliseconds. */
export interface Sending {
  readonly provider: Provider;
  readonly payload: Encoded<ProviderRequest>;
  readonly cancel: Cancel;
  readonly deadline: Deadline;
  readonly ms: number;
}

/** Sends one request and gives what came of it; never throws. */
export async function sendOnce({ provider, payload, cancel, deadline, ms }: Sending): Promise<Received> {
  const ended = await underDeadline({ cancel, deadline, ms, work: (inner) => provider.complete(payload, inner) });
  switch (ended.kind) {
    case "done":
      return receive(ended.value);
    case "threw":
      return faulted("crashed", failureOf(ended.thrown), null);
    case "timed_out":
      return faulted("timed_out", `the provider gave no reply within ${Math.round(ms)} ms`, null);
    case "cancelled":
      return faulted("cancelled", "the call was cancelled", null);
  }
}

/** A provider's own message may quote a key or a prompt, so only our errors' words and a plain error code are kept. */
function failureOf(thrown: unknown): string {
  if (thrown instanceof CountersignError) return problemOf([`the provider gave no reply: ${thrown.message}`]);
  const code = typeof thrown === "object" && thrown !== null && "code" in thrown ? String(thrown.code) : "";
  return /^[A-Z][A-Z0-9_]{1,39}$/.test(code)
    ? `the provider gave no reply: \`${code}\``
    : "the provider gave no reply: it threw an error";
}
