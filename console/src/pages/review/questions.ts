import { queryOptions } from "@tanstack/react-query";
import type { Client } from "../../../../src/client/index.ts";

/** Where the newest view of one item is kept: read anew whenever decisions change, and by what an answer brings back. */
export function viewKey(id: string): readonly string[] {
  return ["decisions", "item", id];
}

/** The newest view of one item. */
export function viewOf(client: Client, id: string) {
  return queryOptions({ queryKey: viewKey(id), queryFn: () => client.decision(id) });
}

/** What an item rests on. It was fixed with the proposal, so it is read once. */
export function evidenceOf(client: Client, id: string) {
  return queryOptions({
    queryKey: ["evidence", id],
    queryFn: () => client.evidence(id),
    staleTime: Number.POSITIVE_INFINITY,
  });
}
