import type { ReactNode } from "react";
import { PageHeading } from "../../parts/page-heading.tsx";

/** Settings. */
export function SettingsPage(): ReactNode {
  return (
    <div className="page">
      <PageHeading title="Settings" />
    </div>
  );
}
