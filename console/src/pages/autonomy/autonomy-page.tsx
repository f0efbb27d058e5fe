import type { ReactNode } from "react";
import { PageHeading } from "../../parts/page-heading.tsx";

/** Autonomy. */
export function AutonomyPage(): ReactNode {
  return (
    <div className="page">
      <PageHeading title="Autonomy" />
    </div>
  );
}
