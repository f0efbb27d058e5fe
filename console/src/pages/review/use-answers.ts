import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Client, Finding } from "../../../../src/client/index.ts";
import type { DecisionView } from "../../../../src/contract/views.ts";
import { useApi } from "../../api/api.tsx";
import { viewKey } from "./questions.ts";

/** What a person does with an item. */
export type Answer =
  | { readonly kind: "approve" }
  | { readonly kind: "reject"; readonly reason: string }
  | { readonly kind: "edit"; readonly decision: unknown }
  | { readonly kind: "withdraw" | "take" | "release" }
  | { readonly kind: "resolve"; readonly finding: Finding };

/** How an item is answered, and what came of the last answer. */
export interface Answers {
  readonly give: (answer: Answer) => void;
  readonly isBusy: boolean;
  readonly error: Error | null;
  readonly answer: Answer["kind"] | null;
  readonly forget: () => void;
}

/**
 * Sends what a person does with one item. The view that comes back is kept as the newest; after a refusal the item is read again, so that
 * it says where it stands. Of an edit the view is its successor's.
 */
export function useAnswers(
  id: string,
  { viewedMs, onDone }: { readonly viewedMs: () => number; readonly onDone: (view: DecisionView, answer: Answer) => void },
): Answers {
  const { client } = useApi();
  const queries = useQueryClient();
  const mutation = useMutation({
    mutationFn: (answer: Answer) => send(client, id, answer, viewedMs()),
    onSuccess: (view, answer) => {
      queries.setQueryData(viewKey(view.id), view);
      if (view.id !== id) void queries.invalidateQueries({ queryKey: viewKey(id) });
      void queries.invalidateQueries({ queryKey: ["reviews", "count"] });
      onDone(view, answer);
    },
    onError: () => void queries.invalidateQueries({ queryKey: viewKey(id) }),
  });
  return {
    give: (answer) => {
      if (!mutation.isPending) mutation.mutate(answer);
    },
    isBusy: mutation.isPending,
    error: mutation.error,
    answer: mutation.variables?.kind ?? null,
    forget: mutation.reset,
  };
}

function send(client: Client, id: string, answer: Answer, viewedMs: number): Promise<DecisionView> {
  switch (answer.kind) {
    case "approve":
      return client.approve(id, { viewedMs });
    case "reject":
      return client.reject(id, answer.reason, { viewedMs });
    case "edit":
      return client.edit(id, answer.decision, { viewedMs });
    case "resolve":
      return client.resolve(id, answer.finding);
    default:
      return client[answer.kind](id);
  }
}
