/** Tokens of one call by kind, in the one convention that is stored: no kind counts another's tokens. */
export interface Usage {
  readonly inputTokens: number;
  readonly cachedTokens: number;
  readonly cacheWriteTokens: number;
  readonly outputTokens: number;
  readonly reasoningTokens: number;
}
