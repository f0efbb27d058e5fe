import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useApi } from "../api/api.tsx";
import { MarkOf } from "../parts/mark.tsx";
import { badgeWords } from "../words/ledger.ts";

/** How far the ledger was verified, on every page. */
export function LedgerBadge(): ReactNode {
  const { client } = useApi();
  const { data } = useQuery({ queryKey: ["ledger", "badge"], queryFn: () => client.ledger() });
  if (data === undefined) return null;
  const { mark, tone, words } = badgeWords(data, Date.now());
  return (
    <Link to="/ledger" className={`badge tone-${tone}`}>
      <MarkOf name={mark} tone={tone} /> {words}
    </Link>
  );
}
