import { asObject, changesOf, isSame } from "../../../console/src/words/changes.ts";
import { counted, plainName, plainValue } from "../../../console/src/words/plain.ts";
import { sourceUnder } from "../../../console/src/words/sources.ts";
import type { Json, JsonObject } from "../../../src/contract/json.ts";
import type { EffectView } from "../../../src/contract/views.ts";
import { type Html, html } from "../../../src/server/desk/pages/html.ts";
import { kindChip, sourceOf } from "./provenance.ts";

/** What one effect changes: each field now, after approval, and where the new value comes from; then what stays and what else is sent. */
export function changeTable(effect: EffectView, decidedAt: Html): Html {
  const { now, after, changed, kept } = changesOf(effect);
  return html`<table class="changes">
<caption class="hidden">What “${effect.sentence}” changes</caption>
<thead><tr><th scope="col">Field</th><th scope="col">Now, ${decidedAt}</th><th scope="col">After approval</th><th scope="col">Where it comes from</th></tr></thead>
<tbody>${changed.map((field) => changeRow({ field, now, after, effect }))}</tbody>
</table>
${keptFields(now, kept)}
${furtherParams(effect, after)}`;
}

function changeRow({
  field,
  now,
  after,
  effect,
}: {
  field: string;
  now: JsonObject;
  after: JsonObject;
  effect: EffectView;
}): Html {
  const old = now[field] ?? null;
  return html`<tr>
<th scope="row">${plainName(field)}</th>
<td class="now">${old === null ? html`<span class="meta">none</span>` : html`<del><span class="hidden">before: </span><span aria-hidden="true">− </span><s>${plainValue(old)}</s></del>`}</td>
<td class="after"><ins><span class="hidden">after: </span><span aria-hidden="true">+ </span>${plainValue(after[field] ?? null)}</ins></td>
<td class="from">${fromOf(field, after[field] ?? null, effect)}</td>
</tr>`;
}

/** The param of the same name gives the source; a value that the effect works out from it, or sets itself, is a calculation. */
function fromOf(field: string, value: Json, { params, sources }: EffectView): Html {
  const source = sourceUnder(sources, field);
  if (source === undefined)
    return html`<span class="source">${kindChip("calculation")} <span class="meta">set by the effect</span></span>`;
  if (isSame(asObject(params)[field], value)) return sourceOf(source);
  return html`<span class="source">${kindChip("calculation")} <span class="meta">from ${plainName(field).toLowerCase()}, read as ${plainValue(asObject(params)[field] ?? null)}</span></span>`;
}

function keptFields(now: JsonObject, kept: readonly string[]): Html {
  if (kept.length === 0) return html``;
  return html`<details class="kept"><summary>${counted(kept.length, "other field")} ${kept.length === 1 ? "stays as it is" : "stay as they are"}</summary>
<dl>${kept.map((field) => html`<div><dt>${plainName(field)}</dt><dd>${plainValue(now[field] ?? null)}</dd></div>`)}</dl></details>`;
}

/** A signature covers every param, so those that show in no field of the table can be read as well. */
function furtherParams({ params, sources }: EffectView, after: JsonObject): Html {
  const further = Object.entries(asObject(params)).filter(([name, value]) => !isSame(after[name], value));
  if (further.length === 0) return html``;
  return html`<details class="kept"><summary>${counted(further.length, "further value")} sent with it</summary>
<dl>${further.map(([name, value]) => html`<div><dt>${plainName(name)}</dt><dd>${plainValue(value)} ${sourceFor(sources, name)}</dd></div>`)}</dl></details>`;
}

function sourceFor(sources: EffectView["sources"], name: string): Html {
  const source = sourceUnder(sources, name);
  return source === undefined ? html`` : sourceOf(source);
}
