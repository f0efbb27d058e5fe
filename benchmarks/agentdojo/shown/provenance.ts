import type { Source } from "../../../src/contract/proposal.ts";
import type { SourceKind } from "../../../src/contract/words.ts";
import { type Html, html } from "../../../src/server/desk/pages/html.ts";
import { plainName } from "./plain.ts";

/** Where one value comes from: a chip with the kind (dashed where a model chose, or outsiders wrote, it) and the place. */
export function sourceOf(source: Source): Html {
  const isModels = source.kind === "model" || source.chosenBy === "model";
  const outside = isModels && source.untrustedInContext ? html`<span class="outside">read outside text</span>` : "";
  const chosen = isModels && source.kind !== "model" ? html`<span class="meta">chosen by the model</span>` : "";
  return html`<span class="source">${kindChip(source.kind)} <span class="meta">${placeOf(source)}</span> ${chosen} ${outside}</span>`;
}

/** From the best kind of source to the one that a reader should look at first. */
const byDoubt: readonly SourceKind[] = [
  ...(["constant", "calculation", "principal", "directory", "record", "fact", "passage", "model", "third_party"] as const),
];

/** The source of a whole value: of a list or an object the most doubtful of its parts; `undefined` where none was given. */
export function sourceUnder(sources: { readonly [pointer: string]: Source }, name: string): Source | undefined {
  const pointer = `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
  const found = Object.entries(sources).filter(([at]) => at === pointer || at.startsWith(`${pointer}/`));
  const doubt = ({ kind, chosenBy, untrustedInContext }: Source) =>
    byDoubt.indexOf(kind) + (chosenBy === "model" && untrustedInContext ? byDoubt.length : 0);
  return found.map(([, source]) => source).toSorted((a, b) => doubt(b) - doubt(a))[0];
}

/** The chip alone. */
export function kindChip(kind: SourceKind): Html {
  const isDashed = kind === "model" || kind === "third_party";
  return html`<span class="chip${isDashed ? " chip-dashed" : ""}">${kind.replace("_", " ")}</span>`;
}

function placeOf({ kind, ref, at }: Source): string {
  const field = at === null || at === "" ? "" : plainName(at.slice(1).replaceAll("/", " ")).toLowerCase();
  if (kind === "record" && ref !== null)
    return `${ref
      .replace(/^record:/, "")
      .split(":")
      .slice(1)
      .join(":")} ${field}`.trim();
  if (kind === "calculation" && ref !== null) return ref;
  if (kind === "principal") return ref === "principal" ? "who asks" : "the requester’s own words";
  return field;
}
