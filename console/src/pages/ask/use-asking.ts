import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { isCountersignError } from "../../../../src/contract/errors.ts";
import type { AskView } from "../../../../src/contract/views.ts";
import { useApi } from "../../api/api.tsx";
import { tell } from "../../shell/told.tsx";
import { stateLine } from "../../words/states.ts";
import { type AskDraft, askKeyOf, noDraft, readAskDraft, saveAskDraft } from "./ask-draft.ts";

/** What a person types, and what becomes of sending it. */
export interface Asking {
  readonly text: string;
  readonly type: (text: string) => void;
  readonly ask: () => void;
  /** What is being decided, since when; `null` where nothing is. */
  readonly pending: { readonly text: string; readonly at: number } | null;
  readonly error: Error | null;
  /** The question that came back in place of a decision. */
  readonly question: string | null;
}

const askAgainMs = 2_000;
const mostAgain = 30;

/** The field of the page: its words outlive a reload, and the same words are asked once however often they are sent. */
export function useAsking(onAnswer: (answer: AskView) => void): Asking {
  const { client, session } = useApi();
  const queries = useQueryClient();
  const [draft, setDraft] = useState<AskDraft>(() => readAskDraft(session.id));
  const keep = (next: AskDraft) => {
    setDraft(next);
    saveAskDraft(session.id, next);
  };
  const asking = useMutation({
    mutationFn: ({ text, key }: { text: string; key: string }) => client.ask({ text, idempotencyKey: key }),
    // It was taken and is being decided: the answer is asked for again under the same key.
    retry: (count, thrown) => isCountersignError(thrown, "in_progress") && count < mostAgain,
    retryDelay: askAgainMs,
    onSuccess: async (answer, { text }) => {
      const isAsked = answer.kind === "asked_back";
      // What was typed meanwhile stays; a question back is answered by changing the same words.
      if (!isAsked) keep(readAskDraft(session.id).text === text ? noDraft : { text: readAskDraft(session.id).text, sent: null });
      tell(
        isAsked ? `It asks back: ${answer.question}` : `${stateLine(answer.decision).words} ${stateLine(answer.decision).detail}`,
      );
      await queries.invalidateQueries({ queryKey: ["decisions"] });
      onAnswer(answer);
    },
  });
  return {
    text: draft.text,
    type: (text) => keep({ ...draft, text }),
    ask: () => {
      const text = draft.text;
      if (text.trim() === "" || asking.isPending) return;
      const key = askKeyOf(draft);
      keep({ text, sent: { text, key } });
      asking.mutate({ text, key });
    },
    pending: asking.isPending ? { text: asking.variables.text, at: asking.submittedAt } : null,
    error: asking.error,
    question: asking.data?.kind === "asked_back" ? asking.data.question : null,
  };
}
