import type { ReactNode } from "react";
import { PageHeading } from "../../parts/page-heading.tsx";

/** Models. */
export function ModelsPage(): ReactNode {
  return (
    <div className="page">
      <PageHeading title="Models" />
    </div>
  );
}
