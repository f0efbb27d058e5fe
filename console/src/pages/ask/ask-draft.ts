import { keep, readKept } from "../../shell/kept.ts";

/** What somebody has typed and not asked yet, and the key under which it was last sent. */
export interface AskDraft {
  readonly text: string;
  /** The same words go out under the same key again, so that a lost reply asks for nothing twice. */
  readonly sent: { readonly text: string; readonly key: string } | null;
}

/** Nothing typed. */
export const noDraft: AskDraft = { text: "", sent: null };

/** What this person typed before in this tab. */
export function readAskDraft(person: string): AskDraft {
  const kept = readKept({ person, what: "ask" });
  return isDraft(kept) ? kept : noDraft;
}

/** Keeps it until the tab is closed. */
export function saveAskDraft(person: string, draft: AskDraft): void {
  keep({ person, what: "ask" }, draft.text === "" && draft.sent === null ? null : draft);
}

/** The key for words that are to be sent: that of the last sending where the words are the same, else a new one. */
export function askKeyOf({ text, sent }: AskDraft): string {
  return sent?.text === text ? sent.key : crypto.randomUUID();
}

function isDraft(kept: unknown): kept is AskDraft {
  if (typeof kept !== "object" || kept === null || !("text" in kept) || !("sent" in kept)) return false;
  const { text, sent } = kept;
  if (typeof text !== "string") return false;
  return sent === null || (typeof sent === "object" && "text" in sent && "key" in sent && typeof sent.key === "string");
}
