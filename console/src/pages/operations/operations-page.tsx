import type { ReactNode } from "react";
import { PageHeading } from "../../parts/page-heading.tsx";

/** Operations. */
export function OperationsPage(): ReactNode {
  return (
    <div className="page">
      <PageHeading title="Operations" />
    </div>
  );
}
