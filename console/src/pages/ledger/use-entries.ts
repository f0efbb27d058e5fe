import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { LedgerLine, LedgerState } from "../../../../src/contract/ledger-view.ts";
import { useApi } from "../../api/api.tsx";
import { type Paged, usePaged } from "../../api/pages.ts";
import { type Asked, questionOf } from "./ledger-filters.tsx";

/** The shown entries, which hold still, and how many were sealed since they were read. */
export interface Entries extends Paged<LedgerLine> {
  readonly state: LedgerState | undefined;
  readonly stateError: Error | null;
  readonly newCount: number;
  /** Reads the list from its beginning. */
  readonly load: () => void;
}

const pageSize = 200;

/** Reads entries page by page. The list is never read again by itself: what was sealed meanwhile is counted beside it. */
export function useEntries(asked: Asked): Entries {
  const { client } = useApi();
  const queries = useQueryClient();
  const question = questionOf(asked);
  const key = ["held", "ledger", question] as const;
  const state = useQuery({ queryKey: ["ledger", "badge"], queryFn: () => client.ledger() });
  const readAt = useQuery({
    queryKey: [...key, "head"],
    queryFn: async () => (await client.ledger()).head,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const paged = usePaged([...key, "list"], (cursor) =>
    client.ledgerEntries({ ...question, limit: pageSize, ...(cursor === undefined ? {} : { cursor }) }),
  );
  const head = state.data?.head ?? 0;
  return {
    ...paged,
    state: state.data,
    stateError: state.data === undefined ? state.error : null,
    newCount: readAt.data === undefined ? 0 : Math.max(0, head - readAt.data),
    load: () => void queries.resetQueries({ queryKey: key }),
  };
}
