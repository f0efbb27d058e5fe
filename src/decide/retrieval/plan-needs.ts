import type { Retrieval } from "../../contract/capability.ts";
import type { Need } from "../../contract/context.ts";
import type { SubQuery } from "../../contract/retrieval.ts";
import { needOf } from "../../contract/tool.ts";
import type { Deps } from "../state.ts";

/** A sub-query that is sent, or why it is not. */
export type Dispatch =
  | { readonly kind: "send"; readonly of: SubQuery; readonly need: Need & { readonly kind: "passages" } }
  | { readonly kind: "refused"; readonly of: SubQuery; readonly name: string; readonly why: string };

/**
 * Makes the need of each sub-query, or refuses it: without a filter that its intent requires, with one that it does not know or a value that is
 * not on its list, or where the run's budget has no room for one more. The filters are the plan's; the collection and the bar are the author's.
 */
export function dispatchesOf(
  plan: readonly SubQuery[],
  { retrieval, meter }: { retrieval: Retrieval<unknown>; meter: Deps["meter"] },
): readonly Dispatch[] {
  return plan.map((of, place) => {
    const name = needOf(of.intent, place + 1);
    const why = whyRefused(of, retrieval) ?? whyOverBudget(name, meter);
    return why === null ? { kind: "send", of, need: needFor(of, name, retrieval) } : { kind: "refused", of, name, why };
  });
}

function whyRefused({ intent: name, filters }: SubQuery, { intents }: Retrieval<unknown>): string | null {
  const intent = Object.hasOwn(intents, name) ? intents[name] : undefined;
  if (intent === undefined) return "its intent is not declared";
  const missing = Object.entries(intent.filters).find(([key, { required }]) => required && !Object.hasOwn(filters, key));
  if (missing !== undefined) return `its filter \`${missing[0]}\` is required and was not given`;
  const stray = Object.entries(filters).find(([key, value]) => {
    const rule = Object.hasOwn(intent.filters, key) ? intent.filters[key] : undefined;
    return rule === undefined || !rule.values.includes(value);
  });
  return stray === undefined ? null : `its filter \`${stray[0]}\` has a value that is not on its list`;
}

/** Each sub-query is a part of the run. */
function whyOverBudget(name: string, meter: Deps["meter"]): string | null {
  if (meter === undefined) return null;
  const part = meter.child(`sub-query \`${name}\``, {});
  const over = part.kind === "over_budget" ? part : part.meter.toolCall();
  return over === null ? null : over.detail;
}

function needFor(
  { intent: of, query, filters, topN }: SubQuery,
  name: string,
  { intents }: Retrieval<unknown>,
): Need & { kind: "passages" } {
  const { collection, minimumScore = 0 } = intents[of] ?? {};
  return {
    ...{ kind: "passages", name, query, limit: topN, minimumScore },
    ...(collection === undefined ? {} : { collection }),
    ...(Object.keys(filters).length === 0 ? {} : { metadata: filters }),
  };
}
