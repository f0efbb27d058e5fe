import type { ReactNode } from "react";
import { PageHeading } from "../../parts/page-heading.tsx";

/** Review. */
export function ReviewPage(): ReactNode {
  return (
    <div className="page">
      <PageHeading title="Review" />
    </div>
  );
}
