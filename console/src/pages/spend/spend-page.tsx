import type { ReactNode } from "react";
import { PageHeading } from "../../parts/page-heading.tsx";

/** Spend. */
export function SpendPage(): ReactNode {
  return (
    <div className="page">
      <PageHeading title="Spend" />
    </div>
  );
}
