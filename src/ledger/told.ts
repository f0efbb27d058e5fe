import type { EntryView, Sight } from "../contract/views.ts";
import type { DecisionStory, ReadEntry } from "./story.ts";

/**
 * The entries of a decision as views, its outcome first: the facts of all, with the decrypted bodies that this sight may read beside
 * them. What a model wrote is an auditor's alone, since a guard may have held it back.
 */
export function storyOf({ outcome, following }: DecisionStory, sight: Sight): readonly EntryView[] {
  return [entryOf(outcome, outcomeBodies(outcome, sight)), ...following.map((entry) => entryOf(entry, followingBodies[sight]))];
}

type Names = readonly string[] | "all";

/** Of the outcome: the checks that the requester is told of, and the evidence that a person signs on. */
function outcomeBodies({ body }: ReadEntry, sight: Sight): Names {
  if (sight === "auditor") return "all";
  const isForPeople = body["route"] === "hitl_recommended" || body["route"] === "hitl_required";
  return sight === "reviewer" && isForPeople ? ["checks", "context", "loop"] : ["checks"];
}

/**
 * Of what followed: what was expected and seen of the effects, and the reasons that people and policy gave. What a person saw at the
 * target, and put down as evidence, is for those who review.
 */
const toAll = ["expected", "observed", "reason"];
const followingBodies: Readonly<Record<Sight, Names>> = { requester: toAll, reviewer: [...toAll, "evidence"], auditor: "all" };

function entryOf({ bodies, isErased, isUnreadable, body, ...entry }: ReadEntry, names: Names): EntryView {
  const opened = Object.entries(bodies).filter(([name]) => names === "all" || names.includes(name));
  return {
    ...entry,
    body: {
      ...body,
      ...(opened.length === 0 ? {} : { bodies: Object.fromEntries(opened) }),
      ...(isErased ? { erased: true } : {}),
      ...(isUnreadable ? { unreadable: true } : {}),
    },
  };
}
