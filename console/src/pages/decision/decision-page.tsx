import type { ReactNode } from "react";
import { PageHeading } from "../../parts/page-heading.tsx";

/** Decision. */
export function DecisionPage(): ReactNode {
  return (
    <div className="page">
      <PageHeading title="Decision" />
    </div>
  );
}
