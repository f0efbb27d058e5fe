import { type ReactNode, useEffect, useRef, useState } from "react";
import type { SliceView } from "../../../../src/contract/autonomy.ts";
import { neverAutoPpm } from "../../../../src/contract/words.ts";
import { Button } from "../../parts/button.tsx";
import { useKeys } from "../../shell/keys.tsx";
import { useAddress } from "../../shell/use-address.ts";
import { counted } from "../../words/plain.ts";
import { useReady } from "../review/use-ready.ts";
import css from "./autonomy.module.css";
import { sliceKey, thresholdWords } from "./slice-words.ts";
import type { Opening } from "./use-opening.ts";

/** The step before a signature: what follows from it; `enter` signs. It signs the proposal that was shown as the step was opened. */
export function ConfirmSlice({
  slice,
  isClosing,
  opening,
}: {
  readonly slice: SliceView;
  readonly isClosing: boolean;
  readonly opening: Opening;
}): ReactNode {
  const { set } = useAddress();
  const [{ proposal }] = useState(slice);
  const isReady = useReady(`sign ${sliceKey(slice)}`);
  const back = () => set({ sign: undefined }, true);
  const sign = () => {
    if (opening.isPending || !isReady()) return;
    if (isClosing) opening.sign({ slice, thresholdPpm: neverAutoPpm });
    else if (proposal !== null) {
      const { digest, until, thresholdPpm } = proposal;
      opening.sign({ slice, thresholdPpm, proposal: { digest, until } });
    }
    back();
  };
  const place = useRef<HTMLElement>(null);
  useEffect(() => place.current?.focus({ preventScroll: true }), []);
  useKeys({ enter: sign });
  const name = `${slice.capability}, ${slice.slice}`;
  const verb =
    isClosing || proposal === null ? `Send all of ${name} to people` : `Sign T ${thresholdWords(proposal.thresholdPpm)}`;
  return (
    <section ref={place} tabIndex={-1} className={`${css["bar"]} ${css["confirm"]}`} aria-label="Before you sign">
      <p>
        <strong>{verb}.</strong>{" "}
        {isClosing || proposal === null
          ? "Nothing of it goes through without a person any more, from the moment it is checked. Opening it again needs evidence."
          : `Proposals of ${name} whose confidence reaches ${thresholdWords(proposal.thresholdPpm)} are applied without a person, by your signature. It rests on ${counted(proposal.wouldBeAuto, "judged decision")}, and any breach takes it back.`}
      </p>
      <div className={css["buttons"]}>
        <Button look={isClosing ? "solid" : "primary"} keyName="enter" disabled={opening.isPending} onClick={sign}>
          {verb}
        </Button>
        <Button keyName="esc" onClick={back}>
          Back
        </Button>
      </div>
    </section>
  );
}
