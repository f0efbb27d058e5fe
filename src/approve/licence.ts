import type { ApprovalSubject, Approved, Grant } from "../contract/approval.ts";
import type { Project } from "../define/project.ts";
import type { Policy } from "../guard/policy/policy.ts";
import type { PayloadKeys } from "../ledger/payload.ts";
import type { Tx } from "../store/database.ts";
import type { ApprovalRow } from "../store/tables.ts";
import type { Accounts, RolesFrom } from "./accounts.ts";
import type { EffectTask } from "./effect-task.ts";
import type { PinnedKeys } from "./read-grant.ts";
import type { Refusal } from "./refusal.ts";
import type { Stories } from "./stories.ts";

/** What the acting side measures approvals by; all of it from its own configuration and code. */
export interface Measure {
  readonly project: Project;
  readonly environment: string;
  readonly keys: PinnedKeys;
  readonly policy: Policy;
  readonly payloadKeys: PayloadKeys;
  readonly rolesFrom: RolesFrom;
}

/** The other one of two signatures. */
export interface SecondSignature {
  readonly grant: Grant;
  readonly approvalId: string;
  readonly approvedEntryId: string;
}

/** An effect that may be applied, with the grant that permits it. */
export interface LicensedEffect {
  readonly kind: "effect";
  readonly grant: Grant;
  readonly approvedEntryId: string;
  readonly task: EffectTask;
  /** For high risk, another person's; else `null`. */
  readonly second: SecondSignature | null;
}

/** A threshold that may be set, with the grant that permits it. */
export interface LicensedSlice {
  readonly kind: "slice";
  readonly grant: Grant;
  readonly approvedEntryId: string;
  readonly subject: Extract<ApprovalSubject, { kind: "slice" }>;
}

export type Verified =
  | { readonly kind: "approved"; readonly approved: Approved<LicensedEffect> | Approved<LicensedSlice> }
  /** It holds, and a signature that the proposal takes besides is missing. */
  | { readonly kind: "awaits" }
  | Refusal;

/** What is verified: one row as it stands, the store's time, and the state it must be in (`consumed` before a repeated send). */
export interface Verifying {
  readonly tx: Tx;
  readonly row: ApprovalRow;
  readonly now: number;
  readonly expects: "granted" | "consumed";
  readonly measure: Measure;
  readonly stories: Stories;
  readonly accounts: Accounts;
}
