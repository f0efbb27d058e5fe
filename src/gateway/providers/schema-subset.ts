/** What a provider's enforced JSON Schema can say. Data: one value per provider. */
export interface SchemaSubset {
  /** Every key of an object has to be required. */
  readonly needsAllKeys: boolean;
  readonly mayRecur: boolean;
  readonly maxDepth: number;
  readonly maxOptionalKeys: number;
  readonly maxUnions: number;
  readonly maxKeys: number;
  readonly maxEnumValues: number;
}

/**
 * Source: OpenAI, "Structured outputs", "Supported schemas". Its limit of 10 levels has been 5 for some models, so 5 it is. Bounds and
 * patterns are known to some models only, so none is sent.
 */
export const openAiSubset: SchemaSubset = {
  needsAllKeys: true,
  mayRecur: true,
  maxDepth: 5,
  maxOptionalKeys: 0,
  maxUnions: 500,
  maxKeys: 5_000,
  maxEnumValues: 1_000,
};

/**
 * Source: Anthropic, "Structured outputs", "JSON Schema limitations". 24 optional keys are documented; from 11 on the SDK's authors saw
 * grammars that would not compile in time.
 */
export const anthropicSubset: SchemaSubset = {
  needsAllKeys: false,
  mayRecur: false,
  maxDepth: 64,
  maxOptionalKeys: 10,
  maxUnions: 16,
  maxKeys: 5_000,
  maxEnumValues: 1_000,
};
