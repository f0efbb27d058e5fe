import { type Html, html } from "./html.ts";
import { banner } from "./notice.ts";

/** Someone whom demo mode offers for signing in. */
export interface DemoPerson {
  readonly id: string;
  readonly name: string;
  readonly roles: readonly string[];
  readonly key: string;
}

/** The page for signing in: an API key, and in demo mode a button per made-up person. */
export function signInPage({
  people,
  providerName,
  next,
  isRefused,
}: {
  people: readonly Pick<DemoPerson, "id" | "name" | "roles">[] | null;
  providerName: string | null;
  next: string;
  isRefused: boolean;
}): Html {
  return html`<div class="narrow"><p class="brand">Countersign</p>
<h1>Sign in</h1>
${isRefused ? banner({ mark: { name: "warning", tone: "stop" }, title: "That key is not known here.", detail: "Nothing was changed. Look at the key, or ask whoever gave it to you." }) : ""}
${people === null ? "" : demoForm(people, next)}
${providerName === null ? "" : html`<p class="card padded"><a class="button" href="/sign-in/provider?${new URLSearchParams({ next }).toString()}">Sign in at ${providerName}</a></p>`}
<form method="post" action="/sign-in" class="card padded">
<label for="key">API key</label>
<input type="password" id="key" name="key" autocomplete="off" spellcheck="false" required maxlength="512">
<p class="meta">The key is looked at once and not kept. You stay signed in for 8 hours at most, and no longer than the key is good.</p>
<input type="hidden" name="next" value="${next}">
<button class="button">Sign in with the key</button></form></div>`;
}

function demoForm(people: readonly Pick<DemoPerson, "id" | "name" | "roles">[], next: string): Html {
  return html`<form method="post" action="/sign-in" class="card people">
<p class="meta">Made-up people of the demo. Nobody signs what they asked for themselves.</p>
<input type="hidden" name="next" value="${next}">
${people.map(({ id, name, roles }) => html`<button class="person-button" name="person" value="${id}"><strong>${name}</strong><span class="meta">${roles.join(", ")}</span></button>`)}
</form>`;
}
