import type { ReactNode } from "react";
import { PageHeading } from "../../parts/page-heading.tsx";

/** Search. */
export function SearchPage(): ReactNode {
  return (
    <div className="page">
      <PageHeading title="Search" />
    </div>
  );
}
