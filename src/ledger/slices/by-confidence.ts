import type { JsonObject } from "../../contract/json.ts";
import { editorIn } from "../asker.ts";
import { textAt } from "../fields.ts";

/** The rules by which confidence alone fixed the route. Whatever was lowered besides would not have gone alone by any threshold. */
const byConfidence: ReadonlySet<string> = new Set(["at_or_above_threshold", "within_margin", "below_margin", "audit_sample"]);

/**
 * Whether the entry of a decision tells of one whose route confidence alone fixed, of this version and in this environment. What a slice is
 * earned by and what it is watched by go through here, so that the same decisions count for both.
 */
export function isByConfidence(
  body: JsonObject,
  { capabilityVersion, environment }: { readonly capabilityVersion: string; readonly environment: string },
): boolean {
  const { loweredBy, verified } = body;
  return (
    textAt(body, "capabilityVersion") === capabilityVersion &&
    textAt(body, "environment") === environment &&
    verified === true &&
    Array.isArray(loweredBy) &&
    loweredBy.length === 0 &&
    byConfidence.has(textAt(body, "rule") ?? "") &&
    editorIn(body) === null
  );
}
