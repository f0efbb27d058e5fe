import type { ContextItem, FieldLabel } from "../../contract/context.ts";
import type { Json } from "../../contract/json.ts";
import { limits } from "../../contract/limits.ts";
import type { ProposedCall } from "../../contract/plan.ts";
import type { LoopStep } from "../../contract/tool.ts";
import type { PlannedSession } from "../../guard/provenance/planned.ts";
import { afterRead, type ReadResult, readSlots } from "../../guard/provenance/session.ts";
import { callTool } from "../loop-call.ts";
import type { Looping } from "../loop-state.ts";

/** Reads what the plan reads, through the tools and their permissions, before the first step. Each reading is a row of the trace, of step 0. */
export async function readPlan(
  session: PlannedSession,
  looping: Pick<Looping, "loop" | "informed" | "deps">,
  startedAt: number,
): Promise<readonly LoopStep[]> {
  const { informed, deps } = looping;
  const rows: LoopStep[] = [];
  const ids = new Set(informed.context.items.map(({ id }) => id));
  await readSlots(session, async (call, slot) => {
    // How many records a slot is for may be a stranger's doing; what is not read does not resolve.
    if (rows.length >= limits.plannedReads || deps.cancel.isCancelled()) return undefined;
    const place = { need: `plan_${slot.id}`, mark: `plan${rows.length}` };
    const began = deps.clock.monotonic();
    const row = await callTool({ startedAt, ids, place }, unread(call, slot.id), looping);
    rows.push({ ...row, ms: Math.round(deps.clock.monotonic() - began) });
    for (const { id } of row.found) ids.add(id);
    return row.outcome === "read" ? resultOf(row) : undefined;
  });
  return rows;
}

function unread({ tool, args }: ProposedCall, slot: string): LoopStep {
  const nothing = { outcome: "unread", fault: null, found: [], resultDigest: null, tokens: 0, costMicros: 0, ms: 0 } as const;
  return { step: 0, slot, tool, arguments: args, ...nothing };
}

/** The session as the rows of a trace leave it: each slot with what was read for it. */
export function afterReads(session: PlannedSession, rows: readonly LoopStep[]): PlannedSession {
  let known = session;
  for (const row of rows)
    if (row.slot !== undefined && row.outcome === "read")
      known = afterRead(known, callOf(row), { ...resultOf(row), slot: row.slot });
  return known;
}

function callOf({ tool, arguments: args }: LoopStep): ProposedCall {
  return { tool: tool ?? "", args: (args ?? {}) as { [arg: string]: Json } }; // arguments of a tool are an object
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
  if (item.kind === "fact") return { subject: item.subject, predicate: item.predicate, object: item.object };
  if (item.kind === "memory") return { text: item.text };
  return { document: item.document, title: item.title, section: item.section, text: item.text };
}
