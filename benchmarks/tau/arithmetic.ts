/** The value of an expression of numbers, `+ - * /` and brackets; `null` where it is not one. Nothing is ever evaluated as code. */
export function arithmetic(expression: string): number | null {
  const tokens = expression.match(/\d+(?:\.\d*)?|\.\d+|[-+*/()]|\S/g) ?? [];
  const read = sum({ tokens, at: 0 });
  return read === null || read.at !== tokens.length || !Number.isFinite(read.value) ? null : read.value;
}

interface Place {
  readonly tokens: readonly string[];
  readonly at: number;
}
type Read = { readonly value: number; readonly at: number } | null;

function sum(place: Place): Read {
  return chain(place, { of: product, signs: ["+", "-"] });
}

function product(place: Place): Read {
  return chain(place, { of: signed, signs: ["*", "/"] });
}

function chain({ tokens, at }: Place, { of, signs }: { of: (place: Place) => Read; signs: readonly string[] }): Read {
  let read = of({ tokens, at });
  while (read !== null) {
    const sign = tokens[read.at] ?? "";
    if (!signs.includes(sign)) return read;
    const next = of({ tokens, at: read.at + 1 });
    if (next === null) return null;
    read = { value: joined(sign, read.value, next.value), at: next.at };
  }
  return null;
}

function joined(sign: string, left: number, right: number): number {
  if (sign === "+") return left + right;
  if (sign === "-") return left - right;
  return sign === "*" ? left * right : left / right;
}

function signed({ tokens, at }: Place): Read {
  const token = tokens[at];
  if (token === "-" || token === "+") {
    const read = signed({ tokens, at: at + 1 });
    return read === null ? null : { value: token === "-" ? -read.value : read.value, at: read.at };
  }
  if (token === "(") {
    const read = sum({ tokens, at: at + 1 });
    return read !== null && tokens[read.at] === ")" ? { value: read.value, at: read.at + 1 } : null;
  }
  return token !== undefined && /^[\d.]/.test(token) && token !== "." ? { value: Number(token), at: at + 1 } : null;
}
