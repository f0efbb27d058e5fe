import type { ReactNode } from "react";
import { PageHeading } from "../../parts/page-heading.tsx";

/** Ask. */
export function AskPage(): ReactNode {
  return (
    <div className="page">
      <PageHeading title="Ask" />
    </div>
  );
}
