/** Tokens of one call by kind, in the one convention that is stored: no kind counts another's tokens. */
export interface Usage {
  readonly inputTokens: number;
  readonly cachedTokens: number;
  readonly cacheWriteTokens: number;
  readonly outputTokens: number;
  readonly reasoningTokens: number;
}

/** Tokens of all kinds together. */
export function tokensOf(usage: Usage): number {
  return Object.values(usage).reduce((sum, count) => sum + count, 0);
}
