import { type QueryClient, useQuery } from "@tanstack/react-query";
import type { DecisionView } from "../../../../src/contract/views.ts";
import { useApi } from "../../api/api.tsx";
import { viewKey, viewOf } from "./questions.ts";
import type { Live } from "./use-queue.ts";

/** The newest that is known of a row: from its own view, from the queue as it is now, else as it was held. What left the queue is looked up. */
export function useLatest(row: DecisionView, live: Live): DecisionView {
  const { client } = useApi();
  const now = live.views.get(row.id);
  const { data, dataUpdatedAt } = useQuery({ ...viewOf(client, row.id), enabled: live.isAll && now === undefined });
  if (now !== undefined && (data === undefined || live.at > dataUpdatedAt)) return now;
  return data ?? row;
}

/** The same for whoever asks once, of what is known without asking the desk. */
export function latestOf(queries: QueryClient, live: Live, row: DecisionView): DecisionView {
  const now = live.views.get(row.id);
  const own = queries.getQueryState<DecisionView>(viewKey(row.id));
  if (now !== undefined && (own?.data === undefined || live.at > own.dataUpdatedAt)) return now;
  return own?.data ?? row;
}
