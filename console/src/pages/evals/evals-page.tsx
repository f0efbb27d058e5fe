import type { ReactNode } from "react";
import { PageHeading } from "../../parts/page-heading.tsx";

/** Evals. */
export function EvalsPage(): ReactNode {
  return (
    <div className="page">
      <PageHeading title="Evals" />
    </div>
  );
}
