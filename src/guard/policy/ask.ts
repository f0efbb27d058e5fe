import * as cedar from "@cedar-policy/cedar-wasm/nodejs";
import type { PolicyRuling } from "../../contract/principal.ts";
import type { Action } from "./actions.ts";
import { type CompiledPolicies, policySetOf } from "./compile.ts";
import { engineQuestion } from "./entities.ts";
import type { EngineQuestion, Question } from "./question.ts";

/** Answers a question. Never throws: whatever is no clean yes is a no. */
export type Ask = (question: Question) => PolicyRuling;

/** What evaluates policies, by the version under which they were compiled. */
export type Engine = (version: string, action: Action, question: EngineQuestion) => cedar.AuthorizationAnswer;

/** Answers that are kept. An answer depends on the question and the policies alone, so it never grows old. */
const mostKept = 10_000;

/** Asks compiled policies. A forbid beats every permit; an evaluation with an error, or none at all, is a no. */
export function openAsk(compiled: CompiledPolicies, engine: Engine = quickEngine): Ask {
  const kept = new Map<string, PolicyRuling>();
  return (question) => {
    try {
      const asked = engineQuestion(question);
      const key = JSON.stringify(asked);
      const known = kept.get(key);
      if (known !== undefined) return known;
      const ruling = rulingOf(engine(compiled.version, question.action, asked), question, compiled);
      if (kept.size >= mostKept)
        for (const oldest of kept.keys()) {
          kept.delete(oldest);
          break;
        }
      kept.set(key, ruling);
      return ruling;
    } catch {
      return unavailable;
    }
  };
}

/** Evaluates what this program asks: its questions fit the schema by their types. What does not evaluate is no yes all the same. */
const quickEngine: Engine = (version, action, question) => cedar.statefulIsAuthorized(callOf({ version, action, question }));

/** Evaluates what people write, and holds it against the schema first; for tests of policies and for explaining them. */
export const strictEngine: Engine = (version, action, question) =>
  cedar.statefulIsAuthorized({
    ...callOf({ version, action, question }),
    ...{ preparsedSchemaName: version, validateRequest: true },
  });

function callOf({ version, action, question }: { version: string; action: Action; question: EngineQuestion }) {
  return {
    ...question,
    context: { ...question.context },
    // The engine reads these and changes none.
    entities: question.entities as unknown as cedar.Entities,
    preparsedPolicySetId: policySetOf(version, action),
    validateRequest: false,
  };
}

const unavailable: PolicyRuling = Object.freeze({
  kind: "refused",
  rule: "policy_unavailable",
  reason: "the policies could not be asked, so the answer is no",
  policies: Object.freeze([]),
});

function rulingOf(answer: cedar.AuthorizationAnswer, { action }: Question, compiled: CompiledPolicies): PolicyRuling {
  // Invariant: a policy that failed decides nothing, and what it might have forbidden is not known.
  if (answer.type !== "success" || answer.response.diagnostics.errors.length > 0) return unavailable;
  const { decision, diagnostics } = answer.response;
  const policies = Object.freeze([...diagnostics.reason].sort((one, other) => placeOf(one, compiled) - placeOf(other, compiled)));
  const [rule] = policies;
  if (decision === "allow" && rule !== undefined) return Object.freeze({ kind: "permitted", rule, policies });
  const told = rule === undefined ? compiled.firstPermits.get(action) : compiled.policies[placeOf(rule, compiled)];
  if (told === undefined)
    return Object.freeze({ kind: "refused", rule: "no_policy", reason: "no policy permits this", policies });
  return Object.freeze({ kind: "refused", rule: told.id, reason: told.refusal, policies });
}

function placeOf(id: string, { places }: CompiledPolicies): number {
  return places.get(id) ?? Number.MAX_SAFE_INTEGER;
}
