/** What somebody has typed and not asked yet, and the key under which it was last sent. */
export interface AskDraft {
  readonly text: string;
  /** The same words go out under the same key again, so that a lost reply asks for nothing twice. */
  readonly sent: { readonly text: string; readonly key: string } | null;
}

/** Nothing typed. */
export const noDraft: AskDraft = { text: "", sent: null };

/** What this person typed before in this tab; it survives a reload and a lost sign-in. */
export function readAskDraft(person: string): AskDraft {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(placeOf(person)) ?? "null");
    return isDraft(kept) ? kept : noDraft;
  } catch {
    return noDraft;
  }
}

/** Keeps it until the tab is closed. */
export function saveAskDraft(person: string, draft: AskDraft): void {
  try {
    if (draft.text === "" && draft.sent === null) sessionStorage.removeItem(placeOf(person));
    else sessionStorage.setItem(placeOf(person), JSON.stringify(draft));
  } catch {
    // A browser that keeps nothing still has it until the page is left.
  }
}

/** The key for words that are to be sent: that of the last sending where the words are the same, else a new one. */
export function askKeyOf({ text, sent }: AskDraft): string {
  return sent?.text === text ? sent.key : crypto.randomUUID();
}

function placeOf(person: string): string {
  return `countersign.ask.${person}`;
}

function isDraft(kept: unknown): kept is AskDraft {
  if (typeof kept !== "object" || kept === null || !("text" in kept) || !("sent" in kept)) return false;
  const { text, sent } = kept;
  if (typeof text !== "string") return false;
  return sent === null || (typeof sent === "object" && "text" in sent && "key" in sent && typeof sent.key === "string");
}
