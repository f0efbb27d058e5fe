import type { JsonObject } from "../../contract/json.ts";
import { textAt } from "../fields.ts";

/** Whether an entry says that an effect was not seen as it should be: it failed, or is to be undone. */
export function isFailedLook({ kind, body }: { readonly kind: string; readonly body: JsonObject }): boolean {
  return kind === "observed" && (textAt(body, "verdict") === "failed" || textAt(body, "next") === "compensate");
}
