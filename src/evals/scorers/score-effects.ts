import { canonicalJson } from "../../contract/json.ts";
import type { EvalCase } from "../case-file.ts";
import type { Score } from "../eval-run.ts";
import type { Played } from "../played.ts";
import { holds, letThrough, listed, required, type Scorer } from "./scoring.ts";

/** Effects: what is proposed and what is not, nothing twice; and where they were carried out, the state that is left. */
export const scoreEffects: Scorer = ({ one }, played) => [
  ...proposed(one, played),
  ...twice(played),
  ...applied(one, played),
  ...finalState(one, played),
];

function proposed({ expectations: { effects } }: EvalCase, played: Played): readonly Score[] {
  const there = letThrough(played).effects;
  const isThere = ({ effect, params }: (typeof effects.required)[number]): boolean =>
    there.some((one) => one.effect === effect && holds(one.params, params));
  const missing = effects.required.filter((one) => !isThere(one));
  const wrong = effects.forbidden.filter(isThere);
  const names = (list: typeof effects.required): string => listed(list.map(({ effect }) => effect));
  return [
    ...(effects.required.length === 0
      ? []
      : [
          required(
            "effects.required",
            1 - missing.length / effects.required.length,
            `expected ${names(missing)} with its params`,
          ),
        ]),
    ...(effects.forbidden.length === 0
      ? []
      : [
          required(
            "effects.no_forbidden",
            wrong.length === 0 ? 1 : 0,
            `expected nothing of ${names(wrong)}, and it was proposed`,
          ),
        ]),
  ];
}

function twice(played: Played): readonly Score[] {
  const there = letThrough(played).effects.map(({ effect, params }) => ({ effect, key: canonicalJson({ effect, params }) }));
  if (there.length === 0) return [];
  const doubled = there.filter(({ key }, place) => there.findIndex((one) => one.key === key) !== place);
  const why = `expected each change once, and ${listed(doubled.map(({ effect }) => effect))} was proposed again`;
  return [required("effects.no_duplicate", doubled.length === 0 ? 1 : 0, why)];
}

/** "Done" is said only where an independent read has seen the state that the effect's contract names. */
function applied({ expectations }: EvalCase, { decision, outcome }: Played): readonly Score[] {
  if (expectations.applied !== true && expectations.state.length === 0) return [];
  if (decision === null || decision.effects.length === 0) return [];
  const open = decision.effects.filter(({ state, verdict }) => state !== "complete" || verdict !== "complete");
  const ends = open.map(({ effect, state }) => `${effect}: ${state}`);
  const why = `expected every change to be seen at its target, and the decision is \`${outcome.state}\` (${listed(ends)})`;
  return [required("effects.applied", 1 - open.length / decision.effects.length, why)];
}

function finalState({ expectations: { state } }: EvalCase, played: Played): readonly Score[] {
  if (state.length === 0) return [];
  const counts = state.map(({ query, row }, place) => {
    const rows = played.state[place]?.rows;
    return { query, count: rows == null ? null : rows.filter((one) => holds(one, row)).length };
  });
  const names = (list: typeof counts): string => listed(list.map(({ query }) => query));
  const unread = counts.filter(({ count }) => count === null);
  if (unread.length > 0) return [required("effects.final_state", null, `${names(unread)} could not be read in the end`)];
  const missing = counts.filter(({ count }) => count === 0);
  const doubled = counts.filter(({ count }) => (count ?? 0) > 1);
  return [
    required("effects.final_state", 1 - missing.length / counts.length, `expected a row of ${names(missing)} as the case says`),
    required("effects.final_state_once", doubled.length === 0 ? 1 : 0, `expected one row each, and ${names(doubled)} has more`),
  ];
}
