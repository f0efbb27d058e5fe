import type { ContextItem, FieldLabel } from "../../contract/context.ts";
import { canonicalJson, type Json } from "../../contract/json.ts";
import { limits } from "../../contract/limits.ts";
import type { ProposedCall } from "../../contract/plan.ts";
import type { LoopStep } from "../../contract/tool.ts";
import type { PlannedSession } from "../../guard/provenance/planned.ts";
import { afterRead, type ReadResult, readSlots } from "../../guard/provenance/session.ts";
import { observed } from "../loop-prompt.ts";
import type { Looping } from "../loop-state.ts";

/** Reads what the plan reads, through the tools and their permissions, before the first step. Each reading is a row of the trace, of step 0. */
export async function readPlan(
  session: PlannedSession,
  looping: Pick<Looping, "informed" | "deps">,
): Promise<readonly LoopStep[]> {
  const rows: LoopStep[] = [];
  const ids = new Set(looping.informed.context.items.map(({ id }) => id));
  await readSlots(session, async (call, slot) => {
    // How many records a slot is for may be a stranger's doing; what is not read does not resolve.
    if (rows.length >= limits.plannedReads || looping.deps.cancel.isCancelled()) return undefined;
    const row = await readOnce({ call, slot: slot.id, place: rows.length, ids, looping });
    rows.push(row);
    for (const { id } of row.found) ids.add(id);
    return row.outcome === "read" ? resultOf(row) : undefined;
  });
  return rows;
}

/** The session as the rows of a trace leave it: each slot with what was read for it. */
export function afterReads(session: PlannedSession, rows: readonly LoopStep[]): PlannedSession {
  return rows
    .filter(({ slot, outcome }) => slot !== undefined && outcome === "read")
    .reduce((known, row) => afterRead(known, callOf(row), resultOf(row)), session);
}

function callOf({ tool, arguments: args }: LoopStep): ProposedCall {
  return { tool: tool ?? "", args: (args ?? {}) as { [arg: string]: Json } }; // arguments of a tool are an object
}

async function readOnce({
  call,
  slot,
  place,
  ids,
  looping: { informed, deps },
}: {
  call: ProposedCall;
  slot: string;
  place: number;
  ids: ReadonlySet<string>;
  looping: Pick<Looping, "informed" | "deps">;
}): Promise<LoopStep> {
  const { inputs, envelope } = informed;
  const startedAt = deps.clock.monotonic();
  const asked = { step: 0, slot, tool: call.tool, arguments: call.args, tokens: 0, costMicros: 0 };
  const answer = await deps.tools.call({
    capability: deps.capability,
    tool: call.tool,
    arguments: call.args,
    step: 0,
    inputs,
    envelope,
  });
  const ms = Math.round(deps.clock.monotonic() - startedAt);
  if (answer.kind !== "found") {
    const fault = answer.kind === "failed" ? answer.fault : answer.kind === "off_list" ? "forbidden" : "input_invalid";
    return { ...asked, outcome: "failed", fault, found: [], resultDigest: null, ms };
  }
  const found = answer.items.map((item) =>
    Object.freeze({ ...item, need: `plan_${slot}`, id: ids.has(item.id) ? `${item.id}@plan${place}` : item.id }),
  );
  if (observed(found).length > limits.observationText)
    return { ...asked, outcome: "failed", fault: "too_large", found: [], resultDigest: null, ms };
  return { ...asked, outcome: "read", fault: null, found, resultDigest: deps.digest.sha256(canonicalJson(found)), ms };
}

/** The rows that were found, in their order, with who can write each field of each; of a text everything counts as foreign. */
function resultOf({ found }: LoopStep): ReadResult {
  const labels = found.flatMap((item, i): [string, FieldLabel][] =>
    item.kind === "record" ? Object.entries(item.labels).map(([field, label]) => [`/${i}/${stepOf(field)}`, label]) : [],
  );
  return { result: found.map(plain), fields: Object.fromEntries(labels) };
}

function stepOf(field: string): string {
  return field.replaceAll("~", "~0").replaceAll("/", "~1");
}

function plain(item: ContextItem): Json {
  if (item.kind === "record") return item.row;
  return { document: item.document, title: item.title, section: item.section, text: item.text };
}
