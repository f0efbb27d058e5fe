import type { ReactNode } from "react";
import { PageHeading } from "../../parts/page-heading.tsx";

/** Emergency stop. */
export function StopPage(): ReactNode {
  return (
    <div className="page">
      <PageHeading title="Emergency stop" />
    </div>
  );
}
