import { CountersignError } from "../../contract/errors.ts";
import type { DecisionStory, ReadEntry } from "../../ledger/story.ts";

/**
 * The story for somebody who signs: without the entries that cannot be read and say nothing of what is signed, such as an observation
 * of another effect. Throws `payload_unreadable` where the proposal cannot be read, or what was signed, withdrawn, edited or expired, and
 * `payload_erased` where the proposal was erased.
 */
export function legibleStory(story: DecisionStory): DecisionStory {
  if (story.outcome.isErased)
    throw new CountersignError("payload_erased", "what was proposed was erased, so nobody can sign it; reject it and ask anew");
  if (story.outcome.isUnreadable) throw unreadable("what was proposed cannot be read");
  if (story.following.some((entry) => isLost(entry) && matters.has(entry.kind)))
    throw unreadable("who has answered it before cannot be read");
  return { ...story, following: story.following.filter((entry) => !isLost(entry)) };
}

/** These say with their facts, not with their kind alone, whose signature stands and whether the proposal does. */
const matters: ReadonlySet<ReadEntry["kind"]> = new Set(["approved", "withdrawn", "expired", "corrected", "rejected"]);

/** Its facts are lost: what stands in their place has no kind. An entry of which only the payload is unreadable keeps them. */
function isLost({ isUnreadable, body }: ReadEntry): boolean {
  return isUnreadable && body["kind"] === undefined;
}

function unreadable(what: string): CountersignError {
  return new CountersignError("payload_unreadable", `${what}, so nobody can sign it; reject it and ask anew`);
}
