import type { ReactNode } from "react";
import { PageHeading } from "../../parts/page-heading.tsx";

/** Policies. */
export function PoliciesPage(): ReactNode {
  return (
    <div className="page">
      <PageHeading title="Policies" />
    </div>
  );
}
