import type { ReactNode } from "react";
import type { MayView } from "../../../src/contract/session.ts";
import { useApi } from "../api/api.tsx";
import { EmptyState } from "./notice.tsx";
import { PageHeading } from "./page-heading.tsx";

/** Shows a page to whom it is open, and to everybody else that it is not: nothing of it is asked for then. */
export function Opened({
  to,
  title,
  children,
}: {
  readonly to: keyof MayView;
  readonly title: string;
  readonly children: ReactNode;
}): ReactNode {
  const { session } = useApi();
  if (session.may[to]) return children;
  return (
    <div className="page">
      <PageHeading title={title} />
      <EmptyState
        title="Not open to you."
        detail="If it should be, turn to the owner of the service."
        link={{ to: "/", words: "Back to Ask" }}
      />
    </div>
  );
}
