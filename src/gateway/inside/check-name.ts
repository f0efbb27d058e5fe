import { CountersignError } from "../../contract/errors.ts";
import { idPattern } from "../../contract/limits.ts";

/** Refuses a name of a model inside the boundary that has not the form of an id. Throws `definition_invalid`. */
export function checkModelName(what: "an embedder" | "a reranker" | "a recogniser", name: string): void {
  if (!idPattern.test(name))
    throw new CountersignError(
      "definition_invalid",
      `${what}'s name has lower-case letters, digits, \`_\`, \`.\` and \`-\`, 63 at most`,
    );
}
