import type { LoadedContext } from "../../contract/context.ts";
import type { Envelope } from "../../contract/principal.ts";
import type { Deps } from "../state.ts";

/** What a guard sees: every text of the output, and what this principal was permitted to see. */
export interface Guarded {
  /** Every text leaf of the output. */
  readonly texts: readonly string[];
  /** The same texts as a reader sees them, without regard to case: see `shown.ts`. */
  readonly folds: readonly string[];
  /** Every text that stood in the inputs or the loaded context: what the principal may see. Gathered when a guard asks. */
  readonly permitted: () => readonly string[];
  readonly context: LoadedContext;
  readonly envelope: Envelope;
  readonly deps: Deps;
}

/** What one guard says: pass; cut these texts out; or block everything. Reasons never repeat what was found. */
export type GuardRuling =
  | { readonly kind: "pass" }
  | { readonly kind: "redact"; readonly values: readonly string[]; readonly with: string }
  | { readonly kind: "block"; readonly reason: string };

export interface Guard {
  readonly name: string;
  /** A guard that asks nobody answers at once, and needs no time limit. */
  readonly rule: (guarded: Guarded) => GuardRuling | Promise<GuardRuling>;
}
