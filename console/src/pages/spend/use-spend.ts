import { keepPreviousData, type UseQueryResult, useQuery } from "@tanstack/react-query";
import type { SpendGroup, SpendView } from "../../../../src/contract/spend.ts";
import { useApi } from "../../api/api.tsx";

/** Reads what was spent in a range of days, added up by one thing. */
export function useSpend(of: {
  readonly by: SpendGroup;
  readonly from: string;
  readonly before: string;
}): UseQueryResult<SpendView> {
  const { client } = useApi();
  return useQuery({ queryKey: ["spend", of], queryFn: () => client.spend(of), placeholderData: keepPreviousData });
}
