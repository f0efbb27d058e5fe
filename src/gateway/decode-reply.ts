import type { ProviderReply } from "../contract/model.ts";
import type { Boundary } from "../guard/privacy/boundary.ts";
import { parseStrictJson } from "./parse.ts";

/** A reply as it is read and as it is kept: with the values in the place of what stood in for them. */
export type DecodedReply = Pick<ProviderReply, "text" | "stopReason"> & {
  readonly kept: string;
  /** Whether reading what is kept would find what was found in what came. */
  readonly isReadAgain: boolean;
} & ({ readonly kind: "whole" } | { readonly kind: "altered"; readonly problem: string });

/**
 * Puts the values back into a reply, over its parsed leaves and keys: in a text of JSON a value with a quotation mark would end its leaf.
 * A stand-in that the model altered or invented makes a reply that is not read. What is no JSON is read as it came, which refuses it, and
 * decoded as prose to be kept. Never throws: a reply whose values cannot be put back is a misfit, in words that quote nothing.
 */
export function decodeReply({ text, stopReason }: ProviderReply, boundary: Boundary | null): DecodedReply {
  const asItCame = { kind: "whole", text, kept: text, stopReason, isReadAgain: true } as const;
  if (boundary === null) return asItCame;
  try {
    return decodeOver(asItCame, boundary);
  } catch {
    // What was thrown is not told: it may quote a value.
    return { ...asItCame, kind: "altered", problem: unspeakable, isReadAgain: false };
  }
}

const unspeakable = "the values could not be put back into the reply; say less, and copy stand-ins letter by letter";

function decodeOver(asItCame: Extract<DecodedReply, { kind: "whole" }>, boundary: Boundary): DecodedReply {
  const { text, stopReason } = asItCame;
  const json = stopReason === "end" ? parseStrictJson(text) : null;
  if (json?.kind !== "parsed") {
    const prose = boundary.decodeText(text);
    return prose.kind === "altered" || prose.value === text ? asItCame : { ...asItCame, kept: prose.value, isReadAgain: false };
  }
  const decoded = boundary.decodeJson(json.value);
  if (decoded.kind === "altered") return { ...asItCame, kind: "altered", problem: decoded.problem, isReadAgain: false };
  const written = JSON.stringify(decoded.value);
  return written === JSON.stringify(json.value) ? asItCame : { ...asItCame, text: written, kept: written };
}
