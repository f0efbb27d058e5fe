import type { EntryDraft } from "../../contract/entry.ts";
import type { Breach } from "../../contract/words.ts";
import { isFailedLook } from "../../ledger/slices/is-failed-look.ts";
import type { Happened } from "../tell.ts";
import type { Demotion } from "./demote.ts";

/** The slices that come down by what is being recorded of operations, each once, with the entry that shows why. */
export function demotionsBy(happened: readonly Happened[]): readonly Demotion[] {
  const found = new Map<string, Demotion>();
  for (const { held, drafts } of happened) {
    const shown = breachOf(drafts);
    if (shown === null) continue;
    const { decisionId, proposal } = held.task;
    const { capability, capabilityVersion, routing } = proposal;
    const name = { tenant: held.tenant, capability, capabilityVersion, slice: routing.slice };
    found.set(JSON.stringify(Object.values(name)), { ...name, ...shown, decisionId });
  }
  return [...found.values()];
}

function breachOf(drafts: readonly EntryDraft[]): { readonly breach: Breach; readonly cause: string } | null {
  for (const { id, kind, facts } of drafts) {
    const breach = breachIn(kind, facts);
    if (breach !== null) return { breach, cause: id };
  }
  return null;
}

/** What was not seen as it should be, what is undone or was, and a system of record that has other columns than before. */
function breachIn(kind: EntryDraft["kind"], facts: EntryDraft["facts"]): Breach | null {
  if (facts["fault"] === "record_changed" || facts["code"] === "record_changed") return "connector_changed";
  if (kind === "compensated") return "reversed";
  if (kind === "escalated") return "verification_failed";
  return isFailedLook({ kind, body: facts }) ? "verification_failed" : null;
}
