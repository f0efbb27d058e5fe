import type { ReactNode } from "react";

/**
 * Who has spoken, by shape: circles are the deciding side (as full as the form is filled in), squares an independent read.
 * Nothing else draws a square.
 */
const shapes = {
  auto: <circle cx="8" cy="8" r="6" fill="currentColor" />,
  hitl_recommended: (
    <>
      <circle cx="8" cy="8" r="5.25" />
      <path d="M8 2.75a5.25 5.25 0 0 0 0 10.5z" fill="currentColor" stroke="none" />
    </>
  ),
  hitl_required: <circle cx="8" cy="8" r="5.25" />,
  reject: (
    <>
      <circle cx="8" cy="8" r="5.25" />
      <path d="M4.3 11.7l7.4-7.4" />
    </>
  ),
  complete: (
    <>
      <rect x="2" y="2" width="12" height="12" rx="2" fill="currentColor" stroke="none" />
      <path className="cut" d="M5 8.2l2.2 2.2L11.2 6" />
    </>
  ),
  incomplete: (
    <>
      <rect x="2.75" y="2.75" width="10.5" height="10.5" rx="1.5" />
      <path d="M2.75 8h10.5v4a1.2 1.2 0 0 1-1.2 1.25h-8.1a1.2 1.2 0 0 1-1.2-1.25z" fill="currentColor" stroke="none" />
    </>
  ),
  failed: (
    <>
      <rect x="2" y="2" width="12" height="12" rx="2" fill="currentColor" stroke="none" />
      <path className="cut" d="M5.5 5.5l5 5m0-5l-5 5" />
    </>
  ),
  unknown: (
    <>
      <rect x="2.75" y="2.75" width="10.5" height="10.5" rx="1.5" strokeDasharray="2.6 1.6" />
      <path d="M6.4 6.4a1.6 1.6 0 1 1 2.3 1.5c-.5.25-.7.6-.7 1.1M8 10.9v.1" />
    </>
  ),
  pen: <path d="M3 11l7.6-7.6 2 2L5 13H3zM8 13.25h5.25" />,
  signed: <path d="M3 11l7.6-7.6 2 2L5 13H3zM8 13.25h5.25" fill="currentColor" />,
  applying: <path d="M4.75 3.25v9.5L12.5 8z" />,
  back: <path d="M6 4L3 7l3 3M3.4 7h6.1a3 3 0 0 1 0 6H7" />,
  dash: <path d="M3.5 8h9" />,
  warning: <path d="M8 2.75l5.75 10.5H2.25zM8 6.75v3M8 11.2v.6" />,
  stop: <path d="M5.5 2.25h5l3.25 3.25v5l-3.25 3.25h-5L2.25 10.5v-5zM5 8h6" />,
  tick: <path d="M3.5 8.5l3 3 6-6.5" />,
  cross: <path d="M4 4l8 8m0-8l-8 8" />,
  question: <path d="M5 5.6a3 3 0 1 1 4.4 2.7C8.5 8.8 8 9.4 8 10.3M8 13v.2" />,
  outside: <path d="M6.5 3.25H3.25v9.5h9.5V9.5M9.5 3.25h3.25V6.5M12.5 3.5L7.5 8.5" />,
} as const satisfies Readonly<Record<string, ReactNode>>;

export type Mark = keyof typeof shapes;

/** What a mark or a chip says by colour, always beside a word. */
export type Tone = "done" | "person" | "wait" | "stop" | "unknown" | "quiet";

/** Draws one mark, 16 px; the word beside it says the same, so it is hidden from screen readers. */
export function MarkOf({ name, tone }: { readonly name: Mark; readonly tone: Tone }): ReactNode {
  return (
    <svg
      className={`mark tone-${tone}`}
      data-mark={name}
      aria-hidden="true"
      width="16"
      height="16"
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinejoin="round"
      strokeLinecap="round"
    >
      {shapes[name]}
    </svg>
  );
}
