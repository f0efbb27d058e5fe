import type { RecordSource } from "../contract/connector.ts";
import type { Provider, ProviderSource } from "../contract/model.ts";
import type { HiddenValuesSource } from "./connector.ts";

/** What only the deciding process loads: providers of models and reading connectors. The default export of `decide.ts`. */
export interface DecidingParts {
  readonly providers: readonly (Provider | ProviderSource)[];
  readonly records: readonly RecordSource[];
  readonly hiddenValues: HiddenValuesSource | null;
}

/** Collects the deciding half's own parts of a project. */
export function defineDeciding(parts: DecidingParts): DecidingParts {
  return Object.freeze({ ...parts });
}
