import type { ColumnType, Generated, Insertable, Selectable } from "kysely";
import type { EntryKind, HaltScope, NoticeKind, OperationState, ResolvedOutcome, Route } from "../contract/words.ts";

/** A timestamp: read as `Date`, written as `Date` or ISO text. */
type Instant = ColumnType<Date, Date | string, Date | string>;
type MadeInstant = ColumnType<Date, Date | string | undefined, Date | string>;

/** The tables of the schema `countersign`, as Kysely sees them; `migrations/` is what counts. */
export interface Tables {
  tenant: { id: string; name: string; created_at: MadeInstant };
  intent: {
    tenant: string;
    decision_id: string;
    entry_id: string;
    capability: string;
    principal: string;
    idempotency_key: string | null;
    request_digest: Buffer;
    cause: string | null;
    lease_until: Instant;
    ended: Generated<boolean>;
    writer: Generated<string>;
  };
  entry: {
    tenant: string;
    id: string;
    xid: Generated<string>;
    n: Generated<string>;
    kind: EntryKind;
    decision_id: string | null;
    cause: string | null;
    capability: string | null;
    route: Route | null;
    effects: Generated<number>;
    ts: string | number;
    writer: Generated<string>;
    body: string;
    hash: Buffer;
  };
  waiting: { tenant: string; decision_id: string };
  payload: { tenant: string; entry_id: string; body: Buffer | null; erased_at: Instant | null };
  seal: {
    tenant: string;
    seq: string | number;
    entry_id: string;
    prev_hash: Buffer;
    entry_hash: Buffer;
    sealed_at: MadeInstant;
    writer: Generated<string>;
  };
  spend: {
    tenant: string;
    decision_id: string;
    position: number;
    purpose: string;
    model: string;
    outcome: string;
    input_tokens: number;
    cached_tokens: number;
    cache_write_tokens: number;
    output_tokens: number;
    reasoning_tokens: number;
    cost_micros: string | number;
    ts: string | number;
  };
  slice: {
    tenant: string;
    capability: string;
    capability_version: string;
    slice: string;
    threshold_ppm: number;
    granted_at: string | number;
    approval_id: string;
    entry_id: string;
    set_at: MadeInstant;
  };
  approval: {
    tenant: string;
    id: string;
    decision_id: string | null;
    effect_index: number | null;
    granted_by: "person" | "policy";
    approver: string;
    body: string;
    signature: string;
    entry_id: string;
    needs: Generated<number>;
    state: Generated<"granted" | "consumed" | "refused" | "expired" | "withdrawn">;
    created_at: MadeInstant;
    writer: Generated<string>;
  };
  withdrawal: { tenant: string; approval_id: string; entry_id: string };
  claim: { tenant: string; decision_id: string; principal: string | null; until: Instant | null };
  operation: {
    tenant: string;
    id: string;
    effect: string;
    key: string;
    generation: Generated<number>;
    params_digest: string;
    decision_id: string;
    effect_index: number;
    approval_id: string;
    second_approval_id: string | null;
    state: OperationState;
    fence: ColumnType<string, string | number | undefined, string | number>;
    lease_until: Instant;
    due_at: Instant;
    deadline_at: Instant;
    last_send_at: Instant | null;
    attempts: Generated<number>;
    last_entry_id: string;
    created_at: MadeInstant;
    writer: Generated<string>;
  };
  notice: {
    tenant: string;
    id: string;
    kind: NoticeKind;
    decision_id: string;
    entry_id: string;
    to_kind: "principal" | "role" | "owner";
    to_name: string;
    at: MadeInstant;
    state: Generated<"waiting" | "sent" | "failed">;
    attempts: Generated<number>;
    due_at: MadeInstant;
    done: Generated<string[]>;
    refused: Generated<string[]>;
    writer: Generated<string>;
  };
  resolution: { tenant: string; operation_id: string; entry_id: string; outcome: ResolvedOutcome; done: Generated<boolean> };
  halt: {
    tenant: string;
    id: string;
    scope: HaltScope;
    name: string;
    is_stopped: boolean;
    by_principal: string;
    reason: string;
    at: MadeInstant;
    n: Generated<string>;
    writer: Generated<string>;
  };
  progress: { tenant: string; reader: string; xid: string; n: string };
  document: {
    tenant: string;
    id: string;
    title: string;
    version: string;
    owner: string;
    status: "current" | "draft" | "archived";
    valid_from: Instant;
    valid_to: Instant | null;
    scopes: string[];
  };
  passage: {
    tenant: string;
    document_id: string;
    version: string;
    position: number;
    section: string;
    body: string;
    terms: Generated<string>;
  };
}

export type OperationRow = Selectable<Tables["operation"]>;
export type ApprovalRow = Selectable<Tables["approval"]>;
export type NewOperationRow = Insertable<Tables["operation"]>;
