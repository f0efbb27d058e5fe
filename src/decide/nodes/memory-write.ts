import type { Node } from "../state.ts";

/** Node 11: the notes that `close` will keep with the decision. Writes nothing itself. */
export const memoryWrite: Node<"proposal" | "checked", "notes"> = async ({ proposal, checked }) => {
  const failed = checked.results.filter((result) => !result.passed).map((result) => result.name);
  const found = failed.length === 0 ? "every check passed" : `failed checks: ${failed.join(", ")}`;
  return { notes: [{ text: `${proposal.summary} (${proposal.routing.route} by ${proposal.routing.rule}; ${found})` }] };
};
