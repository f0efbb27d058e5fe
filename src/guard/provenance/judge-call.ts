/**
 * Provenance of a proposed call: whether a model that has read untrusted text may have it applied without a person. What licenses a call
 * is the plan that was made before, or the request's own words; that a value occurs in the request or in a record licenses nothing. Pure.
 */
import { isKeepableText, type Json, leavesOf, toFrozenJson } from "../../contract/json.ts";
import type { ArgRule, Binding, CallReason, CallRule, CallRuling, ProposedCall, Slot, ValueSource } from "../../contract/plan.ts";
import type { ParamClass } from "../../contract/words.ts";
import { undeclaredArg, wording } from "./check-plan.ts";
import { strangersIn } from "./free-text.ts";
import { isTrusted } from "./labels.ts";
import type { PlannedSession } from "./planned.ts";
import { fitsType, timesIn, timesTyped } from "./request-words.ts";
import { itemsOf, type Resolution, type Resolved, resolve } from "./resolve.ts";
import { sameNames, sameValues } from "./same-values.ts";

/**
 * Rules on one call. Reads inside the house pass: what they bring is labelled. All else passes only as planned, or without a plan where it
 * is reversible and stays in the principal's own space with the principal's own words; a person decides the rest, or it is refused.
 */
export function judgeCall(session: PlannedSession, call: ProposedCall): CallRuling {
  if (!isKeepable(call)) return { kind: "refuse", rule: "not_trusted", reason: "the call holds what no record could keep" };
  const rule = session.rules.get(call.tool);
  if (rule === undefined) return ask("tool_unknown", null, "the tool is not declared", modelSources(call));
  if (rule.kind === "read") return { kind: "auto", rule: "read_inside", slot: null, sources: [] };
  if (session.plan === null) return judgeUnplanned(session, rule, call);
  const places = session.plan.slots.filter(({ tool }) => tool === call.tool).flatMap((slot) => openPlaces(session, slot));
  const judged = places.map((place) => judgePlace(session, rule, place, call));
  const asked = judged.filter(({ ruling }) => ruling.kind === "ask").toSorted((a, b) => a.differing - b.differing);
  const best = judged.find(({ ruling }) => ruling.kind === "auto") ?? asked[0] ?? judged[0];
  if (best !== undefined) return best.ruling;
  const isUsed = session.plan.slots.some(({ tool }) => tool === call.tool);
  const reason = isUsed ? "every slot of the plan for this tool is used up" : "no slot of the plan is for this tool";
  if (session.plan.outside === "ask") return ask("not_in_plan", null, reason, modelSources(call));
  return { kind: "refuse", rule: "not_in_plan", reason };
}

/** Without NUL, half characters and what is no number: such a call has no digest, and nothing could be compared with it. */
function isKeepable({ tool, args }: ProposedCall): boolean {
  return leavesOf(args, `/${tool}`).every(({ pointer, value }) => {
    if (typeof value === "number" && !Number.isFinite(value)) return false;
    return isKeepableText(pointer) && (typeof value !== "string" || isKeepableText(value));
  });
}

/**
 * Marks a slot as used up, by a call that passed or that a person permitted. What it gave back, such as the id of what it made, may be
 * taken by later slots: nobody but the system chose that, so the labels of its fields say all. What a permitted GET brought is the word of
 * an address that the plan does not vouch for, and counts as a stranger's.
 */
export function afterUse(session: PlannedSession, ruling: CallRuling, given?: Json): PlannedSession {
  if (ruling.kind === "refuse" || ruling.slot === null) return session;
  const used = new Set([...session.used, ruling.slot]);
  const slot = session.plan?.slots.find(({ id, forEach }) => id === ruling.slot && forEach === undefined);
  if (given === undefined || slot === undefined || session.readings.has(ruling.slot)) return { ...session, used };
  const isSent = session.rules.get(slot.tool)?.kind !== "write" && ruling.kind === "ask";
  const reading = { result: toFrozenJson(given), askedWith: isSent ? "third" : "principal", isWhole: true } as const;
  return { ...session, used, readings: new Map([...session.readings, [ruling.slot, reading]]) };
}

/** One use of a slot: by itself, or for one record of its list. */
interface SlotPlace {
  readonly key: string;
  readonly slot: Slot;
  readonly item: Resolved | null;
  /** Why its list is not known. */
  readonly why?: string;
}

function openPlaces(session: PlannedSession, slot: Slot): SlotPlace[] {
  if (slot.forEach === undefined) return session.used.has(slot.id) ? [] : [{ key: slot.id, slot, item: null }];
  const set = itemsOf(session, slot);
  // What a person permits of a list that is not known uses up the list.
  if (set.kind === "unresolved") return session.used.has(slot.id) ? [] : [{ key: slot.id, slot, item: null, why: set.why }];
  if (session.used.has(slot.id)) return [];
  return set.items.map((item, i) => ({ key: `${slot.id}#${i}`, slot, item })).filter(({ key }) => !session.used.has(key));
}

/** A ruling, and by how many arguments the call differs from the place: what a person permits uses up the place that it fits best. */
type JudgedPlace = { readonly ruling: CallRuling; readonly differing: number };

function judgePlace(session: PlannedSession, rule: CallRule, place: SlotPlace, call: ProposedCall): JudgedPlace {
  const { slot } = place;
  if (place.why !== undefined) return { ruling: ask("unresolved", place.key, place.why, modelSources(call)), differing: 0 };
  if (!sameNames(Object.keys(slot.args), Object.keys(call.args))) {
    const wanted = Object.keys(slot.args).join(", ") || "none";
    const reason = `slot \`${slot.id}\` has the arguments ${wanted}`;
    return { ruling: { kind: "refuse", rule: "differs_from_plan", reason }, differing: 0 };
  }
  const args = Object.entries(slot.args).map(([name, binding]) => judgeArg({ session, rule, place, call }, name, binding));
  return {
    ruling: rulingOf({ session, rule, place, args }),
    differing: args.filter(({ fault }) => fault === "differs_from_plan").length,
  };
}

function rulingOf({
  session,
  rule,
  place: { key, slot, item },
  args,
}: {
  session: PlannedSession;
  rule: CallRule;
  place: SlotPlace;
  args: readonly JudgedArg[];
}): CallRuling {
  const sources = args.map(({ source }) => source);
  // Another value than the plan's is refused before anything is asked, whatever else is open: no person should be talked into it.
  const differing = args.find(({ fault }) => fault === "differs_from_plan");
  if (differing !== undefined) return { kind: "refuse", rule: "differs_from_plan", reason: differing.reason };
  // Who can add to the list has the call made once more, whatever its arguments are.
  if (item !== null && !isTrusted(item.label))
    return ask("not_trusted", key, "others decide for how many records it is done", sources);
  const faulty = args.find(({ fault }) => fault !== null);
  if (faulty?.fault) return ask(faulty.fault, key, faulty.reason, sources);
  if (mustBeAsked(session, rule, slot))
    return ask("irreversible", key, "it cannot be undone, and the request does not name the thing itself", sources);
  return { kind: "auto", rule: "as_planned", slot: key, sources };
}

type Judging = { session: PlannedSession; rule: CallRule; place: SlotPlace; call: ProposedCall };
type JudgedArg = { fault: CallReason | null; reason: string; source: ValueSource };

function judgeArg({ session, rule, place, call }: Judging, name: string, binding: Binding): JudgedArg {
  const arg = rule.args[name] ?? undeclaredArg;
  const value = call.args[name] ?? null;
  const found = resolve(binding, { session, item: place.item, type: arg.type });
  const source = sourceOf(name, found);
  const fault = faultOf({ session, arg, name, value, found });
  return fault === null ? { fault: null, reason: "", source } : { ...fault, source };
}

function faultOf({
  session,
  arg,
  name,
  value,
  found,
}: {
  session: PlannedSession;
  arg: ArgRule;
  name: string;
  value: Json;
  found: Resolution;
}): { fault: CallReason; reason: string } | null {
  if (found.kind === "unresolved") return { fault: "unresolved", reason: `\`${name}\`: ${found.why}` };
  const isFree = found.kind === "free";
  if (found.kind === "value" && !sameValues(found.value, value, arg.many === true)) {
    return { fault: "differs_from_plan", reason: `\`${name}\` must be ${shown(found.value)}` };
  }
  if (wording.has(arg.class)) {
    if (found.kind === "value" && isTrusted(found.label) && found.label !== "constant") return null;
    return wordingFault(session, name, value);
  }
  if (isFree) return { fault: "not_trusted", reason: `\`${name}\` is a ${arg.class} and was written by a model` };
  if (!isTrusted(found.label))
    return { fault: "not_trusted", reason: `\`${name}\` is a ${arg.class} and comes from what others can write` };
  return isOfType(value, arg) ? null : { fault: "not_trusted", reason: `\`${name}\` is no ${arg.type}` };
}

function wordingFault(session: PlannedSession, name: string, value: Json): { fault: CallReason; reason: string } | null {
  if (typeof value !== "string") return { fault: "not_trusted", reason: `\`${name}\` is no text` };
  const [first] = strangersIn(value, session);
  return first === undefined
    ? null
    : { fault: "wording_with_strangers", reason: `\`${name}\` holds ${first} that the request does not` };
}

function isOfType(value: Json, arg: ArgRule): boolean {
  if (arg.many !== true) return fitsType(value, arg.type);
  return Array.isArray(value) && value.every((one) => fitsType(one, arg.type));
}

/** What cannot be undone in the principal's own space is asked for, unless the request names the one thing that it is done to. */
function mustBeAsked(session: PlannedSession, rule: CallRule, slot: Slot): boolean {
  if (rule.space !== "own" || rule.reversible) return false;
  if (slot.forEach !== undefined) return true;
  const naming = Object.entries(slot.args).filter(([name]) =>
    ["target", "selector"].includes((rule.args[name] ?? undeclaredArg).class),
  );
  return (
    naming.length === 0 ||
    !naming.every(([, binding]) => binding.kind === "literal" && timesIn(session.request, binding.text) === 1)
  );
}

const naming: ReadonlySet<ParamClass | undefined> = new Set(["target", "selector"]);

/** Without a plan: a reversible act in own space whose every steering value the principal typed, or a GET of an address that they typed. */
function judgeUnplanned(session: PlannedSession, rule: CallRule, call: ProposedCall): CallRuling {
  const sources = modelSources(call);
  if (rule.kind === "write" && (rule.space !== "own" || !rule.reversible))
    return ask("no_plan", null, "there is no plan, and it leaves the principal's own space or cannot be undone", sources);
  // What is left out may mean all there is.
  const left = Object.keys(rule.args).find((name) => naming.has(rule.args[name]?.class) && !Object.hasOwn(call.args, name));
  if (left !== undefined) return ask("no_plan", null, `there is no plan, and \`${left}\` is left out`, sources);
  for (const [name, value] of Object.entries(call.args)) {
    const fault = unplannedFault({ session, rule, name, value });
    if (fault !== null) return ask(fault.fault, null, fault.reason, sources);
  }
  return { kind: "auto", rule: rule.kind === "send" ? "typed_by_principal" : "own_and_reversible", slot: null, sources };
}

function unplannedFault({
  session,
  rule,
  name,
  value,
}: {
  session: PlannedSession;
  rule: CallRule;
  name: string;
  value: Json;
}): { fault: CallReason; reason: string } | null {
  // A model names the arguments here, and may name one like a member that every object has.
  const arg = (Object.hasOwn(rule.args, name) ? rule.args[name] : undefined) ?? undeclaredArg;
  if (wording.has(arg.class) && rule.kind === "write") return wordingFault(session, name, value);
  if (isTyped(session.request, value, arg)) return null;
  return { fault: "no_plan", reason: `there is no plan, and the request does not say \`${name}\`` };
}

function isTyped(request: string, value: Json, arg: ArgRule): boolean {
  if (arg.many === true)
    return Array.isArray(value) && value.length > 0 && value.every((one) => timesTyped(request, one, arg.type) > 0);
  return timesTyped(request, value, arg.type) > 0;
}

function ask(rule: CallReason, slot: string | null, reason: string, sources: readonly ValueSource[]): CallRuling {
  return { kind: "ask", rule, slot, reason, sources };
}

function sourceOf(arg: string, found: Resolution): ValueSource {
  if (found.kind === "value") {
    const { label, from, place } = found;
    return { arg, label, from, ...(place === undefined ? {} : { place }) };
  }
  return { arg, label: found.kind === "free" ? "composed" : "model", from: found.kind === "free" ? found.from : found.why };
}

function modelSources({ args }: ProposedCall): readonly ValueSource[] {
  return Object.keys(args).map((arg) => ({ arg, label: "model", from: "no slot of a plan" }));
}

/** An expected value as the model and the reviewer are shown it. */
function shown(value: Json): string {
  const text = JSON.stringify(value);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
