import type { Ids } from "../../contract/ports.ts";
import type { Principal } from "../../contract/principal.ts";
import type { Project } from "../../define/project.ts";
import type { Policy } from "../../guard/policy/policy.ts";
import type { PayloadKeys } from "../../ledger/payload.ts";
import type { Tx } from "../../store/database.ts";
import type { SigningKey } from "../../store/signature.ts";

/** What signing needs; the key is the desk's own. */
export interface Signing {
  readonly project: Project;
  readonly environment: string;
  readonly key: SigningKey;
  readonly policy: Policy;
  readonly payloadKeys: PayloadKeys;
  readonly ids: Ids;
}

/** A person at the desk in front of one decision, at a time of the store's clock. */
export interface Answering {
  readonly tx: Tx;
  readonly principal: Principal;
  readonly decisionId: string;
  readonly now: number;
}

/** What a person's answer left behind. */
export interface Answered {
  readonly decisionId: string;
  readonly entryIds: readonly string[];
  readonly approvalIds: readonly string[];
}
