import type { KeyScope } from "./identity.ts";

/** Who is signed in, and what the console shows them: every word of it follows from policy and from how this desk was started. */
export interface SessionView {
  readonly tenant: string;
  readonly id: string;
  readonly name: string;
  readonly roles: readonly string[];
  /** What this caller's key or session may be used for. */
  readonly scopes: readonly KeyScope[];
  /** Goes with every request but GET and HEAD, in the header `countersign-token`; `null` where the caller came with a credential. */
  readonly token: string | null;
  /** Milliseconds since the epoch; `null` where the caller came with a credential. */
  readonly expiresAt: number | null;
  /** Where effects may happen, such as `demo`. */
  readonly environment: string;
  /** Anybody who opens the page may sign in here. */
  readonly isDemo: boolean;
  /** A capability here asks a scripted provider: its replies are written beforehand, by no model. */
  readonly isScripted: boolean;
  /** Whether something is stopped just now, which everybody is told: all of the tenant, or a part; `null` where nothing is. */
  readonly stopped: "everything" | "some" | null;
  /** The version of the product. */
  readonly version: string;
  /** Names of people by id, as far as this desk knows them. Who is not in it is known by the id. */
  readonly people: readonly { readonly id: string; readonly name: string }[];
  readonly may: MayView;
}

/** What of the console is open to this caller. The answer to a request is policy's all the same. */
export interface MayView {
  /** Ask, and look at what they asked for. */
  readonly ask: boolean;
  /** The queue of what waits for a person. */
  readonly review: boolean;
  /** What is stopped, by whom and why. */
  readonly halts: boolean;
  /** Stop, and lift a stop. */
  readonly stop: boolean;
  readonly spend: boolean;
  readonly autonomy: boolean;
  /** Sign the threshold of a slice. */
  readonly openSlices: boolean;
  readonly operations: boolean;
  readonly ledger: boolean;
  readonly evals: boolean;
  readonly models: boolean;
  readonly policies: boolean;
  /** All that was kept of the decisions of others. */
  readonly audit: boolean;
}
