import type { ReactNode } from "react";
import type { ReviewItem } from "../../../../src/contract/review-evidence.ts";
import { KindChip } from "../../parts/provenance.tsx";

/** The kind of a piece of evidence, as a chip. */
export function ItemKind({ kind }: { readonly kind: ReviewItem["kind"] }): ReactNode {
  return kind === "memory" ? <span className="chip">memory</span> : <KindChip kind={kind} />;
}
