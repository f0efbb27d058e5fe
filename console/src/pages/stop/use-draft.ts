import { useState } from "react";
import { useApi } from "../../api/api.tsx";
import { keep, readKept } from "../../shell/kept.ts";

/** A text that this person typed under a name in this tab, how to change it, and how to forget it. */
export function useDraft(name: string) {
  const { session } = useApi();
  const place = { person: session.id, what: `stop.${name}` };
  const [text, setText] = useState(() => {
    const kept = readKept(place);
    return typeof kept === "string" ? kept : "";
  });
  const change = (changed: string) => {
    setText(changed);
    keep(place, changed === "" ? null : changed);
  };
  return { text, change };
}

/** Forgets such a text once it was sent. */
export function useForgetDraft(name: string): () => void {
  const { session } = useApi();
  return () => keep({ person: session.id, what: `stop.${name}` }, null);
}
