import { builtInCalculations } from "../../contract/arithmetic.ts";
import { type Json, toFrozenJson } from "../../contract/json.ts";
import type { CallRule, Plan, ProposedCall, Slot } from "../../contract/plan.ts";
import type { Calculations } from "./calculations.ts";
import { type Label, secretsIn, worstOf } from "./labels.ts";
import type { PlannedSession, Reading } from "./planned.ts";
import { itemsOf, type Resolved, resolve } from "./resolve.ts";
import { sameNames, sameValues } from "./same-values.ts";

/** A session before its first call. */
export function openPlanned({
  request,
  rules,
  plan,
  calculations = builtInCalculations,
}: {
  request: string;
  rules: readonly CallRule[];
  plan: Plan | null;
  calculations?: Calculations;
}): PlannedSession {
  const byName = new Map(rules.map((rule) => [rule.name, rule]));
  return { request, rules: byName, calculations, plan, readings: new Map(), used: new Set(), secrets: [] };
}

/**
 * Keeps what a call read. A reading belongs to the slot that it was read for, else to the first slot of the plan with this tool and exactly
 * these arguments that has none yet; the first stands, so that nobody can read again until the answer is another.
 */
export function afterRead(session: PlannedSession, call: ProposedCall, read: ReadResult): PlannedSession {
  const rule = session.rules.get(call.tool);
  if (rule === undefined || rule.kind === "write") return session;
  const { result, fields } = read;
  const secrets = secretsIn({ fields: fields ?? rule.fields }, result);
  const known = secrets.length === 0 ? session : { ...session, secrets: [...new Set([...session.secrets, ...secrets])] };
  for (const slot of session.plan?.slots ?? []) {
    if (slot.tool !== call.tool || (read.slot ?? slot.id) !== slot.id || session.readings.get(slot.id)?.isWhole === true)
      continue;
    const reading = slot.forEach === undefined ? readOnce(session, slot, call, read) : readForEach(session, slot, call, read);
    if (reading !== undefined) return { ...known, readings: new Map([...session.readings, [slot.id, reading]]) };
  }
  return known;
}

/** What a call brought, and who can write each field of it where the records say so themselves. */
export interface ReadResult {
  readonly result: Json;
  readonly fields?: CallRule["fields"] | undefined;
  /** The slot that it was read for; by the call alone where it is left out. */
  readonly slot?: string;
}

/** Reads for a slot through its tool; `undefined` where that failed. */
export type ReadThrough = (call: ProposedCall, slot: Slot) => Promise<ReadResult | undefined>;

/** Reads every slot that reads inside the house, whose arguments are known by now, and that has not been read. In the plan's order, once each. */
export async function readSlots(session: PlannedSession, read: ReadThrough): Promise<PlannedSession> {
  let known = session;
  for (const slot of session.plan?.slots ?? []) {
    if (session.rules.get(slot.tool)?.kind !== "read" || known.readings.get(slot.id)?.isWhole === true) continue;
    for (const call of callsOf(known, slot)) {
      const found = await read(call, slot);
      if (found !== undefined) known = afterRead(known, call, { ...found, slot: slot.id });
    }
  }
  return known;
}

/** The calls of a slot by its resolved arguments; none where they are not known. */
function callsOf(session: PlannedSession, slot: Slot): readonly ProposedCall[] {
  const set = slot.forEach === undefined ? null : itemsOf(session, slot);
  if (set?.kind === "unresolved") return [];
  return (set?.items ?? [null]).flatMap((item) => {
    const args = Object.entries(slot.args).map(([name, binding]) => {
      const type = session.rules.get(slot.tool)?.args[name]?.type ?? "text";
      return [name, resolve(binding, { session, item, type })] as const;
    });
    // The arguments of a read are shown to the model and kept in the trace: no secret goes there.
    if (!args.every(([, found]) => found.kind === "value" && found.label !== "secret")) return [];
    return [
      {
        tool: slot.tool,
        args: Object.fromEntries(args.map(([name, found]) => [name, found.kind === "value" ? found.value : null])),
      },
    ];
  });
}

function readOnce(session: PlannedSession, slot: Slot, call: ProposedCall, { result, fields }: ReadResult): Reading | undefined {
  const asked = askedBy(session, slot, call, null);
  return asked === undefined ? undefined : { result: toFrozenJson(result), fields, askedWith: asked, isWhole: true };
}

/** A slot for many records is one list: each record with what was read for it, in the records' order. */
function readForEach(
  session: PlannedSession,
  slot: Slot,
  call: ProposedCall,
  { result, fields }: ReadResult,
): Reading | undefined {
  const set = itemsOf(session, slot);
  if (set.kind !== "items") return undefined;
  const known = (session.readings.get(slot.id)?.result ?? set.items.map((item) => ({ item: item.value }))) as readonly {
    readonly item: Json;
    readonly result?: Json;
  }[]; // written here alone
  for (const [i, item] of set.items.entries()) {
    if (known[i]?.result !== undefined) continue;
    const asked = askedBy(session, slot, call, item);
    if (asked === undefined) continue;
    const rows = known.map((row, at) => (at === i ? { item: row.item, result } : row));
    const askedWith = worstOf([asked, session.readings.get(slot.id)?.askedWith ?? "principal"]);
    const before = session.readings.get(slot.id)?.fieldsOf ?? new Map<number, CallRule["fields"]>();
    const fieldsOf = fields === undefined ? before : new Map([...before, [i, fields]]);
    return { result: toFrozenJson(rows), fieldsOf, askedWith, isWhole: rows.every((row) => row.result !== undefined) };
  }
  return undefined;
}

/** The worst label of a slot's arguments where the call has exactly these; `undefined` where it has others. */
function askedBy(session: PlannedSession, slot: Slot, call: ProposedCall, item: Resolved | null): Label | undefined {
  const names = Object.keys(slot.args);
  if (!sameNames(names, Object.keys(call.args))) return undefined;
  const labels: Label[] = [];
  for (const name of names) {
    const binding = slot.args[name];
    const rule = session.rules.get(slot.tool)?.args[name];
    const resolved = binding === undefined ? undefined : resolve(binding, { session, item, type: rule?.type ?? "text" });
    if (resolved?.kind !== "value" || !sameValues(resolved.value, call.args[name] ?? null, rule?.many === true)) return undefined;
    labels.push(resolved.label);
  }
  return worstOf(labels);
}
