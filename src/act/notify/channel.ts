/**
 * A channel is one way by which people are told of notices. It sends what a notice says and nothing else: no contents, no values, no
 * secret. What it reports of a fault are words of a closed form, never what a server or a person wrote.
 */
import type { Clock } from "../../contract/ports.ts";
import type { NoticeKind } from "../../contract/words.ts";
import type { Addressee } from "../../ledger/notices.ts";

/** What is told: of which decision or case, to whom, and since when (`at`, milliseconds since the epoch). */
export interface Told {
  readonly id: string;
  readonly tenant: string;
  readonly kind: NoticeKind;
  /** `null` where it is about a case alone, or about a slice that was taken back without a verdict. */
  readonly decisionId: string | null;
  readonly caseId: string | null;
  readonly to: Addressee;
  readonly at: number;
}

/** How one send went: taken, refused for good, or to be tried again. */
export type Sent = { readonly kind: "done" } | { readonly kind: "refused" | "later"; readonly fault: string };

/** One send of a notice; `key` tells it apart from the other sends of the same notice, so that what is done is not done again. */
export interface Part {
  readonly key: string;
  /** Never throws; stops soon after `signal` aborts. */
  readonly send: (signal: AbortSignal) => Promise<Sent>;
}

/** A channel with its secret. */
export interface OpenChannel {
  readonly name: string;
  /** The sends that a notice needs by this channel; none where nobody is told by it. */
  readonly parts: (told: Told) => Promise<readonly Part[]>;
}

/** A channel as a project declares it. */
export interface Channel {
  readonly name: string;
  /** The name under which the vault of the acting process knows the secret, on the side `writes`; never the value. */
  readonly secret: string;
  /** Throws `configuration_invalid` where the secret has not the form that the channel needs. */
  readonly open: (parts: { readonly secret: string; readonly clock: Pick<Clock, "now"> }) => OpenChannel;
}

/** Where the desk shows what a notice is about, as a path. */
export function pathOf({ kind, decisionId, caseId }: Pick<Told, "kind" | "decisionId" | "caseId">): string {
  if (caseId !== null) return `/v1/cases/${encodeURIComponent(caseId)}`;
  if (decisionId === null) return kind === "model_ending" ? "/" : "/v1/autonomy";
  const page = kind === "waiting_review" ? "review" : "decisions";
  return `/${page}/${encodeURIComponent(decisionId)}`;
}

/** The code of a fault of the system, such as `ECONNREFUSED`; `unreachable` where it has none. */
export function faultCode(thrown: unknown): string {
  for (let at: unknown = thrown, depth = 0; at instanceof Error && depth < 4; at = at.cause, depth += 1) {
    if ("code" in at && typeof at.code === "string" && /^[A-Z][A-Z0-9_]{1,39}$/.test(at.code)) return at.code;
  }
  return "unreachable";
}
