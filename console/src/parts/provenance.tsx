import type { ReactNode } from "react";
import type { Source } from "../../../src/contract/proposal.ts";
import type { SourceKind } from "../../../src/contract/words.ts";
import { placeOf } from "../words/sources.ts";

/** Where one value comes from: a chip with the kind (dashed where a model chose, or outsiders wrote, it) and the place. */
export function ProvenanceChip({ source }: { readonly source: Source }): ReactNode {
  const isModels = source.kind === "model" || source.chosenBy === "model";
  return (
    <span className="source">
      <KindChip kind={source.kind} /> <span className="meta">{placeOf(source)}</span>
      {isModels && source.kind !== "model" ? <span className="meta"> chosen by the model</span> : null}
      {isModels && source.untrustedInContext ? <span className="outside"> read outside text</span> : null}
    </span>
  );
}

/** The chip alone. */
export function KindChip({ kind }: { readonly kind: SourceKind }): ReactNode {
  const isDashed = kind === "model" || kind === "third_party";
  return <span className={`chip${isDashed ? " chip-dashed" : ""}`}>{kind.replace("_", " ")}</span>;
}
