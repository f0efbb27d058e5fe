import type { Need } from "../../contract/context.ts";
import type { FoundPassages } from "../../contract/found-passages.ts";
import type { Reranker } from "../../contract/reranker.ts";

/** How many of the best are handed to a reranker, unless more are asked for. */
export const mostToRerank = 20;

/**
 * Orders what a search found by a reranker, and keeps as many as the need asks for; of equals the one that search put first goes first.
 * What it did stands in the activity as a way of its own. Throws `model_unavailable` where a score is missing.
 */
export async function rerank(
  { content, references, activity }: FoundPassages,
  {
    need,
    reranker,
    clock,
  }: { need: Need & { readonly kind: "passages" }; reranker: Reranker; clock: { readonly monotonic: () => number } },
): Promise<FoundPassages> {
  const begun = clock.monotonic();
  const scores = await reranker.score(
    need.query,
    content.map(({ section, text }) => (section === "" ? text : `${section}\n${text}`)),
  );
  const order = [...content.keys()].sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
  const kept = order.slice(0, need.limit);
  const idOf = (place: number) => content[place]?.id ?? "";
  return {
    content: kept.flatMap((place) => content[place] ?? []),
    references: kept.flatMap((place) => references[place] ?? []),
    activity: {
      ...activity,
      legs: [...activity.legs, { name: "rerank", weight: 1, ranks: order.map(idOf) }],
      dropped: [
        ...order.slice(need.limit).map((place) => ({ id: idOf(place), why: "beyond_limit" as const })),
        ...activity.dropped,
      ],
      ms: activity.ms + clock.monotonic() - begun,
    },
  };
}
