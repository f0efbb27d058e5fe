import { hash } from "node:crypto";
import { canonicalJson } from "../../contract/json.ts";
import type { Rubric } from "./rubric.ts";

/** SHA-256 over what a rubric's readings depend on, in hex: task, model and criteria. Floors and what trust takes may change beside them. */
export function rubricDigest({ task, model, criteria }: Rubric): string {
  return hash("sha256", canonicalJson({ task, model, criteria }), "hex");
}
