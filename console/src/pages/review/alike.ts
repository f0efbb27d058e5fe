import type { DecisionView } from "../../../../src/contract/views.ts";
import { asObject, isSame } from "../../words/changes.ts";
import { isAnswerable, needsConfirming, type Reader } from "./standing.ts";

/** How many are answered together at most. */
const most = 20;

/** The items that may be answered together with one: of its capability and version, the same effects, low risk, only values differ. */
export function alikeTo(view: DecisionView, rows: readonly DecisionView[], me: Reader, now: number): readonly DecisionView[] {
  if (!isSimple(view, me, now)) return [];
  const others = rows.filter((row) => row.id !== view.id && isSimple(row, me, now) && kindOf(row) === kindOf(view));
  return others.length === 0 ? [] : [view, ...others].slice(0, most);
}

/** The names of the params in which they differ. */
export function differingParams(views: readonly DecisionView[]): readonly { readonly effect: number; readonly name: string }[] {
  const [first] = views;
  if (first === undefined) return [];
  return first.effects.flatMap(({ index, params }) =>
    Object.keys(asObject(params))
      .filter((name) => views.some((view) => !isSame(paramOf(view, index, name), asObject(params)[name])))
      .map((name) => ({ effect: index, name })),
  );
}

/** The value of a param of an effect; `undefined` where there is none. */
export function paramOf(view: DecisionView, effect: number, name: string) {
  return asObject(view.effects[effect]?.params ?? null)[name];
}

function isSimple(view: DecisionView, me: Reader, now: number): boolean {
  return (
    view.state === "waiting" &&
    view.route === "hitl_recommended" &&
    view.obstacle === null &&
    view.effects.length > 0 &&
    !needsConfirming(view) &&
    isAnswerable(view, me, now)
  );
}

function kindOf({ capability, capabilityVersion, effects }: DecisionView): string {
  const shapes = effects.map(({ effect, params }) => `${effect} ${Object.keys(asObject(params)).toSorted().join(" ")}`);
  return [capability, capabilityVersion, ...shapes].join("\n");
}
