import { useEffect } from "react";
import type { DecisionView } from "../../../../src/contract/views.ts";
import { useApi } from "../../api/api.tsx";
import { useNow } from "../../parts/now.tsx";
import { tell } from "../../shell/told.tsx";
import { ownUntil } from "./standing.ts";

const minute = 60_000;

/** Extends this reader's claim while they work on the item: in its last five minutes, while the window has focus. */
export function useClaimRenewed(view: DecisionView): void {
  const { client, session } = useApi();
  const now = useNow("minute");
  const until = ownUntil(view, session, now);
  const isEnding = until !== null && until - now < 5 * minute;
  useEffect(() => {
    // Where it fails the claim ends at its time, which the item shows.
    if (isEnding && now > 0 && document.hasFocus()) client.take(view.id).catch(() => undefined);
  }, [client, view.id, isEnding, now]);
}

/** Tells screen readers that an item expires soon: at 15 and at 5 minutes, and at no other time. */
export function useExpiryTold({ expiresAt }: DecisionView): void {
  const now = useNow("minute");
  const left = expiresAt === null ? null : Math.ceil((expiresAt - now) / minute);
  const mark = left === null || left <= 0 || left > 15 ? null : left <= 5 ? 5 : 15;
  useEffect(() => {
    if (mark !== null) tell(`It expires in ${mark} minutes or less.`);
  }, [mark]);
}
