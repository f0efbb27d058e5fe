import type { Session } from "../sessions.ts";
import { type Html, html } from "./html.ts";
import { mark, markShapes } from "./marks.ts";

/** The style sheets in their order: later ones build on earlier ones. */
export const styleSheets = ["tokens", "ground", "frame", "ask", "review", "item", "decision", "narrow"] as const;

/** What every page shows around its content. */
export interface Frame {
  readonly title: string;
  readonly page: "ask" | "review" | "decision" | "sign-in" | "notice";
  readonly session: Session | null;
  /** How many proposals wait for this person; `null` where reviewing is not open to them. */
  readonly waiting: number | null;
  readonly isDemo: boolean;
  /** Something on the page was said by a script, not by a model. */
  readonly isScripted: boolean;
  /** That something is stopped; left out where nothing is. */
  readonly stopped?: Html;
}

/** A whole page: rail, top bar, notices that hold everywhere, and the content in `main`. */
export function layout(frame: Frame, content: Html): Html {
  const { title, page, session } = frame;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Countersign</title>
${styleSheets.map((name) => html`<link rel="stylesheet" href="/assets/${name}.css">`)}
<link rel="icon" href="/assets/mark.svg" type="image/svg+xml">
<script src="/assets/desk.js" defer></script>
</head>
<body class="page-${page}">
<a class="skip" href="#main">Skip to the content</a>
${markShapes()}
${session === null ? "" : rail(frame)}
<div class="frame">
${session === null ? "" : topBar(session, frame.isDemo)}
${demoStrip(frame)}
${frame.stopped ?? ""}
<p class="strip strip-wait" id="offline" hidden>${mark("warning", "wait")}<span><strong>Connection lost <span data-at></span>.</strong> You see the state of then. Signing opens again once the desk answers.</span></p>
<main id="main" tabindex="-1">${content}</main>
<p class="hidden" id="told" aria-live="polite"></p>
</div>
</body>
</html>`;
}

function rail({ page, waiting }: Frame): Html {
  return html`<header class="rail"><p class="brand"><a href="/">Countersign</a></p>
<nav aria-label="Pages"><ul>
<li>${navLink({ href: "/", words: "Ask", isHere: page === "ask" })}</li>
${waiting === null ? "" : html`<li>${navLink({ href: "/review", words: "Review", isHere: page === "review", count: waiting })}</li>`}
</ul></nav></header>`;
}

function navLink({ href, words, isHere, count }: { href: string; words: string; isHere: boolean; count?: number }): Html {
  const counter = count === undefined ? "" : html` <span class="count">${count}<span class="hidden"> waiting</span></span>`;
  return isHere
    ? html`<a href="${href}" aria-current="page">${words}${counter}</a>`
    : html`<a href="${href}">${words}${counter}</a>`;
}

function topBar({ principal, name, token }: Session, isDemo: boolean): Html {
  return html`<div class="top"><p><span>${principal.tenant}</span> ${isDemo ? html`<span class="chip">demo</span>` : ""}</p>
<form method="post" action="/sign-out"><span class="person"><strong>${name}</strong> <span class="meta">${principal.roles.join(", ")}</span></span>
<input type="hidden" name="token" value="${token}"><button class="button small">Sign out</button></form></div>`;
}

function demoStrip({ isDemo, isScripted }: Frame): Html {
  if (!isDemo && !isScripted) return html``;
  const scripted = isScripted ? html`<strong>Scripted replies, no model.</strong> Replies come from a file.` : "";
  const demo = isDemo ? "Made-up people and data; one machine runs all three processes (development strength)." : "";
  return html`<p class="strip">${mark("dash", "quiet")}<span>${scripted} ${demo}</span></p>`;
}
