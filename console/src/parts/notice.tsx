import { Link } from "@tanstack/react-router";
import { type ReactNode, useEffect, useState } from "react";
import { errorWords } from "../words/errors.ts";
import { Button } from "./button.tsx";
import { type Mark, MarkOf, type Tone } from "./mark.tsx";

/** What stands in the place of content: what is true, what comes next, and one link. */
export function EmptyState({
  title,
  detail,
  link,
}: {
  readonly title: string;
  readonly detail?: string;
  readonly link?: { readonly to: string; readonly words: string };
}): ReactNode {
  return (
    <Notice title={title} detail={detail ?? ""}>
      {link === undefined ? null : <Link to={link.to}>{link.words}</Link>}
    </Notice>
  );
}

/** An error in three parts: what happened, what is safe, what to do; with the details for whoever helps. */
export function ErrorState({
  error,
  what,
  again,
}: {
  readonly error: unknown;
  readonly what: string;
  readonly again?: () => void;
}): ReactNode {
  const { title, detail, small } = errorWords(error, what);
  return (
    <Notice title={title} detail={detail} mark={{ name: "warning", tone: "stop" }}>
      {again === undefined ? null : <Button onClick={again}>Try again</Button>}{" "}
      <CopyDetails text={`${title} ${small} ${new Date().toISOString()}`} />
    </Notice>
  );
}

function CopyDetails({ text }: { readonly text: string }): ReactNode {
  const [isCopied, setIsCopied] = useState(false);
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setIsCopied(true),
      () => setIsCopied(false),
    );
  return (
    <button type="button" className="link" onClick={() => void copy()}>
      {isCopied ? "Details copied" : "Copy details"}
    </button>
  );
}

function Notice({
  title,
  detail,
  mark,
  children,
}: {
  readonly title: string;
  readonly detail: string;
  readonly mark?: { readonly name: Mark; readonly tone: Tone };
  readonly children: ReactNode;
}): ReactNode {
  return (
    <section className="notice">
      <h2>
        {mark === undefined ? null : <MarkOf {...mark} />}
        <span>{title}</span>
      </h2>
      {detail === "" ? null : <p>{detail}</p>}
      <p>{children}</p>
    </section>
  );
}

/** Rows of true height while something is read: after 300 ms, and still. */
export function LoadingRows({
  what,
  rows = 6,
  height = 66,
}: {
  readonly what: string;
  readonly rows?: number;
  readonly height?: number;
}): ReactNode {
  const [isShown, setIsShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsShown(true), 300);
    return () => clearTimeout(timer);
  }, []);
  if (!isShown) return null;
  return (
    <div className="loading" role="status">
      <span className="hidden">Reading {what}.</span>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows that stand for nothing have no other name
        <svg key={row} className="loading-row" height={height} width="100%" aria-hidden="true">
          <rect x="12" y={height / 2 - 14} width="72%" height="10" rx="4" />
          <rect x="12" y={height / 2 + 6} width="38%" height="8" rx="4" />
        </svg>
      ))}
    </div>
  );
}
