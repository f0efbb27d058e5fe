import type { ComponentProps, ReactNode } from "react";

/** A key that does the same as the control beside it; shown, and told to screen readers by `aria-keyshortcuts` of the control. */
export function KeyCap({ children }: { readonly children: string }): ReactNode {
  return (
    <span className="keycap" aria-hidden="true">
      {children}
    </span>
  );
}

/** How a button looks: `primary` says yes, `solid` says no with equal weight, `plain` is everything else. */
export type ButtonLook = "primary" | "solid" | "plain";

/** A button with its verb, object and key. A closed one stays where it is; say beside it why it is closed. */
export function Button({
  look = "plain",
  isSmall = false,
  keyName,
  children,
  className = "",
  ...rest
}: {
  readonly look?: ButtonLook;
  readonly isSmall?: boolean;
  /** The key that does the same, as the keyboard map names it. */
  readonly keyName?: string | undefined;
  readonly children: ReactNode;
} & Omit<ComponentProps<"button">, "children">): ReactNode {
  const looks = `button${look === "plain" ? "" : ` ${look}`}${isSmall ? " small" : ""}${className === "" ? "" : ` ${className}`}`;
  return (
    <button type="button" {...rest} className={looks} aria-keyshortcuts={keyName === "enter" ? "Enter" : keyName}>
      {children}
      {keyName === undefined ? null : <KeyCap>{keyName}</KeyCap>}
    </button>
  );
}
