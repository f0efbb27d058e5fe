import type { ReactNode } from "react";
import { PageHeading } from "../../parts/page-heading.tsx";

/** Review. */
export function HealthPage(): ReactNode {
  return (
    <div className="page">
      <PageHeading title="Your reviews" />
    </div>
  );
}
