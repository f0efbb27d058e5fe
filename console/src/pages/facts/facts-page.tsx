import type { ReactNode } from "react";
import { PageHeading } from "../../parts/page-heading.tsx";

/** Facts. */
export function FactsPage(): ReactNode {
  return (
    <div className="page">
      <PageHeading title="Facts" />
    </div>
  );
}
