import { atPointer, type Json, type JsonObject } from "../../contract/json.ts";
import type { Binding, CallRule, Ref, Slot, ValueType } from "../../contract/plan.ts";
import { calculatedJson } from "./calculations.ts";
import { best, holds } from "./conditions.ts";
import { type Label, labeller, worstOf } from "./labels.ts";
import type { PlannedSession, Reading } from "./planned.ts";
import { literalValue } from "./request-words.ts";

/** A value that code found for a binding, with the worst label of all that led to it; or why there is none. */
export type Resolution =
  | Resolved
  /** Free wording, written after these slots were read. */
  | { readonly kind: "free"; readonly from: string }
  | { readonly kind: "unresolved"; readonly why: string };

export interface Resolved {
  readonly kind: "value";
  readonly value: Json;
  readonly label: Label;
  /** For people: where it was taken from. */
  readonly from: string;
  /** Where in what a slot read; left out where it was made of several, or taken from elsewhere. */
  readonly place?: { readonly slot: string; readonly pointer: string };
  /** The label of a part of the value, for a record that was taken whole. */
  readonly labelOf?: (pointer: string) => Label;
}

export interface Resolving {
  readonly session: PlannedSession;
  /** The record that `forEach` stands at. */
  readonly item: Resolved | null;
  /** What the value has to look like where it is a span of the request. */
  readonly type: ValueType | "any";
}

/** Finds the value of a binding over the request and what was read; never by a model. */
export function resolve(binding: Binding, at: Resolving): Resolution {
  switch (binding.kind) {
    case "literal":
      return resolveLiteral(binding.text, at.type);
    case "constant":
      return { kind: "value", value: binding.value, label: "constant", from: "the plan" };
    case "calculation":
      return calculate(binding, at);
    case "ref":
      return takeFrom(binding, at);
    case "item":
      return takeItem(binding.path, at);
    case "template":
      return fillTemplate(binding, at);
    case "list":
      return listOf(binding.of, at);
    case "open":
      return unresolved(binding.why);
    case "compose": {
      const missing = binding.from.find((slot) => at.session.readings.get(slot)?.isWhole !== true);
      if (missing !== undefined) return unresolved(`slot \`${missing}\` was not read`);
      return { kind: "free", from: `written from ${binding.from.join(", ")}` };
    }
  }
}

function unresolved(why: string): Resolution {
  return { kind: "unresolved", why };
}

function resolveLiteral(text: string, type: ValueType | "any"): Resolution {
  const asNumber = type === "any" ? literalValue(text, "number") : undefined;
  const value = asNumber ?? literalValue(text, type === "any" ? "text" : type);
  if (value === undefined) return unresolved(`the request's words are no ${type}`);
  return { kind: "value", value, label: "principal", from: `the request, ${JSON.stringify(text)}` };
}

/** All of several bindings, or the first that did not resolve. */
function resolveAll(bindings: readonly Binding[], at: Resolving): readonly Resolved[] | Resolution {
  const all: Resolved[] = [];
  for (const binding of bindings) {
    const one = resolve(binding, at);
    if (one.kind !== "value") return one.kind === "free" ? unresolved("written text is no part of a value") : one;
    all.push(one);
  }
  return all;
}

function calculate({ name, of }: Binding & { kind: "calculation" }, at: Resolving): Resolution {
  const all = resolveAll(of, { ...at, type: "any" });
  if ("kind" in all) return all;
  const { calculations } = at.session;
  const value = calculatedJson({ calculations, name, values: all.map((one) => one.value) });
  if (value === undefined) return unresolved(`\`${name}\` does not work on these values`);
  return { kind: "value", value, label: worstOf(all.map((one) => one.label)), from: `${name} of ${fromAll(all)}` };
}

function fromAll(all: readonly Resolved[]): string {
  return all.map(({ from }) => from).join(" and ");
}

function listOf(of: readonly Binding[], at: Resolving): Resolution {
  const all = resolveAll(of, at);
  if ("kind" in all) return all;
  return { kind: "value", value: all.map((one) => one.value), label: worstOf(all.map((one) => one.label)), from: fromAll(all) };
}

function fillTemplate({ text, fill }: Binding & { kind: "template" }, at: Resolving): Resolution {
  const names = Object.keys(fill);
  const all = resolveAll(Object.values(fill), { ...at, type: "any" });
  if ("kind" in all) return all;
  const words = new Map(all.map((one, i) => [names[i] ?? "", one]));
  if (all.some(({ value }) => typeof value === "object")) return unresolved("a record does not fill a placeholder");
  // One pass: what a value says is never read as a placeholder.
  const value = text.replace(/\{([a-z_]{1,40})\}/g, (whole, name: string) => String(words.get(name)?.value ?? whole));
  return { kind: "value", value, label: worstOf(all.map((one) => one.label)), from: `the request, filled with ${fromAll(all)}` };
}

function takeItem(path: string, { item }: Resolving): Resolution {
  const value = item === null ? undefined : onlyAt(item.value, path);
  if (item === null || value === undefined) return unresolved(`the record has no \`${path}\``);
  return { kind: "value", value, label: item.labelOf?.(path) ?? item.label, from: `${item.from}${path}` };
}

/** The records of a `forEach`, each once; or why there are none. */
export function itemsOf(
  session: PlannedSession,
  slot: Pick<Slot, "forEach">,
): { readonly kind: "items"; readonly items: readonly Resolved[] } | { readonly kind: "unresolved"; readonly why: string } {
  if (slot.forEach === undefined) return { kind: "unresolved", why: "the slot is for no list" };
  const found = recordsOf(slot.forEach, { session, item: null, type: "any" });
  if (found.kind === "unresolved") return found;
  return {
    kind: "items",
    items: found.records.map((pointer) => found.take(pointer, slot.forEach?.path ?? "")).filter(isResolved),
  };
}

function isResolved(one: Resolution): one is Resolved {
  return one.kind === "value";
}

function takeFrom(ref: Ref, at: Resolving): Resolution {
  const found = recordsOf(ref, at);
  if (found.kind === "unresolved") return found;
  const taken = found.records.map((pointer) => found.take(pointer, ref.path));
  const missing = taken.find((one) => one.kind !== "value");
  if (missing !== undefined) return missing;
  const all = taken.filter(isResolved);
  const from = `slot ${ref.slot}, ${ref.path === "" ? "the record" : ref.path}`;
  // Of none there is still a selection: who can write what it was made by chose that there is none.
  if (ref.many === true)
    return {
      kind: "value",
      value: all.map((one) => one.value),
      label: worstOf([found.selectedBy, ...all.map((one) => one.label)]),
      from,
    };
  const [only, ...others] = all;
  if (only === undefined) return unresolved(`no record of slot \`${ref.slot}\` is meant`);
  return others.length === 0 ? only : unresolved(`${all.length} records of slot \`${ref.slot}\` could be meant`);
}

/** What stands at a pointer. It leads through no list of several: which of them is meant would be for whoever put them in order. */
function onlyAt(value: Json, pointer: string): Json | undefined {
  let here: Json | undefined = value;
  for (const step of pointer.split("/").slice(1)) {
    if (Array.isArray(here) && here.length !== 1) return undefined;
    here = here === undefined ? undefined : atPointer(here, `/${step}`);
  }
  return here;
}

interface Found {
  readonly kind: "found";
  /** Pointers into the result. */
  readonly records: readonly string[];
  /** The worst label of what was asked for and of the fields that chose the records. */
  readonly selectedBy: Label;
  readonly take: (record: string, path: string) => Resolution;
}

type NotFound = { readonly kind: "unresolved"; readonly why: string };

function recordsOf(ref: Ref, at: Resolving): Found | NotFound {
  const reading = at.session.readings.get(ref.slot);
  if (reading?.isWhole !== true) return { kind: "unresolved", why: `slot \`${ref.slot}\` was not read` };
  const { result } = reading;
  const whole = onlyAt(result, ref.list ?? "");
  if (whole === undefined) return { kind: "unresolved", why: `slot \`${ref.slot}\` read no \`${ref.list}\`, or several` };
  const labelled = labelsOf(at.session, ref.slot, reading);
  const all = Array.isArray(whole) ? whole.map((_, i) => `${ref.list ?? ""}/${i}`) : [ref.list ?? ""];
  const valueAt = (record: string, path: string) => onlyAt(atPointer(result, record) ?? null, path);
  const labels: Label[] = [reading.askedWith];
  let records: readonly string[] = all;
  for (const where of ref.where ?? []) {
    const value = resolve(where.value, { ...at, type: "any" });
    if (value.kind !== "value")
      return { kind: "unresolved", why: value.kind === "free" ? "written text chooses nothing" : value.why };
    labels.push(value.label, ...records.map((record) => labelled(`${record}${where.field}`)));
    // Words of the request that read as a number may be an id that does.
    const meant = where.value.kind === "literal" ? [value.value, where.value.text] : [value.value];
    records = records.filter((record) => meant.some((one) => holds(where, valueAt(record, where.field), one)));
  }
  if (ref.pick !== undefined) {
    const { by } = ref.pick;
    labels.push(...records.map((record) => labelled(`${record}${by}`)));
    records = best(records, ref.pick.order, (record) => valueAt(record, by));
  }
  const selectedBy = worstOf(labels);
  return {
    kind: "found",
    records,
    selectedBy,
    take: (record, path) => {
      const pointer = `${record}${path}`;
      const value = valueAt(record, path);
      if (value === undefined) return unresolved(`a record of slot \`${ref.slot}\` has no \`${path}\`, or several`);
      const labelOf = (part: string) => worstOf([selectedBy, labelled(`${record}${path}${part}`)]);
      return {
        kind: "value",
        value,
        label: labelOf(""),
        labelOf,
        from: `slot ${ref.slot}, ${pointer}`,
        place: { slot: ref.slot, pointer },
      };
    },
  };
}

/** Labels within the result of a slot. That of a slot for many records has each record and what was read for it side by side. */
function labelsOf(session: PlannedSession, slotId: string, { result, fields, fieldsOf }: Reading): (pointer: string) => Label {
  const slot = session.plan?.slots.find(({ id }) => id === slotId);
  const declared = fields ?? session.rules.get(slot?.tool ?? "")?.fields;
  if (slot === undefined || declared === undefined) return () => "third";
  if (slot.forEach === undefined) return labeller({ fields: declared }, result);
  const set = itemsOf(session, slot);
  return (pointer) => {
    const [, index = "", part = "", ...rest] = pointer.split("/");
    const inner = part === "" || rest.length === 0 ? "" : `/${rest.join("/")}`;
    const item = set.kind === "items" ? set.items[Number(index)] : undefined;
    const row = atPointer(result, `/${index}`) as JsonObject | undefined;
    const ofItem = item?.labelOf?.(inner) ?? item?.label ?? "third";
    const ofResult = labelOfResult(row, fieldsOf?.get(Number(index)) ?? declared, inner);
    if (part === "item") return ofItem;
    return part === "result" ? ofResult : worstOf([item?.label ?? "third", ofResult]);
  };
}

/** The label within what was read for one record. */
function labelOfResult(row: JsonObject | undefined, fields: CallRule["fields"], pointer: string): Label {
  if (row === undefined || !Object.hasOwn(row, "result")) return "third";
  return labeller({ fields }, row["result"] ?? null)(pointer);
}
