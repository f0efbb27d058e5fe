/**
 * A text as a reader sees it: compatibility forms made plain, invisible characters gone, every run of white space one space. Guards
 * look at this, since a model can write a word so that it reads the same and compares differently.
 */
export function shown(text: string): string {
  return text
    .normalize("NFKC")
    .replace(/\p{Cf}/gu, "")
    .replace(/\s+/g, " ");
}

/** A text as a reader sees it, without regard to case. */
export function folded(text: string): string {
  return shown(text).toLowerCase();
}
