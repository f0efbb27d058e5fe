import { type Html, html } from "./html.ts";
import { type Mark, mark, type Tone } from "./marks.ts";

/** Something to say in place of content: what is true, what is safe, what to do, and one link. */
export interface Notice {
  readonly mark?: { readonly name: Mark; readonly tone: Tone };
  readonly title: string;
  readonly detail: string;
  readonly link?: { readonly href: string; readonly words: string };
  /** For those who ask for help: code, time and the id in the log. */
  readonly small?: string;
}

/** An empty state or an error in the place of the content. */
export function notice({ mark: shown, title, detail, link, small }: Notice, level: 1 | 2 = 2): Html {
  const heading = html`${shown === undefined ? "" : mark(shown.name, shown.tone)}<span>${title}</span>`;
  return html`<section class="notice">
${level === 1 ? html`<h1>${heading}</h1>` : html`<h2>${heading}</h2>`}
<p>${detail}</p>
${link === undefined ? "" : html`<p><a href="${link.href}">${link.words}</a></p>`}
${small === undefined ? "" : html`<p class="small">${small}</p>`}
</section>`;
}

/** A banner above content that stays readable. */
export function banner({ mark: shown, title, detail, small }: Notice): Html {
  return html`<div class="banner banner-${shown?.tone ?? "wait"}" role="alert">${mark(shown?.name ?? "warning", shown?.tone ?? "wait")}<p><strong>${title}</strong> ${detail} ${small === undefined ? "" : html`<span class="small">${small}</span>`}</p></div>`;
}
