/** The closed lists of words that are stored. A word that is not here cannot be written; see `docs/glossary.md`. */

/** What an entry records. */
export const entryKinds = [
  "decided",
  "stopped",
  "approved",
  "rejected",
  "refused",
  "withdrawn",
  "expired",
  "resolved",
  "applying",
  "applied",
  "observed",
  "compensated",
  "escalated",
  "corrected",
  "erased",
  "restored",
] as const;
export type EntryKind = (typeof entryKinds)[number];

/** What people are told of without having asked. */
export const noticeKinds = ["waiting_review", "expired", "escalated", "outcome", "demoted", "model_ending"] as const;
export type NoticeKind = (typeof noticeKinds)[number];

/** The three database roles that write entries. */
export const writerRoles = ["deciding", "desk", "acting"] as const;
export type WriterRole = (typeof writerRoles)[number];

/** Every role that logs in to the database: those that write entries, and the one that files documents and reads nothing of decisions. */
export const databaseRoles = [...writerRoles, "ingesting"] as const;
export type DatabaseRole = (typeof databaseRoles)[number];

/** How a proposal goes on after the graph. */
export const routes = ["auto", "hitl_recommended", "hitl_required", "reject"] as const;
export type Route = (typeof routes)[number];

/** The rule that fixed a route; later rules may lower a route, never raise it, and both are kept. */
export const routingRules = [
  "no_effects",
  "at_or_above_threshold",
  "within_margin",
  "below_margin",
  "not_verified",
  "judge_failed",
  "non_conforming_output",
  "loop_cap_hit",
  "loop_no_progress",
  "loop_not_enough",
  "tool_off_list",
  "risk_high",
  "risk_not_low",
  "source_not_trusted",
  "not_in_plan",
  "claims_dropped",
  "sources_conflict",
  "budget_spent",
  "audit_sample",
] as const;
export type RoutingRule = (typeof routingRules)[number];

/** What the separate read says of an operation. */
export const verdicts = ["complete", "incomplete", "failed", "unknown"] as const;
export type Verdict = (typeof verdicts)[number];

/** Why a decision ended without a proposal. */
export const stopReasons = [
  "input_invalid",
  "reference_unresolved",
  "not_in_sources",
  "record_unavailable",
  "knowledge_unavailable",
  "context_invalid",
  "non_conforming_output",
  "loop_unfinished",
  "tool_off_list",
  "model_unavailable",
  "blocked_by_guard",
  "not_permitted",
  "budget_spent",
  "cancelled",
  "abandoned",
  "node_failed",
] as const;
export type StopReason = (typeof stopReasons)[number];

export const risks = ["low", "medium", "high"] as const;
export type Risk = (typeof risks)[number];

/** `read` changes nothing, `mutating` changes our house, `external` is seen outside (mail, payment). */
export const sideEffects = ["read", "mutating", "external"] as const;
export type SideEffect = (typeof sideEffects)[number];

/** What the target offers against doubles; decides what may be promised. */
export const dedupes = ["key", "fence", "conditional", "observe", "none"] as const;
export type Dedupe = (typeof dedupes)[number];

/** What a param of an effect is for; decides which sources are good enough for it. */
export const paramClasses = ["target", "selector", "amount", "time", "param", "secret", "memo", "content", "flag"] as const;
export type ParamClass = (typeof paramClasses)[number];

/** Where a value in a proposal comes from. */
export const sourceKinds = [
  "principal",
  "constant",
  "calculation",
  "directory",
  "record",
  "fact",
  "passage",
  "model",
  "third_party",
] as const;
export type SourceKind = (typeof sourceKinds)[number];

/** The life of an operation. */
export const operationStates = [
  "applying",
  "applied",
  "complete",
  "incomplete",
  "failed",
  "unknown",
  "retrying",
  "compensating",
  "compensated",
  "escalated",
  "refused",
] as const;
export type OperationState = (typeof operationStates)[number];

/** What a person found of an operation whose outcome the acting half could not settle. */
export const resolvedOutcomes = ["happened", "not_happened", "compensate"] as const;
export type ResolvedOutcome = (typeof resolvedOutcomes)[number];

/** What an emergency stop stops. */
export const haltScopes = ["effect", "capability", "tenant"] as const;
export type HaltScope = (typeof haltScopes)[number];

/** Why the threshold of a slice was taken back. */
export const breaches = [
  "verification_failed",
  "reversed",
  "reviews_disagree",
  "scores_drifted",
  "definition_changed",
  "rule_changed",
  "connector_changed",
] as const;
export type Breach = (typeof breaches)[number];

/** The twelve stations of a decision, in order. */
export const nodeNames = [
  "entry",
  "pre_check",
  "context_load",
  "llm_decision",
  "output_guardrail",
  "verification",
  "judge",
  "confidence_compose",
  "routing",
  "prepare_proposal",
  "memory_write",
  "exit",
] as const;
export type NodeName = (typeof nodeNames)[number];

/** Who can write into a field of a record or a source of facts; an undeclared field is `third`. */
export const fieldLabels = ["own", "directory", "system", "shared", "third", "secret"] as const;
export type FieldLabel = (typeof fieldLabels)[number];

/** Shares and confidences are integers in parts per million; this is one. */
export const onePpm = 1_000_000;
/** A threshold that no confidence reaches: every proposal with an effect goes to a person. */
export const neverAutoPpm = onePpm + 1;
