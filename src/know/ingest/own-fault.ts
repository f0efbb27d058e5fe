import { faultName, isCountersignError } from "../../contract/errors.ts";
import { type FileFault, UnreadableFile } from "./faults.ts";
import { faultOf } from "./list-files.ts";

/** What a thrown value says of one file, which must not stop the others: what is not of the file itself is a fault that may pass. */
export function ownFault(thrown: unknown): { readonly fault: FileFault; readonly detail: string } {
  if (isCountersignError(thrown)) {
    if (thrown.code === "too_large") return { fault: "too_large", detail: thrown.message };
    if (thrown.code === "bad_request" || thrown.code === "bad_text") return { fault: "bad_metadata", detail: thrown.message };
    return { fault: "not_taken", detail: thrown.message };
  }
  if (thrown instanceof UnreadableFile || (thrown instanceof Error && "syscall" in thrown)) return faultOf(thrown);
  return { fault: "not_taken", detail: `the database did not take it (${faultName(thrown)})` };
}
