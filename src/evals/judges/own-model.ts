import type { ModelChoice } from "../../contract/capability.ts";

/** A snapshot's date at the end of an id, as providers write it. */
const snapshot = /[-@](?:\d{8}|\d{4}-\d{2}-\d{2})$/;

/**
 * Says whether a model, `provider/id`, is the judge's own: the same id at the same provider, whatever snapshot of it. Source for why that
 * matters: Panickssery, Bowman, Feng, "LLM Evaluators Recognize and Favor Their Own Generations" (2024).
 */
export function isOwnModel({ provider, id }: Pick<ModelChoice, "provider" | "id">, model: string): boolean {
  return model.replace(snapshot, "") === `${provider}/${id}`.replace(snapshot, "");
}
