import type { Score } from "../eval-run.ts";
import type { Played } from "../played.ts";
import { joinRanks, ndcgAt, precisionAt, recallAt, reciprocalRank } from "./ranking.ts";
import { expectsRefusal, itemNames, listed, neededItems, required, type Scorer, share, watched } from "./scoring.ts";

/**
 * Retrieval: whether what is needed was loaded and nothing that may not be seen, and where relevant passages stand, for all legs together
 * and for each.
 */
export const scoreRetrieval: Scorer = ({ one }, played) => {
  const needed = neededItems(one);
  const passages = needed.filter((id) => id.startsWith("passage:"));
  const isUnread = played.items === null && expectsRefusal(one);
  return [
    ...(needed.length === 0 || isUnread ? [] : [requiredEvidence(needed, played)]),
    ...(played.items === null && played.unseen.length === 0 ? [] : [unauthorised(one.expectations.withheld, played)]),
    ...(passages.length === 0 || isUnread ? [] : rankScores(passages, played)),
  ];
};

function requiredEvidence(needed: readonly string[], played: Played): Score {
  const found = itemNames(played);
  const missing = needed.filter((id) => !found.has(id));
  const value = share(needed, (id: string) => found.has(id));
  return required("retrieval.required_evidence", value, `expected ${listed(missing)} to be loaded, and it was not`);
}

/** By what the case withholds, and by the labels of the documents themselves. */
function unauthorised(withheld: readonly string[], played: Played): Score {
  const reached = new Set([...itemNames(played), ...rankedOf(played)]);
  const wrong = [...new Set([...withheld.filter((id) => reached.has(id)), ...played.unseen])];
  const why = `expected nothing that this principal may not see, and ${listed(wrong)} reached the decision`;
  return required("retrieval.unauthorised", wrong.length === 0 ? 1 : 0, why);
}

function rankScores(relevant: readonly string[], played: Played): readonly Score[] {
  const legs = Map.groupBy(played.activity?.searches.flatMap(({ activity }) => activity.legs) ?? [], ({ name }) => name);
  return [
    ...figures("retrieval", rankedOf(played), relevant),
    ...[...legs].flatMap(([name, own]) => figures(`retrieval.${name}`, joinRanks(own.map(({ ranks }) => ranks)), relevant)),
  ];
}

function figures(prefix: `retrieval${string}`, ranked: readonly string[], relevant: readonly string[]): readonly Score[] {
  const named = (name: string): Score["metric"] => `${prefix}.${name}` as Score["metric"]; // the prefix begins with the family
  return [
    watched(named("recall_at_5"), recallAt(ranked, relevant, 5)),
    watched(named("precision_at_1"), precisionAt(ranked, relevant, 1)),
    watched(named("precision_at_3"), precisionAt(ranked, relevant, 3)),
    watched(named("mrr"), reciprocalRank(ranked, relevant)),
    watched(named("ndcg_at_10"), ndcgAt(ranked, relevant, 10)),
  ];
}

/** What was found, best first: of several searches place by place, and behind them what a loop looked up. */
function rankedOf({ activity, steps }: Played): readonly string[] {
  const searched = (activity?.searches ?? []).map(({ references }) => references.map(({ id }) => id));
  const looked = steps.flatMap(({ found }) => found.flatMap(({ kind, id }) => (kind === "passage" ? [id] : [])));
  return [...new Set([...joinRanks(searched), ...looked])];
}
