import type { SightOf } from "../../contract/ports.ts";
import type { Principal } from "../../contract/principal.ts";
import type { DecisionView, Sight } from "../../contract/views.ts";
import type { Tx } from "../../store/database.ts";
import type { PayloadKeys } from "../payload.ts";
import { readDecisions } from "../read.ts";
import { seeingOf } from "../seeing.ts";
import type { DecisionStory } from "../story.ts";
import { viewDecision } from "../view.ts";

/** A decision's story with how much of it somebody may see, and the view that this makes. */
export interface SeenStory {
  readonly story: DecisionStory;
  readonly sight: Sight;
  readonly view: DecisionView;
}

/** Reads the stories of several decisions, each as far as the principal may see it; what they may not see is not in it. */
export async function readSeenStories(
  tx: Tx,
  {
    principal,
    keys,
    sightOf,
    decisionIds,
  }: { principal: Principal; keys: PayloadKeys; sightOf: SightOf; decisionIds: readonly string[] },
): Promise<ReadonlyMap<string, SeenStory>> {
  const ids = [...new Set(decisionIds)];
  if (ids.length === 0) return new Map();
  const stories = await readDecisions({ tx, tenant: principal.tenant, decisionIds: ids, keys, unreadable: "mark" });
  const seen = new Map<string, SeenStory>();
  for (const [id, read] of stories) {
    if (read.kind === "failed") throw read.thrown;
    const { story } = read;
    const sight = story === null ? null : sightOf(seeingOf(principal, story));
    if (story !== null && sight !== null) seen.set(id, { story, sight, view: viewDecision(story, sight) });
  }
  return seen;
}
