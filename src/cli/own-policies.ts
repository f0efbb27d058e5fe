import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { CountersignError } from "../contract/errors.ts";

/** The folder with a project's own policies: `COUNTERSIGN_POLICIES`, else `policies` beside its `project.ts`; `null` where there is none. */
export function ownPolicies(project: string | undefined): string | null {
  const named = process.env["COUNTERSIGN_POLICIES"] ?? "";
  if (named !== "") {
    if (existsSync(named)) return resolve(named);
    throw new CountersignError("configuration_invalid", "`COUNTERSIGN_POLICIES` names a folder that is not there");
  }
  const beside = project === undefined ? null : join(resolve(project), "policies");
  return beside !== null && existsSync(beside) ? beside : null;
}
