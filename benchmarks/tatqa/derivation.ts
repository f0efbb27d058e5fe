/** A derivation as a person wrote it: numbers, signs and the four operations. */
export type Derivation =
  | { readonly kind: "number"; readonly text: string; readonly isPercent: boolean }
  | { readonly kind: "negated"; readonly of: Derivation }
  | { readonly kind: "operation"; readonly sign: "+" | "-" | "*" | "/"; readonly left: Derivation; readonly right: Derivation };

/** Reads a derivation such as `($166.3-$513.3)/$513.3`; `null` where it is none. */
export function readDerivation(text: string): Derivation | null {
  const tokens =
    text
      .replaceAll("[", "(")
      .replaceAll("]", ")")
      .match(/[\d.,]*\d%?|[-+*/()]/g) ?? [];
  const rest = text.replace(/[\d.,]*\d%?|[-+*/()[\]$\s]/g, "");
  if (rest !== "") return null;
  const read = readSum(tokens, 0);
  return read !== null && read.next === tokens.length ? read.of : null;
}

type Read = { readonly of: Derivation; readonly next: number } | null;

function readSum(tokens: readonly string[], at: number): Read {
  return readChain({ tokens, at, signs: ["+", "-"], part: readProduct });
}

function readProduct(tokens: readonly string[], at: number): Read {
  return readChain({ tokens, at, signs: ["*", "/"], part: readOne });
}

function readChain({
  tokens,
  at,
  signs,
  part,
}: {
  tokens: readonly string[];
  at: number;
  signs: readonly string[];
  part: (tokens: readonly string[], at: number) => Read;
}): Read {
  let left = part(tokens, at);
  while (left !== null && signs.includes(tokens[left.next] ?? "")) {
    const sign = tokens[left.next] as "+" | "-" | "*" | "/"; // one of the signs
    const right = part(tokens, left.next + 1);
    if (right === null) return null;
    left = { of: { kind: "operation", sign, left: left.of, right: right.of }, next: right.next };
  }
  return left;
}

function readOne(tokens: readonly string[], at: number): Read {
  const one = tokens[at];
  if (one === "-") {
    const of = readOne(tokens, at + 1);
    return of === null ? null : { of: { kind: "negated", of: of.of }, next: of.next };
  }
  if (one === "(") {
    const inside = readSum(tokens, at + 1);
    return inside !== null && tokens[inside.next] === ")" ? { of: inside.of, next: inside.next + 1 } : null;
  }
  if (one === undefined || !/^[\d.,]/.test(one)) return null;
  const isPercent = one.endsWith("%");
  return { of: { kind: "number", text: one.replace("%", "").replaceAll(",", ""), isPercent }, next: at + 1 };
}
