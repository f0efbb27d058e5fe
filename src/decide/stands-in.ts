/**
 * Says whether a text holds a value word for word: as a span of its own, not as a part of a longer word, number, id or address.
 * @example
 * standsIn("pay 10 now", "10"); // true
 * standsIn("pay 1,000 now", "000"); // false
 */
export function standsIn(text: string, value: string): boolean {
  if (value === "") return false;
  for (let at = text.indexOf(value); at !== -1; at = text.indexOf(value, at + 1)) {
    const before = text.slice(Math.max(0, at - 4), at);
    const after = text.slice(at + value.length, at + value.length + 4);
    if (!gluedBefore.test(before) && !gluedAfter.test(after)) return true;
  }
  return false;
}

/** What a span may not follow: a letter or digit, what joins ids and addresses, or a separator inside a name or number. */
const gluedBefore = /[\p{L}\p{N}\p{M}_@+/-]$|[\p{L}\p{N}]\.$|\p{N}[,:]$/u;
const gluedAfter = /^[\p{L}\p{N}\p{M}_@+/-]|^\.[\p{L}\p{N}]|^[,:]\p{N}/u;
