import { type Html, html } from "./html.ts";
import { mark, markShapes } from "./marks.ts";

/** The style sheets in their order: later ones build on earlier ones. */
export const styleSheets = ["tokens", "ground", "frame", "narrow"] as const;

/** What a plain page shows around its content. */
export interface Frame {
  readonly title: string;
  readonly page: "sign-in" | "notice";
  readonly isDemo: boolean;
  /** Who is signed in, with the token of the form that signs out; left out where nobody is. */
  readonly person?: { readonly name: string; readonly token: string } | undefined;
}

/** A whole page that works without script: what is shown before the console, or in its place. */
export function layout({ title, page, isDemo, person }: Frame, content: Html): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Countersign</title>
${styleSheets.map((name) => html`<link rel="stylesheet" href="/assets/${name}.css">`)}
<link rel="icon" href="/assets/mark.svg" type="image/svg+xml">
</head>
<body class="page-${page}">
<a class="skip" href="#main">Skip to the content</a>
${markShapes()}
<div class="frame">
${person === undefined ? "" : signOut(person)}
${isDemo ? html`<p class="strip">${mark("dash", "quiet")}<span>Made-up people and data; one machine runs all three processes (development strength).</span></p>` : ""}
<main id="main" tabindex="-1">${content}</main>
</div>
</body>
</html>`;
}

function signOut({ name, token }: NonNullable<Frame["person"]>): Html {
  return html`<div class="top"><p><a href="/">Countersign</a></p>
<form method="post" action="/sign-out"><span class="person"><strong>${name}</strong></span>
<input type="hidden" name="token" value="${token}"><button class="button small">Sign out</button></form></div>`;
}
