import { type Html, html } from "./html.ts";

/** The form behind the one-time link: which tenant, and who owns it. */
export function firstOwnerPage({ word }: { word: string }): Html {
  return html`<div class="narrow"><p class="brand">Countersign</p>
<h1>Make the first owner</h1>
<form method="post" action="/first-owner" class="card padded">
<p class="meta">Nobody is known here yet. An owner opens slices and stops things; more people are added on the command line. The link works once.</p>
<input type="hidden" name="word" value="${word}">
<label for="tenant">The tenant’s id</label>
<input id="tenant" name="tenant" required maxlength="63" pattern="[a-z0-9][a-z0-9_.\\-]*" value="main" autocomplete="off">
<label for="tenantName">What people call the tenant</label>
<input id="tenantName" name="tenantName" required maxlength="200" autocomplete="organization">
<label for="id">Your id</label>
<input id="id" name="id" required maxlength="63" pattern="[a-z0-9][a-z0-9_.\\-]*" value="owner" autocomplete="off">
<label for="name">What people call you</label>
<input id="name" name="name" required maxlength="200" autocomplete="name">
<button class="button">Make the owner</button></form></div>`;
}

/** Shows the first owner's key, this once. */
export function ownerMadePage({ key, name }: { key: string; name: string }): Html {
  return html`<div class="narrow"><p class="brand">Countersign</p>
<h1>${name} owns this installation</h1>
<div class="card padded">
<p>This is the API key. It is shown now and never again; only a hash of it is kept.</p>
<p><code>${key}</code></p>
<p><a href="/sign-in">Sign in with it</a></p></div></div>`;
}
