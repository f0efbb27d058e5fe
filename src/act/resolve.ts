import { sql } from "kysely";
import { openStories } from "../approve/stories.ts";
import type { ResolvedOutcome } from "../contract/words.ts";
import type { OperationRow } from "../store/tables.ts";
import type { Acting } from "./acting.ts";
import type { Held } from "./held.ts";
import { escalateLost, heldOf, taskOf } from "./hold.ts";
import { type Observation, observe } from "./observe.ts";
import { type Recording, recordIn, type Step } from "./record.ts";
import { observed } from "./settle.ts";

/** What a person found, and the operation that it ends, held by this worker. */
interface Resolving {
  readonly entryId: string;
  readonly outcome: ResolvedOutcome;
  readonly held: Held;
}

/**
 * Carries out what people found of operations that were left to them, one at a time, and returns how many. It looks once more itself:
 * what is seen complete is complete, and nobody frees the key of a change that can be seen.
 */
export async function carryOutResolutions(tenant: string, acting: Acting): Promise<number> {
  let count = 0;
  for (let next = await takeResolution(tenant, acting); next !== "none"; next = await takeResolution(tenant, acting)) {
    if (next !== "lost") await carryOut(next, acting);
    count += 1;
  }
  return count;
}

async function takeResolution(tenant: string, acting: Acting): Promise<Resolving | "none" | "lost"> {
  const heldSinceMs = acting.clock.monotonic();
  return acting.database.inTenant(tenant, async (tx) => {
    const now = await acting.storeTime(tx);
    const { rows } = await sql<OperationRow & { resolved_by: string; outcome: ResolvedOutcome }>`
      with found as materialized (
        select operation.id, resolution.entry_id, resolution.outcome
        from countersign.resolution join countersign.operation
          on operation.tenant = resolution.tenant and operation.id = resolution.operation_id
        where resolution.tenant = ${tenant} and not resolution.done and operation.lease_until <= ${new Date(now)}
        order by resolution.entry_id limit 1 for update of operation skip locked)
      update countersign.operation set fence = operation.fence + 1, lease_until = ${new Date(now + acting.leaseMs)}
      from found where operation.tenant = ${tenant} and operation.id = found.id
      returning operation.*, found.entry_id as resolved_by, found.outcome`.execute(tx);
    const found = rows[0];
    if (found === undefined) return "none";
    const { resolved_by: entryId, outcome, ...row } = found;
    const task = await taskOf(row, openStories({ tx, tenant, keys: acting.measure.payloadKeys }), acting);
    if (row.state === "escalated" && task !== null) {
      const held = { ...heldOf({ taken: { row, foundState: row.state }, task, heldSinceMs }), lastEntryId: entryId };
      return { entryId, outcome, held };
    }
    // Ended in the meantime, or of a definition that is gone: there is nothing that could be carried out.
    if (row.state === "escalated") await escalateLost({ tx, row, now, acting });
    await tx.updateTable("resolution").set({ done: true }).where("tenant", "=", tenant).where("entry_id", "=", entryId).execute();
    return "lost";
  });
}

async function carryOut({ entryId, outcome, held }: Resolving, acting: Acting): Promise<void> {
  const { tenant } = held;
  const observation = await observe(held.task, acting);
  await acting.database.inTenant(tenant, async (tx) => {
    const recording: Recording = (now) => recordingOf({ outcome, entryId, held, observation, now });
    const [written] = await recordIn({ tx, records: [{ held, recording }], acting });
    if (written instanceof Error) throw written;
    await tx.updateTable("resolution").set({ done: true }).where("tenant", "=", tenant).where("entry_id", "=", entryId).execute();
  });
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
    return { steps: [{ ...seen, facts }], move: { state: "compensating", ...ended } };
  }
  if (isMade) {
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
