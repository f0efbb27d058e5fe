/**
 * A name or an address without the chances of its spelling: no case, no line breaks, no marks between the parts. Accents stay, since they
 * tell people apart.
 * @example
 * canonicalName("Dupont,\n  Zoé-Anne"); // "dupont zoé anne"
 */
export function canonicalName(text: string): string {
  const lower = text.toLowerCase();
  return (lower.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [lower]).join(" ");
}
