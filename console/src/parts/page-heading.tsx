import { type ReactNode, useEffect } from "react";

/** The title of a page, also of its window, with what is said beside it. */
export function PageHeading({
  title,
  aside,
  children,
}: {
  readonly title: string;
  readonly aside?: string;
  readonly children?: ReactNode;
}): ReactNode {
  useTitle(title);
  return (
    <header className="page-heading">
      <h1>{title}</h1>
      {aside === undefined ? null : <span className="aside">{aside}</span>}
      {children}
    </header>
  );
}

/** Gives the window a title; the page's own title is the first of it. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Countersign`;
  }, [title]);
}
