import { useKeys } from "../../shell/keys.tsx";
import { reasons } from "./reason-picker.tsx";
import type { ItemActs } from "./use-item-acts.ts";

/**
 * The keys of an open item. While the confirm bar stands a second `a` does nothing and `enter` signs; while a reason is picked the digits
 * are reasons; `esc` goes back one step.
 */
export function useItemKeys(
  { step, bar, back, sign, reject, onDraft, draft }: ItemActs,
  {
    opened,
    most,
    onEvidence,
    onFocus,
    onKept,
    onQueue,
  }: {
    readonly opened: number | null;
    /** How many pieces of evidence there are. */
    readonly most: number;
    readonly onEvidence: (number: number | null) => void;
    readonly onFocus: () => void;
    readonly onKept: () => void;
    /** Back to the queue, where it is a step of its own. */
    readonly onQueue: (() => void) | undefined;
  },
): void {
  const isAnswer = step === "answer";
  const turn = (by: number) => {
    const next = (opened ?? 0) + by;
    if (next >= 1 && next <= most) onEvidence(next);
  };
  const digit = (number: number) => {
    if (step === "reject") {
      if (number <= reasons.length) onDraft({ reason: draft.reason === number ? 0 : number });
    } else if (number <= most) onEvidence(number);
  };
  const enter = { answer: onFocus, confirm: sign, reject, edit: undefined }[step];
  const leave = opened === null ? onQueue : () => onEvidence(null);
  useKeys({
    ...(isAnswer ? { a: bar.approve, r: bar.reject, e: bar.edit, c: bar.claim, n: bar.askAnew, w: bar.withdraw } : {}),
    ...Object.fromEntries(digits.map((name, place) => [name, () => digit(place + 1)])),
    "[": () => turn(-1),
    "]": () => turn(1),
    u: onKept,
    enter,
    esc: isAnswer ? leave : back,
  });
}

const digits = ["1", "2", "3", "4", "5", "6", "7", "8", "9"];
