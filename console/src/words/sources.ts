import type { Source } from "../../../src/contract/proposal.ts";
import type { SourceKind } from "../../../src/contract/words.ts";
import { plainName } from "./plain.ts";

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

/** The kind of a piece of context, by its id: what is no passage and no fact is a row of a record. */
export function kindOfItem(id: string): SourceKind {
  if (id.startsWith("fact:")) return "fact";
  return id.startsWith("passage:") ? "passage" : "record";
}

/** The place in a source: the row and field of a record, the name of a calculation. */
export function placeOf({ kind, ref, at }: Source): string {
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
