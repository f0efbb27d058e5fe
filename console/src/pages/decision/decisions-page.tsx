import type { ReactNode } from "react";
import { PageHeading } from "../../parts/page-heading.tsx";

/** Decision. */
export function DecisionsPage(): ReactNode {
  return (
    <div className="page">
      <PageHeading title="Decisions" />
    </div>
  );
}
