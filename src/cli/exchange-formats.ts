/** The programs that eval cases are exchanged with. */
export const exchangeFormats = ["promptfoo", "langfuse"] as const;
export type ExchangeFormat = (typeof exchangeFormats)[number];
