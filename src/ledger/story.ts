import type { Json, JsonObject } from "../contract/json.ts";
import type { Proposal } from "../contract/proposal.ts";
import type { EntryView } from "../contract/views.ts";
import type { ApprovalRow, OperationRow } from "../store/tables.ts";

/** An entry with its body parsed and its payload opened. */
export interface ReadEntry extends Omit<EntryView, "body"> {
  readonly body: JsonObject;
  /** The decrypted bodies by name; none where the payload was erased or cannot be read, or the entry has none. */
  readonly bodies: { readonly [name: string]: Json };
  readonly isErased: boolean;
  /** The payload is there and does not decrypt. */
  readonly isUnreadable: boolean;
}

/** Everything that the store holds of one decision. */
export interface DecisionStory {
  readonly tenant: string;
  readonly decisionId: string;
  readonly requestedBy: string;
  readonly onBehalfOf: string | null;
  /** Its one `decided` or `stopped` entry. */
  readonly outcome: ReadEntry;
  readonly proposal: Proposal | null;
  /** The decision whose entry is the outcome's cause, such as intake's. */
  readonly follows: string | null;
  /** What followed, in the order of what was committed. */
  readonly following: readonly ReadEntry[];
  readonly approvals: readonly ApprovalRow[];
  readonly operations: readonly OperationRow[];
}
