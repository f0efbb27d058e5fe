import type { ReactNode } from "react";

/** The frame of a table that may be wider than the window. Without controls in it it scrolls by keys only where it takes focus. */
export function TableFrame({
  hasControls = false,
  className = "",
  children,
}: {
  readonly hasControls?: boolean;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <div className={`table-frame ${className}`.trim()} tabIndex={hasControls ? undefined : 0}>
      {children}
    </div>
  );
}
