import { type Html, html } from "./html.ts";

/**
 * Who has spoken, by shape: circles are the deciding side (as full as the form is filled in), squares an independent read.
 * Nothing else draws a square.
 */
export const marks = [
  ...(["auto", "hitl_recommended", "hitl_required", "reject"] as const),
  ...(["complete", "incomplete", "failed", "unknown"] as const),
  ...(["pen", "signed", "applying", "back", "dash", "warning", "tick", "cross", "question", "outside"] as const),
] as const;
export type Mark = (typeof marks)[number];

/** What a mark or a chip says by colour, always beside a word. */
export type Tone = "done" | "person" | "wait" | "stop" | "unknown" | "quiet";

/** Draws one mark, 16 px; the word beside it says the same, so it is hidden from screen readers. */
export function mark(name: Mark, tone: Tone): Html {
  return html`<svg class="mark tone-${tone}" aria-hidden="true" width="16" height="16"><use href="#mark-${name}"></use></svg>`;
}

/** The shapes of all marks, once per page. */
export function markShapes(): Html {
  return html`<svg class="shapes" aria-hidden="true" width="0" height="0">
${symbol("auto", html`<circle cx="8" cy="8" r="6" fill="currentColor" />`)}
${symbol("hitl_recommended", html`<circle cx="8" cy="8" r="5.25" /><path d="M8 2.75a5.25 5.25 0 0 1 0 10.5z" fill="currentColor" stroke="none" transform="rotate(180 8 8)" />`)}
${symbol("hitl_required", html`<circle cx="8" cy="8" r="5.25" />`)}
${symbol("reject", html`<circle cx="8" cy="8" r="5.25" /><path d="M4.3 11.7l7.4-7.4" />`)}
${symbol("complete", html`<rect x="2" y="2" width="12" height="12" rx="2" fill="currentColor" stroke="none" /><path class="cut" d="M5 8.2l2.2 2.2L11.2 6" />`)}
${symbol("incomplete", html`<rect x="2.75" y="2.75" width="10.5" height="10.5" rx="1.5" /><path d="M2.75 8h10.5v4a1.2 1.2 0 0 1-1.2 1.25h-8.1a1.2 1.2 0 0 1-1.2-1.25z" fill="currentColor" stroke="none" />`)}
${symbol("failed", html`<rect x="2" y="2" width="12" height="12" rx="2" fill="currentColor" stroke="none" /><path class="cut" d="M5.5 5.5l5 5m0-5l-5 5" />`)}
${symbol("unknown", html`<rect x="2.75" y="2.75" width="10.5" height="10.5" rx="1.5" stroke-dasharray="2.6 1.6" />${question()}`)}
${symbol("pen", pen("none"))}
${symbol("signed", pen("currentColor"))}
${symbol("applying", html`<path d="M4.75 3.25v9.5L12.5 8z" />`)}
${symbol("back", html`<path d="M6 4L3 7l3 3M3.4 7h6.1a3 3 0 0 1 0 6H7" />`)}
${symbol("dash", html`<path d="M3.5 8h9" />`)}
${symbol("warning", html`<path d="M8 2.75l5.75 10.5H2.25zM8 6.75v3M8 11.2v.6" />`)}
${symbol("tick", html`<path d="M3.5 8.5l3 3 6-6.5" />`)}
${symbol("cross", html`<path d="M4 4l8 8m0-8l-8 8" />`)}
${symbol("question", html`<path d="M5 5.6a3 3 0 1 1 4.4 2.7C8.5 8.8 8 9.4 8 10.3M8 13v.2" />`)}
${symbol("outside", html`<path d="M6.5 3.25H3.25v9.5h9.5V9.5M9.5 3.25h3.25V6.5M12.5 3.5L7.5 8.5" />`)}
</svg>`;
}

function symbol(name: Mark, shape: Html): Html {
  return html`<symbol id="mark-${name}" viewBox="0 0 16 16" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linejoin="round" stroke-linecap="round">${shape}</symbol>`;
}

function pen(fill: string): Html {
  return html`<path d="M3 11l7.6-7.6 2 2L5 13H3zM8 13.25h5.25" fill="${fill}" />`;
}

function question(): Html {
  return html`<path d="M6.4 6.4a1.6 1.6 0 1 1 2.3 1.5c-.5.25-.7.6-.7 1.1M8 10.9v.1" />`;
}
