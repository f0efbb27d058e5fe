import { placeOf } from "../../../console/src/words/sources.ts";
import type { Source } from "../../../src/contract/proposal.ts";
import type { SourceKind } from "../../../src/contract/words.ts";
import { type Html, html } from "../../../src/server/desk/pages/html.ts";

/** Where one value comes from: a chip with the kind (dashed where a model chose, or outsiders wrote, it) and the place. */
export function sourceOf(source: Source): Html {
  const isModels = source.kind === "model" || source.chosenBy === "model";
  const outside = isModels && source.untrustedInContext ? html`<span class="outside">read outside text</span>` : "";
  const chosen = isModels && source.kind !== "model" ? html`<span class="meta">chosen by the model</span>` : "";
  return html`<span class="source">${kindChip(source.kind)} <span class="meta">${placeOf(source)}</span> ${chosen} ${outside}</span>`;
}

/** The chip alone. */
export function kindChip(kind: SourceKind): Html {
  const isDashed = kind === "model" || kind === "third_party";
  return html`<span class="chip${isDashed ? " chip-dashed" : ""}">${kind.replace("_", " ")}</span>`;
}
