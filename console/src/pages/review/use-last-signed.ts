import { useState } from "react";
import type { DecisionView } from "../../../../src/contract/views.ts";
import { tell } from "../../shell/told.tsx";
import { type Answers, useAnswers } from "./use-answers.ts";

/** What this person signed last, and taking it back from wherever they are in the queue. */
export function useLastSigned(): {
  readonly id: string | null;
  readonly put: (view: DecisionView) => void;
  readonly withdraw: () => void;
  readonly answers: Answers;
} {
  const [id, setId] = useState<string | null>(null);
  const answers = useAnswers(id ?? "", {
    viewedMs: () => 0,
    onDone: () => {
      setId(null);
      tell("Your signature is taken back.");
    },
  });
  return {
    id,
    put: (view) => setId(view.id),
    withdraw: () => {
      if (id !== null) answers.give({ kind: "withdraw" });
    },
    answers,
  };
}
