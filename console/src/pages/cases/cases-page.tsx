import type { ReactNode } from "react";
import { PageHeading } from "../../parts/page-heading.tsx";

/** Cases. */
export function CasesPage(): ReactNode {
  return (
    <div className="page">
      <PageHeading title="Cases" />
    </div>
  );
}
