import { CountersignError } from "../../contract/errors.ts";

/** The error of a recogniser that stopped since nobody waits for it any more. */
export function cancelled(name: string): CountersignError {
  return new CountersignError("model_unavailable", `the recogniser \`${name}\` was cancelled`);
}
