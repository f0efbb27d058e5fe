import type { ReactNode } from "react";
import { PageHeading } from "../../parts/page-heading.tsx";

/** Ledger. */
export function LedgerPage(): ReactNode {
  return (
    <div className="page">
      <PageHeading title="Ledger" />
    </div>
  );
}
