import { sql } from "kysely";
import { type Accounts, openAccounts } from "../approve/accounts.ts";
import { judgeSigner } from "../approve/as-now.ts";
import type { EffectTask } from "../approve/effect-task.ts";
import { openStories } from "../approve/stories.ts";
import { everything, type Principal } from "../contract/principal.ts";
import type { ResolvedOutcome } from "../contract/words.ts";
import { editorOf } from "../ledger/asker.ts";
import type { DecisionStory } from "../ledger/story.ts";
import type { Tx } from "../store/database.ts";
import type { OperationRow } from "../store/tables.ts";
import type { Acting } from "./acting.ts";
import type { Held } from "./held.ts";
import { heldOf, taskOf } from "./hold.ts";
import { type Observation, observe } from "./observe.ts";
import { inTenant, type Recording, recordIn, type Step } from "./record.ts";
import { observed, undoingMs } from "./settle.ts";

/** What a person found, and the operation that it ends, held by this worker. */
interface Resolving {
  readonly entryId: string;
  readonly outcome: ResolvedOutcome;
  readonly held: Held;
}

/** Most findings of one tenant in one round. */
const mostInRound = 16;

/**
 * Carries out what people found of operations that were left to them, one at a time, and returns how many. It looks once more itself:
 * what is seen complete is complete, and nobody frees the key of a change that can be seen or may still arrive.
 */
export async function carryOutResolutions(tenant: string, acting: Acting): Promise<number> {
  let count = 0;
  for (let tries = 0; tries < mostInRound; tries += 1) {
    const next = await takeResolution(tenant, acting);
    if (next === "none") break;
    if (next === "lost") continue;
    await carryOut(next, acting);
    count += 1;
  }
  return count;
}

async function takeResolution(tenant: string, acting: Acting): Promise<Resolving | "none" | "lost"> {
  const heldSinceMs = acting.clock.monotonic();
  const taken = await acting.database.inTenant(tenant, async (tx) => {
    await closeEnded(tx, tenant);
    const now = await acting.storeTime(tx);
    const { rows } = await sql<OperationRow & { resolved_by: string; outcome: ResolvedOutcome }>`
      with found as materialized (
        select operation.id, resolution.entry_id, resolution.outcome
        from countersign.resolution join countersign.operation
          on operation.tenant = resolution.tenant and operation.id = resolution.operation_id
        where resolution.tenant = ${tenant} and not resolution.done and operation.state = 'escalated'
          and operation.lease_until <= ${new Date(now)}
        order by resolution.entry_id limit 1 for update of operation skip locked)
      update countersign.operation set fence = operation.fence + 1, lease_until = ${new Date(now + acting.leaseMs)}
      from found where operation.tenant = ${tenant} and operation.id = found.id
      returning operation.*, found.entry_id as resolved_by, found.outcome`.execute(tx);
    const found = rows[0];
    if (found === undefined) return "none";
    const { resolved_by: entryId, outcome, ...row } = found;
    const stories = openStories({ tx, tenant, keys: acting.measure.payloadKeys });
    const task = await taskOf(row, stories, acting);
    // Of a definition that is gone: a process that has it may come.
    if (task === null) return "lost";
    const accounts = openAccounts({ tx, tenant, rolesFrom: acting.measure.rolesFrom });
    const story = await stories.of(row.decision_id);
    if (!(await isSaid({ story, entryId, row, outcome, task, accounts, acting }))) {
      await close(tx, { tenant, entryId });
      return "lost";
    }
    const held = { ...heldOf({ taken: { row, foundState: row.state }, task, heldSinceMs }), lastEntryId: entryId };
    return { entryId, outcome, held };
  });
  if (typeof taken !== "string") acting.leases.watch(taken.held, "looking");
  return taken;
}

/** What was ended in the meantime leaves nothing to carry out. */
async function closeEnded(tx: Tx, tenant: string): Promise<void> {
  await sql`update countersign.resolution set done = true where tenant = ${tenant} and not done and exists (
    select from countersign.operation where operation.tenant = resolution.tenant and operation.id = resolution.operation_id
      and operation.state <> 'escalated')`.execute(tx);
}

async function close(tx: Tx, { tenant, entryId }: { tenant: string; entryId: string }): Promise<void> {
  await tx.updateTable("resolution").set({ done: true }).where("tenant", "=", tenant).where("entry_id", "=", entryId).execute();
}

/** The row is a pointer: what counts is the desk's entry, of this operation, with this outcome, by somebody who may say so and still may. */
async function isSaid({
  story,
  entryId,
  row,
  outcome,
  task,
  accounts,
  acting,
}: {
  story: DecisionStory | null;
  entryId: string;
  row: OperationRow;
  outcome: ResolvedOutcome;
  task: EffectTask;
  accounts: Accounts;
  acting: Acting;
}): Promise<boolean> {
  const said = story?.following.find(({ id }) => id === entryId);
  if (story === null || said?.kind !== "resolved" || said.writer !== "desk") return false;
  const { operationId, outcome: told, by, role } = said.body;
  if (operationId !== row.id || told !== outcome || typeof by !== "string" || typeof role !== "string") return false;
  const principal = { tenant: row.tenant, id: by, roles: [role], attributes: {}, onBehalfOf: null, allow: everything };
  const { requestedBy, onBehalfOf } = task.proposal;
  const asked = { tenant: row.tenant, requestedBy, onBehalfOf, editedBy: editorOf(story) };
  const risk = task.effect.risk(task.params);
  const ask = (signer: Principal) => acting.measure.policy.mayResolve({ principal: signer, ...asked, risk });
  return (await judgeSigner(principal, { accounts, ask })) === null;
}

async function carryOut(resolving: Resolving, acting: Acting): Promise<void> {
  const { held, entryId, outcome } = resolving;
  const { tenant } = held;
  try {
    const observation = await observe(held.task, acting);
    await inTenant({
      tenant,
      parts: acting,
      work: async (tx) => {
        const now = await acting.storeTime(tx);
        const settledAt = held.lastSendAt + held.task.effect.settleMs;
        const mayArrive = outcome === "not_happened" && now < settledAt;
        // While a send may still be on its way nobody can say that it did not arrive: it is carried out after that.
        const recording = (at: number) =>
          mayArrive ? waiting(settledAt) : recordingOf({ outcome, entryId, held, observation, now: at });
        const [written] = await recordIn({ tx, reports: [{ held, recording }], parts: acting });
        if (written instanceof Error) throw written;
        if (!mayArrive) await close(tx, { tenant, entryId });
      },
    });
  } finally {
    acting.leases.forget(held);
  }
}

function waiting(until: number): ReturnType<Recording> {
  return { steps: [], move: { state: "escalated", leaseUntil: until, dueAt: until } };
}

function recordingOf({
  outcome,
  entryId,
  held,
  observation,
  now,
}: Resolving & { observation: Observation; now: number }): ReturnType<Recording> {
  const isMade = observation.kind === "seen" && observation.judged.verdict === "complete";
  const seen = resolving(observed(isMade ? "complete" : verdictOf(observation), observation, held), entryId);
  const ended = { leaseUntil: now, dueAt: now };
  if (isMade && outcome === "happened") return { steps: [seen], move: { state: "complete", ...ended } };
  // A person says so and it cannot be seen: the key stays taken, and "done" is not said.
  if (outcome === "happened") return { steps: [seen], move: { state: "escalated", ...ended } };
  if (outcome === "compensate") {
    const facts = { ...seen.facts, next: "compensate", reason: "person" };
    return { steps: [{ ...seen, facts }], move: { state: "compensating", ...ended, deadlineAt: now + undoingMs } };
  }
  // Nobody frees the key of a change that can be seen, or of a part of it. What cannot be read at all is ended by the person's word.
  if (observation.kind === "seen" && !observation.judged.isAsBefore) {
    const facts = { owner: held.task.effect.owner, reason: "resolution_contradicted" };
    return { steps: [seen, { kind: "escalated", facts }], move: { state: "escalated", ...ended } };
  }
  const facts = { approvalId: held.approvalId, code: "found_not_applied", resolves: entryId, rule: "person" };
  return { steps: [{ kind: "refused", facts }], move: { state: "refused", ...ended } };
}

function resolving(step: Step, entryId: string): Step {
  return { ...step, facts: { ...step.facts, resolves: entryId } };
}

function verdictOf(observation: Observation): string {
  return observation.kind === "seen" ? observation.judged.verdict : "unknown";
}
