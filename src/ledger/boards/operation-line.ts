import type { ExplainedOperation } from "../../contract/explanation.ts";
import type { OperationLine, OperationView } from "../../contract/operation-view.ts";
import type { DecisionView, EffectView, Sight } from "../../contract/views.ts";
import type { OperationRow } from "../../store/tables.ts";
import { explainEffects } from "../explain/effects.ts";
import type { DecisionStory } from "../story.ts";
import { movingStates } from "./operation-rows.ts";

/** One operation with the decision that it belongs to, as somebody may see that. */
export interface SeenOperation {
  readonly row: OperationRow;
  readonly story: DecisionStory;
  readonly view: DecisionView;
  readonly sight: Sight;
}

/** An operation as somebody may see it; every word of it is recorded, or follows from the definitions by `view`. */
export function operationView({ row, story, view }: SeenOperation): OperationView {
  const effect = view.effects.find(({ index }) => index === row.effect_index) ?? null;
  const explained = explainEffects(story, view)[row.effect_index] ?? null;
  const course = explained?.operations.find(({ operationId }) => operationId === row.id) ?? null;
  return {
    ...standingOf(row),
    ...proposedOf(effect, row),
    ...seenOf(course, effect),
    capability: view.capability,
    since: lastOf(course) ?? row.created_at.getTime(),
    approvals: explained?.approvals.filter(({ approvalId }) => isOf(row, approvalId)) ?? [],
    course,
  };
}

/** What the effect is like, as far as the view holds it. */
function proposedOf(effect: EffectView | null, { id }: OperationRow) {
  const { sentence, risk, sideEffect, reversible, dedupe, stopped, before } = effect ?? unknown;
  // What is said of an effect is said of its newest operation.
  const { resolvable, resolution } = effect?.operationId === id ? effect : { resolvable: [], resolution: null };
  return { sentence, risk, sideEffect, reversible, dedupe, stopped, before, resolvable, resolution };
}

const unknown = {
  ...{ sentence: null, risk: null, sideEffect: null, reversible: null, dedupe: null, stopped: null, before: null },
} as const;

/** What the newest look found; before the first one what is to be found. */
function seenOf(course: ExplainedOperation | null, effect: EffectView | null) {
  const look = course?.looks.at(-1);
  if (look === undefined)
    return { verdict: null, expected: effect?.expected ?? null, observed: null, differs: [], forbidden: [] };
  const { verdict, expected, observed, differs, forbidden } = look;
  return { verdict, expected, observed, differs, forbidden };
}

/** The part of a view that a list tells. */
export function operationLine(seen: SeenOperation): OperationLine {
  const { before: _, approvals: __, course: ___, ...line } = operationView(seen);
  return line;
}

function standingOf(row: OperationRow) {
  return {
    ...{ id: row.id, decisionId: row.decision_id, effectIndex: row.effect_index, effect: row.effect },
    ...{ state: row.state, key: row.key, generation: row.generation, attempts: row.attempts, fence: Number(row.fence) },
    ...{ begunAt: row.created_at.getTime(), deadlineAt: row.deadline_at.getTime() },
    nextLookAt: movingStates.has(row.state) ? row.due_at.getTime() : null,
  };
}

function isOf({ approval_id, second_approval_id }: OperationRow, approvalId: string): boolean {
  return approvalId === approval_id || approvalId === second_approval_id;
}

/** When something was last recorded of it. */
function lastOf(course: ExplainedOperation | null): number | null {
  if (course === null) return null;
  const sent = course.sends.flatMap(({ at, response }) => [at, response?.at ?? at]);
  const times = [...sent, ...course.looks.map(({ at }) => at), ...course.ends.map(({ at }) => at)];
  return times.length === 0 ? null : Math.max(...times);
}
