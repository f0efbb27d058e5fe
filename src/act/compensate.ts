import type { EffectTask } from "../approve/effect-task.ts";
import { openStories, type Stories } from "../approve/stories.ts";
import { toFrozenJson } from "../contract/json.ts";
import { type AllowList, isListed, type Principal } from "../contract/principal.ts";
import { compensationOf } from "../define/compensation.ts";
import { effectStates } from "../ledger/effect-views.ts";
import { endOf, successorOf } from "../ledger/ends.ts";
import type { DecisionStory } from "../ledger/story.ts";
import { readWanted, wantDecision } from "../ledger/wanted.ts";
import type { Tx } from "../store/database.ts";
import type { Acting } from "./acting.ts";
import type { Held } from "./held.ts";
import { type Observation, observe } from "./observe.ts";
import { inTenant, type Recording, recordIn } from "./record.ts";

/** How often a compensation that waits for its decision, its signature or its operation is looked at, in milliseconds. */
const soonestMs = 500;
const latestMs = 30_000;

/** How the undoing of an operation stands. */
type Undoing =
  | { readonly kind: "unwanted" }
  | { readonly kind: "open" }
  | { readonly kind: "done"; readonly decisionId: string; readonly operationId: string | null }
  | { readonly kind: "failed"; readonly reason: string; readonly decisionId: string | null };

/**
 * Carries the undoing of a held operation on: wants a decision that proposes the compensating effect, which is signed and carried out
 * like every other, and ends the operation when that was seen complete. Where it is rejected or goes wrong itself, a person is called.
 */
export async function compensate(held: Held, acting: Acting): Promise<void> {
  const { tenant } = held;
  const undoing = await acting.database.inTenant(tenant, (tx) => undoingOf(tx, held, acting));
  const observation = undoing.kind === "unwanted" ? await observe(held.task, acting) : null;
  const recording = (now: number) => recordingOf(undoing, held, now);
  await inTenant({
    tenant,
    parts: acting,
    work: async (tx) => {
      if (observation?.kind === "seen") await want({ tx, held, observation, acting });
      const [written] = await recordIn({ tx, reports: [{ held, recording }], parts: acting });
      if (written instanceof Error) throw written;
    },
  });
}

function recordingOf(undoing: Undoing, held: Held, now: number): ReturnType<Recording> {
  const ended = { leaseUntil: now, dueAt: now };
  switch (undoing.kind) {
    case "done": {
      const facts = { by: undoing.decisionId, byOperation: undoing.operationId };
      return { steps: [{ kind: "compensated", facts }], move: { state: "compensated", ...ended } };
    }
    case "failed": {
      const facts = { by: undoing.decisionId, owner: held.task.effect.owner, reason: undoing.reason };
      return { steps: [{ kind: "escalated", facts }], move: { state: "escalated", ...ended } };
    }
    default: {
      // Nobody decided, signed or could read in all that time.
      if (now >= held.deadlineAt)
        return recordingOf({ kind: "failed", reason: "compensation_late", decisionId: null }, held, now);
      const dueAt = now + Math.min(latestMs, Math.max(soonestMs, (now - held.createdAt) / 10));
      return { steps: [], move: { state: "compensating", leaseUntil: now, dueAt: Math.ceil(dueAt) } };
    }
  }
}

// The wanted decision has the id of the entry that asks for the undoing: however often it is wanted, it is one.
async function undoingOf(tx: Tx, held: Held, { measure }: Acting): Promise<Undoing> {
  const { tenant, lastEntryId } = held;
  const wanted = await readWanted(tx, { tenant, id: lastEntryId });
  if (wanted === null) {
    const isDeclared = held.task.effect.compensate !== undefined;
    return isDeclared ? { kind: "unwanted" } : { kind: "failed", reason: "definition_gone", decisionId: null };
  }
  if (wanted.state === "waiting") return { kind: "open" };
  if (wanted.decisionId === null) return { kind: "failed", reason: "compensation_undecided", decisionId: null };
  const stories = openStories({ tx, tenant, keys: measure.payloadKeys });
  return follow({ decisionId: wanted.decisionId, cause: lastEntryId, held, stories });
}

/** Most times that people may put another proposal in the place of one. */
const mostEdits = 20;

/**
 * How the decision stands that proposes the undoing, or the one that a person put in its place. It is believed to be that only where it
 * is of the capability that undoes this effect and follows the entry that asked for it: other roles write what leads here.
 */
async function follow({
  decisionId,
  cause,
  held,
  stories,
  edits = 0,
}: {
  decisionId: string;
  cause: string;
  held: Held;
  stories: Stories;
  edits?: number;
}): Promise<Undoing> {
  const story = await stories.of(decisionId);
  if (story === null) return { kind: "open" };
  const { effect } = held.task;
  const isUndoing =
    story.outcome.cause === cause &&
    story.outcome.body["capability"] === compensationOf(effect.name) &&
    (story.proposal?.effects ?? []).every((one) => one.effect === effect.compensate?.effect.name);
  if (!isUndoing || edits > mostEdits) return { kind: "failed", reason: "compensation_mismatch", decisionId };
  const successor = successorOf(story);
  if (successor === null) return standingOf(story);
  return follow({ decisionId: successor, cause: story.outcome.id, held, stories, edits: edits + 1 });
}

function standingOf(story: DecisionStory): Undoing {
  const { decisionId, outcome, operations } = story;
  const failed = (reason: string): Undoing => ({ kind: "failed", reason, decisionId });
  if (outcome.kind !== "decided" || outcome.body["route"] === "reject") return failed("compensation_undecided");
  const effects = effectStates(story);
  if (effects.length > 0 && effects.every(({ state }) => state === "complete")) {
    // By an operation of its own: an undoing that was joined to an earlier one undid that, and not this.
    const made = operations.find(({ state }) => state === "complete");
    return made === undefined ? failed("compensation_joined") : { kind: "done", decisionId, operationId: made.id };
  }
  if (effects.some(({ state }) => wentWrong.has(state))) return failed("compensation_failed");
  return endOf(story) === undefined ? { kind: "open" } : failed("compensation_rejected");
}

const wentWrong: ReadonlySet<string> = new Set(["escalated", "failed", "refused", "compensated"]);

/** In the name of whoever asked. What undoes an effect belongs to it, so who may have the effect may have it undone. */
function undoer({ requester, effect: { compensate } }: EffectTask): Principal {
  if (compensate === undefined) return requester;
  const { allow } = requester;
  const { name, before } = compensate.effect;
  return {
    ...requester,
    allow: { ...allow, effects: withName(allow.effects, name), records: withName(allow.records, before.query) },
  };
}

function withName(list: AllowList, name: string): AllowList {
  return isListed(list, name) || list === "all" ? list : [...list, name];
}

async function want({
  tx,
  held,
  observation,
  acting,
}: {
  tx: Tx;
  held: Held;
  observation: Extract<Observation, { kind: "seen" }>;
  acting: Acting;
}): Promise<void> {
  const { tenant, task, lastEntryId } = held;
  const inputs = {
    operationId: held.id,
    params: task.params,
    before: task.proposed.before,
    observed: observation.observed,
  };
  const capability = compensationOf(task.effect.name);
  const wanted = {
    tenant,
    id: lastEntryId,
    capability,
    principal: undoer(task),
    inputs: toFrozenJson(inputs),
    cause: lastEntryId,
  };
  await wantDecision(tx, wanted, acting.measure.payloadKeys);
}
