import { type Html, html } from "./html.ts";

/** The marks of the plain pages. */
export type Mark = "dash" | "warning";

/** What a mark says by colour, always beside a word. */
export type Tone = "wait" | "stop" | "quiet";

/** Draws one mark, 16 px; the word beside it says the same, so it is hidden from screen readers. */
export function mark(name: Mark, tone: Tone): Html {
  return html`<svg class="mark tone-${tone}" aria-hidden="true" width="16" height="16"><use href="#mark-${name}"></use></svg>`;
}

/** The shapes of all marks, once per page. */
export function markShapes(): Html {
  return html`<svg class="shapes" aria-hidden="true" width="0" height="0">
${symbol("dash", html`<path d="M3.5 8h9" />`)}
${symbol("warning", html`<path d="M8 2.75l5.75 10.5H2.25zM8 6.75v3M8 11.2v.6" />`)}
</svg>`;
}

function symbol(name: Mark, shape: Html): Html {
  return html`<symbol id="mark-${name}" viewBox="0 0 16 16" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linejoin="round" stroke-linecap="round">${shape}</symbol>`;
}
