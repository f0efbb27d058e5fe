/**
 * The closed list of error codes: each says what it means, what to do, its HTTP status and the CLI's exit code.
 * Callers match on `code`, never on text. `docs/errors.md` has one section for each; a test compares the two.
 */
export const errorCodes = {
  // What the caller sent.
  bad_request: { status: 400, exit: 2, means: "the request does not have the expected form" },
  bad_json: { status: 400, exit: 2, means: "the body is not JSON in the accepted form" },
  bad_text: { status: 400, exit: 2, means: "the text holds characters that cannot be kept (NUL, lone surrogates)" },
  too_large: { status: 413, exit: 2, means: "the request is larger than the limit" },
  input_invalid: { status: 422, exit: 2, means: "the inputs do not fit the capability's schema" },
  unknown_capability: { status: 404, exit: 2, means: "no capability of that name is open to this principal" },
  unknown_case: { status: 404, exit: 2, means: "no case of that name is open to this principal" },
  case_ended: { status: 409, exit: 2, means: "the case has ended, so nothing is told to it any more" },
  not_found: { status: 404, exit: 2, means: "nothing of that id is open to this principal" },
  method_not_allowed: { status: 405, exit: 2, means: "the route exists, not with this method" },
  idempotency_conflict: { status: 409, exit: 2, means: "the idempotency key was used for another request" },
  in_progress: { status: 409, exit: 2, means: "the same request is being decided right now" },
  // Who the caller is.
  unauthenticated: { status: 401, exit: 2, means: "no valid credential came with the request" },
  forbidden: { status: 403, exit: 2, means: "the credential does not permit this" },
  wrong_tenant: { status: 403, exit: 2, means: "the credential belongs to another tenant" },
  tenant_suspended: { status: 403, exit: 2, means: "the tenant is suspended, so nothing is asked or answered in it" },
  too_many_requests: { status: 429, exit: 1, means: "too many requests came from this address or with this credential" },
  too_busy: { status: 503, exit: 1, means: "the process has as much in work as it takes at once" },
  // Signing and approving.
  approval_invalid: {
    status: 403,
    exit: 1,
    means: "the approval's signature, key or form is not one that the acting side accepts",
  },
  approval_expired: { status: 409, exit: 1, means: "the approval had expired by the store's clock" },
  approval_used: { status: 409, exit: 1, means: "the approval was consumed or answered before" },
  approval_mismatch: {
    status: 409,
    exit: 1,
    means: "the approval is for another proposal, effect, params, tenant or environment",
  },
  approver_not_permitted: { status: 403, exit: 1, means: "this person may not sign this proposal" },
  not_waiting: { status: 409, exit: 2, means: "the proposal is not waiting for a person" },
  taken: { status: 409, exit: 1, means: "somebody else has taken this decision up and answers it" },
  nothing_to_sign: { status: 409, exit: 2, means: "nothing was proposed, so there is nothing to sign" },
  not_stopped: { status: 409, exit: 2, means: "what is to be resumed is not stopped" },
  policy_refuses: { status: 409, exit: 1, means: "policy does not let this effect through without a person" },
  not_enough_evidence: {
    status: 409,
    exit: 1,
    means: "people have judged too few decisions for what is to be learned from them",
  },
  evidence_changed: { status: 409, exit: 1, means: "what the evidence bears out is not what was to be signed" },
  migration_refused: { status: 409, exit: 1, means: "this step of a model's migration is not open in the state in which it is" },
  // Acting.
  key_conflict: { status: 409, exit: 1, means: "the business key is in use with other params" },
  stale_before_state: { status: 409, exit: 1, means: "the world changed between proposal and apply" },
  precondition_failed: { status: 409, exit: 1, means: "a precondition of the effect does not hold" },
  fenced_off: { status: 409, exit: 1, means: "another worker has taken the operation over" },
  not_sent: { status: 409, exit: 1, means: "the operation was begun and nothing was sent; its business key is free again" },
  found_not_applied: {
    status: 409,
    exit: 1,
    means: "a person found that the change was not made; its business key is free again",
  },
  effect_unknown: { status: 404, exit: 1, means: "no effect of that name is known here, or no hands are registered for it" },
  // Deciding.
  model_unavailable: { status: 502, exit: 1, means: "the model did not answer within its limits" },
  record_unavailable: { status: 502, exit: 1, means: "a system of record did not answer within its limits" },
  record_changed: { status: 502, exit: 1, means: "a system of record has other columns than its query declares" },
  group_too_small: { status: 409, exit: 1, means: "a total would tell of fewer than its query lets be told of" },
  calculation_refused: { status: 422, exit: 1, means: "a calculation does not work on the values that it was named for" },
  tool_changed: { status: 409, exit: 1, means: "a tool of an MCP server is not the one that a person accepted" },
  decision_abandoned: { status: 409, exit: 1, means: "the decision was ended by the sweeper before its decider finished" },
  decision_failed: {
    status: 500,
    exit: 1,
    means: "the decision's record could not be kept; it is recorded as stopped, with the reason",
  },
  index_stale: { status: 503, exit: 1, means: "the index of documents is further behind its source than was promised" },
  index_incomplete: { status: 500, exit: 1, means: "the index of documents holds less than was filed in it" },
  reference_time_missing: { status: 400, exit: 2, means: "a question about state came without a reference time" },
  reference_time_invalid: {
    status: 400,
    exit: 2,
    means: "a reference time or a date is none, names no one instant, or lies absurdly far ahead",
  },
  budget_spent: { status: 409, exit: 1, means: "a budget does not hold what this could take" },
  // The ledger.
  ledger_broken: { status: 500, exit: 1, means: "the ledger does not verify" },
  witness_unavailable: { status: 502, exit: 1, means: "a checkpoint of the ledger was not taken by its witness" },
  payload_erased: { status: 409, exit: 1, means: "what was written beside an entry was erased" },
  payload_unreadable: { status: 500, exit: 1, means: "a payload cannot be decrypted with the tenant's key" },
  unserialisable: { status: 400, exit: 2, means: "a value cannot be written as JSON without loss" },
  // Set-up.
  definition_invalid: { status: 500, exit: 2, means: "a capability, effect or project definition breaks a rule" },
  policy_invalid: { status: 500, exit: 2, means: "a policy file cannot be used, or its tests fail" },
  configuration_invalid: { status: 500, exit: 2, means: "a setting is missing or has no usable value" },
  boundary_unsigned: {
    status: 500,
    exit: 2,
    means: "a provider is to be sent text as it is, and no person has signed a reason that holds",
  },
  secret_missing: { status: 500, exit: 2, means: "a secret that this process needs is not in its vault" },
  port_taken: { status: 500, exit: 2, means: "the port is in use by another program" },
  already_running: { status: 500, exit: 2, means: "this project is already running" },
  database_unavailable: { status: 503, exit: 1, means: "the database cannot be reached" },
  database_start_failed: { status: 500, exit: 1, means: "the embedded database could not be started" },
  migration_failed: { status: 500, exit: 1, means: "a migration could not be applied" },
  backup_unreadable: {
    status: 422,
    exit: 1,
    means: "the file is no whole backup, was altered, or does not open with what was given",
  },
  backup_too_new: { status: 422, exit: 1, means: "the backup was made by a newer version" },
  database_not_empty: { status: 409, exit: 1, means: "the database to restore into holds something already" },
  restore_failed: { status: 500, exit: 1, means: "the database did not take what the backup holds" },
  service_unavailable: { status: 503, exit: 1, means: "a process of this project cannot be reached" },
  notice_undelivered: { status: 502, exit: 1, means: "a notice was not taken by whoever should tell people of it" },
  internal: { status: 500, exit: 1, means: "a fault of ours; the details are in the log under the given id" },
} as const satisfies Record<string, { status: number; exit: 1 | 2; means: string }>;

/** One code of the closed list. */
export type ErrorCode = keyof typeof errorCodes;

/** Facts that go with an error: names and counts, never secrets or personal data. */
export type ErrorFacts = Readonly<Record<string, string | number | boolean | null | readonly string[]>>;

/** The one error class of Countersign: a code from the closed list, facts as fields, the original as `cause`. */
export class CountersignError extends Error {
  readonly code: ErrorCode;
  readonly facts: ErrorFacts;

  constructor(code: ErrorCode, message: string, options: { facts?: ErrorFacts; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "CountersignError";
    this.code = code;
    this.facts = options.facts ?? {};
  }
}

/** Says whether a thrown value is a `CountersignError`, of one given code if asked. */
export function isCountersignError(thrown: unknown, code?: ErrorCode): thrown is CountersignError {
  return thrown instanceof CountersignError && (code === undefined || thrown.code === code);
}

/** The message of anything that was thrown, for facts and logs of our own errors. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** The kind of a fault in one word: our code, else the error's name where it is one. Whoever throws may have put anything else there. */
export function faultName(thrown: unknown): string {
  if (thrown instanceof CountersignError) return thrown.code;
  if (!(thrown instanceof Error)) return "unknown";
  return /^[A-Za-z]{1,60}$/.test(thrown.name) ? thrown.name : "Error";
}

/** Ends a `switch` over a closed union: compiles only when every case was handled. */
export function assertNever(value: never): never {
  throw new CountersignError("internal", `unhandled case \`${JSON.stringify(value)}\``);
}
