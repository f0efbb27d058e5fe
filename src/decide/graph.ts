/**
 * The way of a decision: twelve stations, in this order, for every capability. Read this file first.
 * What may decide is contained to one of them (`llm_decision`); everything after it checks, weighs and routes what it said.
 * Nothing here changes the world: the graph's output is a frozen proposal, and people come after `exit`.
 */
import { decisionGraph } from "./builder.ts";
import { confidenceCompose } from "./nodes/confidence-compose.ts";
import { contextLoad } from "./nodes/context-load.ts";
import { entry } from "./nodes/entry.ts";
import { exit } from "./nodes/exit.ts";
import { judge } from "./nodes/judge.ts";
import { llmDecision } from "./nodes/llm-decision.ts";
import { memoryWrite } from "./nodes/memory-write.ts";
import { outputGuardrail } from "./nodes/output-guardrail.ts";
import { preCheck } from "./nodes/pre-check.ts";
import { prepareProposal } from "./nodes/prepare-proposal.ts";
import { routing } from "./nodes/routing.ts";
import { verification } from "./nodes/verification.ts";

/** The one fixed graph. A wrong order, a missing, doubled or untyped node, an unread or overwritten slot does not compile. */
export const graph = decisionGraph()
  .add("entry", entry) // who asks, what was received, when
  .add("pre_check", preCheck) // inputs that fit the capability's schema, or an early stop
  .add("context_load", contextLoad) // only the passages and records that this decision needs
  .add("llm_decision", llmDecision) // the one place where a model speaks; its reply fits the schema or fails
  .add("output_guardrail", outputGuardrail) // what may not leave is redacted or blocks
  .add("verification", verification) // named checks in code, with evidence
  .add("judge", judge) // a second opinion, in a share of the decisions
  .add("confidence_compose", confidenceCompose) // one number from independent signals
  .add("routing", routing) // auto, a person, or reject, with the rule that fired
  .add("prepare_proposal", prepareProposal) // the frozen proposal; may lower the route, never raise it
  .add("memory_write", memoryWrite) // the notes to be kept
  .add("exit", exit) // the outcome
  .seal();
