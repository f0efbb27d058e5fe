import { type ReactNode, useId } from "react";

/** A control with its label, and what one should know beside it. The control is handed the id that its label names. */
export function Labelled({
  label,
  aside,
  className,
  children,
}: {
  readonly label: string;
  readonly aside?: string;
  readonly className?: string | undefined;
  readonly children: (id: string) => ReactNode;
}): ReactNode {
  const id = useId();
  return (
    <div className={className}>
      <label htmlFor={id}>
        {label} {aside === undefined ? null : <span className="meta">{aside}</span>}
      </label>
      {children(id)}
    </div>
  );
}
