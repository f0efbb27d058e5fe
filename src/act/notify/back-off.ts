/** How often a notice is tried before it is given up. */
export const mostAttempts = 14;

const firstMs = 5_000;

/**
 * How long a notice rests after so many attempts, in milliseconds: a span that doubles, of which the second half is spread by the notice's
 * id, so that what failed together does not come back together. All attempts take 6 to 12 hours.
 */
export function restMs({ id, attempts }: { id: string; attempts: number }): number {
  const span = firstMs * 2 ** (Math.min(attempts, mostAttempts) - 1);
  // The end of an id is random.
  const share = Number.parseInt(id.slice(-4), 16) / 0xffff;
  return Math.round(span / 2 + (span / 2) * share);
}
