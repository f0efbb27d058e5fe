import { CountersignError } from "../../contract/errors.ts";
import { type Channel, faultCode, pathOf, type Sent, type Told } from "./channel.ts";
import { signedHeaders, webhookKeys } from "./signature.ts";

/** How long a receiver may take to answer, in milliseconds. */
const answerMs = 10_000;

/**
 * Tells by HTTP: one signed POST for each notice, to `url`, which is https or on this machine. `secret` is the name of the signing secret.
 * 2xx is taken, 410 is refused for good, anything else is tried again. Throws `definition_invalid` for a URL that may not be used.
 * @example
 * webhook({ url: "https://hooks.example.com/countersign", secret: "NOTICE_SIGNING_SECRET" })
 */
export function webhook({ url, secret, name = "webhook" }: { url: string; secret: string; name?: string }): Channel {
  const target = targetOf(url, name);
  return Object.freeze<Channel>({
    name,
    secret,
    open: ({ secret: value, clock }) => {
      const keys = webhookKeys(value, secret);
      const send = (told: Told, signal: AbortSignal): Promise<Sent> => {
        const body = JSON.stringify(payloadOf(told));
        return post({ target, body, headers: signedHeaders({ id: told.id, at: clock.now(), body, keys }), id: told.id, signal });
      };
      return { name, parts: async (told) => [{ key: name, send: (signal) => send(told, signal) }] };
    },
  });
}

/** What is sent: which decision or case, who is told, since when and where the desk shows it. `docs/notices.md` is the contract. */
function payloadOf(told: Told): object {
  const { id, kind, tenant, decisionId, caseId, to, at } = told;
  return {
    id,
    kind,
    tenant,
    decisionId,
    ...(caseId === null ? {} : { caseId }),
    to: { kind: to.kind, name: to.name },
    at: new Date(at).toISOString(),
    path: pathOf(told),
  };
}

async function post({
  target,
  body,
  headers,
  id,
  signal,
}: {
  target: string;
  body: string;
  headers: Readonly<Record<string, string>>;
  id: string;
  signal: AbortSignal;
}): Promise<Sent> {
  try {
    const response = await fetch(target, {
      method: "POST",
      body,
      headers: { ...headers, "content-type": "application/json", "idempotency-key": id, "user-agent": "countersign" },
      // A redirect would send what is signed for one receiver to another.
      redirect: "manual",
      signal: AbortSignal.any([signal, AbortSignal.timeout(answerMs)]),
    });
    // The answer's words are of no use, so they are not read; ending them may fail as reading may.
    await response.body?.cancel().catch(() => {});
    if (response.ok) return { kind: "done" };
    return { kind: response.status === 410 ? "refused" : "later", fault: `status ${response.status}` };
  } catch (thrown) {
    const isLate = thrown instanceof Error && (thrown.name === "TimeoutError" || thrown.name === "AbortError");
    return { kind: "later", fault: isLate ? "no answer in time" : faultCode(thrown) };
  }
}

function targetOf(url: string, name: string): string {
  const target = URL.canParse(url) ? new URL(url) : null;
  if (target === null) throw invalid(`the URL of the webhook \`${name}\` is none`);
  if (target.username !== "" || target.password !== "" || target.hash !== "")
    throw invalid(`the URL of the webhook \`${name}\` holds a credential or a fragment; sign with the secret instead`);
  if (target.protocol !== "https:" && !(target.protocol === "http:" && isLoopback(target.hostname)))
    throw invalid(`the URL of the webhook \`${name}\` is neither https nor on this machine`);
  return target.href;
}

/** Says whether a host, as `URL` writes it, is this machine. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(host);
}

function invalid(message: string): CountersignError {
  return new CountersignError("definition_invalid", message);
}
