import { builtInCalculations } from "../../contract/arithmetic.ts";
import { canonicalJson, toFrozenJson } from "../../contract/json.ts";
import type { ArgRule, Binding, CallRule, Plan, PlanDraft, Ref, Slot } from "../../contract/plan.ts";
import type { Digest } from "../../contract/ports.ts";
import type { ParamClass } from "../../contract/words.ts";
import type { Calculations } from "./calculations.ts";
import { literalValue, timesIn } from "./request-words.ts";

/** What a plan is checked against: the principal's own words, and the calls that there are. */
export interface Planning {
  readonly request: string;
  readonly rules: readonly CallRule[];
  readonly digest: Digest;
  /** Those that are always there where it is left out. */
  readonly calculations?: Calculations;
}

export type CheckedPlan =
  | { readonly kind: "plan"; readonly plan: Plan }
  | { readonly kind: "faults"; readonly faults: readonly string[] };

const mostSlots = 40;
const deepest = 8;
const idShape = /^[a-z][a-z0-9_]{0,40}$/;

/** An argument that nobody declared. */
export const undeclaredArg: ArgRule = { class: "target", type: "text" };
/** The value of these is never the planner's own word: the request's, a record's, or one that the tool's author allows. */
const neverFree: ReadonlySet<ParamClass> = new Set(["target", "selector", "amount", "secret"]);
/** Text that people read; all else decides where a call goes and how far. */
export const wording: ReadonlySet<ParamClass> = new Set(["memo", "content"]);

/**
 * Checks a plan against the request and the declarations, then freezes it and gives it its digest. It must be made before any untrusted
 * text is read, and this does not look at any: a literal is a span of the request, a reference leads to a slot before it.
 */
export function checkPlan(
  draft: PlanDraft,
  { request, rules, digest, calculations = builtInCalculations }: Planning,
): CheckedPlan {
  const faults = [
    ...(draft.slots.length > mostSlots ? [`a plan has at most ${mostSlots} slots`] : []),
    ...draft.slots
      .slice(0, mostSlots)
      .flatMap((slot, i) => slotFaults(slot, { request, rules, calculations, earlier: draft.slots.slice(0, i) })),
  ];
  if (faults.length > 0) return { kind: "faults", faults };
  const madeFrom = digest.sha256(canonicalJson([request, rules]));
  const whole = { version: 1, slots: draft.slots, outside: draft.outside, madeFrom } as const;
  const plan = { ...whole, digest: digest.sha256(canonicalJson(whole)) };
  return { kind: "plan", plan: toFrozenJson(plan) as unknown as Plan }; // a frozen copy of a plan is one
}

type Seen = { request: string; rules: readonly CallRule[]; calculations: Calculations; earlier: readonly Slot[] };
type Place = Seen & { arg: string; rule: ArgRule; hasItem: boolean; depth: number };

function slotFaults(slot: Slot, seen: Seen): string[] {
  const named = (faults: readonly string[]) => faults.map((fault) => `slot \`${slot.id.slice(0, 50)}\`: ${fault}`);
  if (!idShape.test(slot.id)) return named(["an id is a short word in lower case"]);
  if (seen.earlier.some(({ id }) => id === slot.id)) return named(["there is a slot of this id already"]);
  const rule = seen.rules.find(({ name }) => name === slot.tool);
  if (rule === undefined) return named([`there is no tool \`${slot.tool.slice(0, 50)}\``]);
  const missing = Object.keys(rule.args).filter((arg) => !rule.args[arg]?.optional && !Object.hasOwn(slot.args, arg));
  return named([
    ...missing.map((arg) => `\`${arg}\` is missing`),
    ...(slot.forEach === undefined
      ? []
      : refFaults(slot.forEach, { ...seen, ...outermost, arg: "forEach", rule: undeclaredArg })),
    ...Object.entries(slot.args).flatMap(([arg, binding]) => {
      if (!Object.hasOwn(rule.args, arg)) return [`the tool takes no \`${arg.slice(0, 50)}\``];
      const place = { ...seen, arg, rule: rule.args[arg] ?? undeclaredArg, hasItem: slot.forEach !== undefined, depth: 0 };
      return bindingFaults(binding, place);
    }),
  ]);
}

const outermost = { hasItem: false, depth: 0 } as const;

function bindingFaults(binding: Binding, place: Place): string[] {
  const { arg, rule } = place;
  const inside = { ...place, depth: place.depth + 1 };
  if (place.depth > deepest) return [`\`${arg}\` is bound too deep`];
  switch (binding.kind) {
    case "literal":
      return spanFaults(binding.text, place);
    case "constant":
      return isAllowedConstant(binding.value, rule)
        ? []
        : [`\`${arg}\` is a ${rule.class}: a constant of the planner's does not do`];
    case "calculation":
      if (!place.calculations.has(binding.name)) return [`there is no calculation \`${binding.name.slice(0, 50)}\``];
      return binding.of.flatMap((one) => bindingFaults(one, { ...inside, rule: partOf(rule) }));
    case "ref":
      return refFaults(binding, inside);
    case "item":
      return place.hasItem ? [] : [`\`${arg}\`: there is no \`forEach\` to take an item of`];
    case "template":
      return templateFaults(binding, inside);
    case "list":
      if (rule.many !== true) return [`\`${arg}\` takes one value`];
      return binding.of.flatMap((one) => bindingFaults(one, { ...inside, rule: { ...rule, many: false } }));
    case "open":
      return [];
    case "compose":
      if (!wording.has(rule.class)) return [`\`${arg}\` is a ${rule.class}: written text does not do`];
      return binding.from.flatMap((slot) => earlierFaults(slot, place));
  }
}

function spanFaults(text: string, { arg, rule, request }: Place): string[] {
  if (timesIn(request, text) === 0) return [`\`${arg}\`: the literal is no span of the request`];
  return literalValue(text, rule.type) === undefined ? [`\`${arg}\`: the literal is no ${rule.type}`] : [];
}

/** What goes into a calculation need not look like what comes out of it, and may be free only where that may. */
function partOf({ class: of }: ArgRule): ArgRule {
  return { class: of, type: "text" };
}

function isAllowedConstant(value: unknown, rule: ArgRule): boolean {
  if (!neverFree.has(rule.class)) return true;
  return (rule.constants ?? []).some((one) => canonicalJson(one) === canonicalJson(value));
}

function refFaults({ slot, where = [] }: Ref, place: Place): string[] {
  const compared: ArgRule = { class: "selector", type: "text" };
  return [
    ...earlierFaults(slot, place),
    ...where.flatMap(({ value }) =>
      value.kind === "constant" || value.kind === "literal"
        ? literalFaults(value, place)
        : bindingFaults(value, { ...place, rule: compared }),
    ),
  ];
}

/** A condition compares with whatever the planner wants to compare with; a literal must still be one. */
function literalFaults(value: Binding, { request, arg }: Place): string[] {
  if (value.kind !== "literal" || timesIn(request, value.text) > 0) return [];
  return [`\`${arg}\`: a condition's literal is no span of the request`];
}

function earlierFaults(slot: string, { earlier, arg }: Place): string[] {
  return earlier.some(({ id }) => id === slot) ? [] : [`\`${arg}\` names \`${slot.slice(0, 50)}\`, which is no slot before it`];
}

function templateFaults({ text, fill }: Binding & { kind: "template" }, place: Place): string[] {
  const { arg, rule, request } = place;
  if (!wording.has(rule.class)) return [`\`${arg}\` is a ${rule.class}: a template does not do`];
  const names = [...text.matchAll(/\{([a-z_]{1,40})\}/g)].map(([, name]) => name ?? "");
  return [
    ...(timesIn(request, text) === 0 ? [`\`${arg}\`: the template is no span of the request`] : []),
    ...names.filter((name) => !Object.hasOwn(fill, name)).map((name) => `\`${arg}\`: nothing fills \`{${name}}\``),
    ...Object.values(fill).flatMap((one) => bindingFaults(one, place)),
  ];
}
