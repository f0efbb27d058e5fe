const numbers = new Intl.NumberFormat("en-GB");

/** A place in the chain as people read it. It is a name, not a count: it is written out however large it is. */
export function place(seq: number): string {
  return numbers.format(seq);
}
