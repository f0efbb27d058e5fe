import type { DecisionView } from "../../../contract/views.ts";
import { type Html, html } from "./html.ts";
import { mark } from "./marks.ts";
import { routeTones, routeWords } from "./words.ts";

/** How the deciding side routed it: its circle, the stored word, and what that means for the reader. */
export function routeChip({ route }: Pick<DecisionView, "route">): Html {
  if (route === null) return html``;
  const tone = routeTones[route];
  return html`<p class="route"><span class="tag tag-${tone}">${mark(route, tone)} ${route}</span> <span>${routeWords[route]}</span></p>`;
}
