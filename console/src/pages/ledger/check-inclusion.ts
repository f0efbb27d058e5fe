import type { InclusionProof } from "../../../../src/contract/ledger-view.ts";
import { bytesOfHex, hexOf, joined, sha256, utf8 } from "./bytes.ts";
import { readCheckpoint } from "./check-note.ts";

/** Says whether the hashes of a proof lead from the entry's bytes to the root of its checkpoint (RFC 9162, 2.1.3.2). */
export async function leadsToRoot({ body, index, hashes, checkpoint }: InclusionProof): Promise<boolean> {
  const signed = readCheckpoint(checkpoint);
  if (signed === null || index < 0 || index >= signed.size) return false;
  const [leaf, inner] = [Uint8Array.of(0), Uint8Array.of(1)];
  let node = await sha256(joined(leaf, await sha256(utf8(body))));
  let [at, last] = [index, signed.size - 1];
  for (const text of hashes) {
    const beside = bytesOfHex(text, 32);
    if (beside === null || last === 0) return false;
    const isRight = at % 2 === 1;
    const isOnEdge = at === last;
    node = await sha256(isRight || isOnEdge ? joined(inner, beside, node) : joined(inner, node, beside));
    // A node at the right edge that has no neighbour of its own went up as it is.
    while (!isRight && isOnEdge && at % 2 === 0 && at !== 0) [at, last] = [half(at), half(last)];
    [at, last] = [half(at), half(last)];
  }
  return last === 0 && hexOf(node) === hexOf(signed.root);
}

/** Places grow beyond 32 bits, so no shift. */
function half(place: number): number {
  return Math.floor(place / 2);
}
