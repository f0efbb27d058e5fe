import { type ReactNode, useEffect, useRef } from "react";
import type { SliceView } from "../../../../src/contract/autonomy.ts";
import { neverAutoPpm } from "../../../../src/contract/words.ts";
import { useApi } from "../../api/api.tsx";
import { Banner } from "../../parts/banner.tsx";
import { Button } from "../../parts/button.tsx";
import { useLostAt } from "../../shell/connection.tsx";
import { useKeys } from "../../shell/keys.tsx";
import { useAddress } from "../../shell/use-address.ts";
import { errorWords } from "../../words/errors.ts";
import { useReady } from "../review/use-ready.ts";
import css from "./autonomy.module.css";
import { ConfirmSlice } from "./confirm-slice.tsx";
import { sliceKey, thresholdWords } from "./slice-words.ts";
import type { Opening } from "./use-opening.ts";

/** What may be signed of a slice: the proposed threshold, or that everything goes to a person again; why not, where it may not. */
export function SliceBar({
  slice,
  opening,
  onClose,
}: {
  readonly slice: SliceView;
  readonly opening: Opening;
  readonly onClose: () => void;
}): ReactNode {
  const { search, set } = useAddress();
  const closed = useWhyClosed(slice, opening);
  const asked = search["sign"];
  const isReady = useReady(sliceKey(slice));
  const mayOpen = closed === null && slice.proposal !== null;
  const mayClose = closed === null && slice.thresholdPpm < neverAutoPpm;
  const ask = (sign: "open" | "close") => {
    opening.clear();
    set({ sign }, true);
  };
  const place = useFocusBack(asked);
  useKeys({ a: mayOpen && asked === undefined ? () => isReady() && ask("open") : undefined });
  if ((asked === "open" && mayOpen) || (asked === "close" && mayClose))
    return <ConfirmSlice slice={slice} isClosing={asked === "close"} opening={opening} />;
  return (
    <section ref={place} tabIndex={-1} className={css["bar"]} aria-label="What may be signed">
      <SignedNow slice={slice} opening={opening} />
      <div className={css["buttons"]}>
        {slice.proposal === null ? null : (
          <Button look="primary" keyName="a" disabled={!mayOpen} onClick={() => ask("open")}>
            Sign T {thresholdWords(slice.proposal.thresholdPpm)}…
          </Button>
        )}
        <Button look="solid" disabled={!mayClose} onClick={() => ask("close")}>
          Send all to people…
        </Button>
        <Button className={css["back"] ?? ""} keyName="esc" onClick={onClose}>
          Back to the table
        </Button>
      </div>
      <p className="meta">{closed ?? openWords(slice)}</p>
    </section>
  );
}

/** Puts focus on the bar again once the step before a signature is left: the button that had it is gone. */
function useFocusBack(asked: string | undefined) {
  const place = useRef<HTMLElement>(null);
  const before = useRef(asked);
  useEffect(() => {
    if (before.current !== undefined && asked === undefined) place.current?.focus({ preventScroll: true });
    before.current = asked;
  }, [asked]);
  return place;
}

function openWords({ thresholdPpm, proposal }: SliceView): string {
  if (proposal !== null) return "Any breach takes it back at once. What is not signed changes nothing.";
  if (thresholdPpm >= neverAutoPpm) return "Nothing can be signed: everything of it goes to a person already.";
  return "Nothing is proposed. Any breach takes it back at once; you may, at any time, and need no evidence.";
}

/** Why this person can sign nothing of it now; `null` where they can. */
function useWhyClosed(slice: SliceView, opening: Opening): string | null {
  const { session } = useApi();
  const lostAt = useLostAt();
  if (!session.may.openSlices) return "Only somebody with the role owner signs a threshold, in person. You see what it rests on.";
  if (lostAt !== null) return "The desk cannot be reached, so nothing can be signed from here.";
  const signed = opening.signedOf(slice);
  if (signed !== null && signed.thresholdPpm !== slice.thresholdPpm) return "Signed; the acting half checks it now.";
  return null;
}

function SignedNow({ slice, opening }: { readonly slice: SliceView; readonly opening: Opening }): ReactNode {
  const signed = opening.signedOf(slice);
  if (opening.error !== null) {
    const { title, detail } = errorWords(opening.error, "The signature");
    return (
      <Banner tone="stop" title={title}>
        {detail} The threshold stands as it was.
      </Banner>
    );
  }
  if (signed === null) return null;
  const stands = signed.thresholdPpm === slice.thresholdPpm;
  return (
    <p role="status">
      <strong>{stands ? standsWords(slice) : "Signed."}</strong>{" "}
      {stands ? "" : "It stands once the acting half has checked the signature. "}
      Approval <code>{signed.approvalId}</code>.
    </p>
  );
}

function standsWords({ thresholdPpm }: SliceView): string {
  return thresholdPpm >= neverAutoPpm ? "Every proposal goes to a person." : `T stands at ${thresholdWords(thresholdPpm)}.`;
}
