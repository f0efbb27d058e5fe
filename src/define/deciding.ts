import type { RecordSource } from "../contract/connector.ts";
import type { EmbedderSource } from "../contract/embedder.ts";
import { CountersignError } from "../contract/errors.ts";
import type { Provider, ProviderSource } from "../contract/model.ts";
import type { Recogniser } from "../contract/privacy.ts";
import type { RerankerSource } from "../contract/reranker.ts";
import type { HiddenValuesSource } from "./connector.ts";

/** What only the deciding process loads: providers of models and reading connectors. The default export of `decide.ts`. */
export interface DecidingParts {
  readonly providers: readonly (Provider | ProviderSource)[];
  readonly records: readonly RecordSource[];
  readonly hiddenValues: HiddenValuesSource | null;
  /** Models that search takes beside the words of a query; without them it goes by words alone. */
  readonly search?: SearchModels;
  /**
   * Finds names and addresses in what is about to be sent, inside the boundary; the one that comes with the program unless given.
   * `null` finds none: what has a form, such as e-mail addresses and card numbers, is found all the same.
   */
  readonly recogniser?: Recogniser | null;
  /** How long one request to a model may take, and how long all requests of one attempt with the pauses between, in milliseconds. */
  readonly modelTimes?: { readonly sendMs: number; readonly callMs: number };
}

/** The models of search. */
export interface SearchModels {
  /** Documents need the vectors of this very embedder and version; a passage without one is still found by its words. */
  readonly embedder?: EmbedderSource;
  /** Orders the best that words and vectors found; refused at the start unless it orders what everybody can. */
  readonly reranker?: RerankerSource;
  /** How much the ranks of each way count when they are joined; 1 each unless given, and 0 switches one off. */
  readonly weights?: { readonly words?: number; readonly vectors?: number };
}

/** Collects the deciding half's own parts of a project. Throws `definition_invalid` for times that are none. */
export function defineDeciding(parts: DecidingParts): DecidingParts {
  checkTimes(parts.modelTimes);
  checkWeights(parts.search?.weights);
  return Object.freeze({ ...parts });
}

/** Leases of decisions are renewed for fifteen minutes; longer than that nobody would hear of the reply. */
const longestCallMs = 10 * 60_000;

function checkTimes(times: DecidingParts["modelTimes"]): void {
  if (times === undefined) return;
  const { sendMs, callMs } = times;
  const areTimes = [sendMs, callMs].every((ms) => Number.isInteger(ms) && ms >= 1);
  if (areTimes && sendMs <= callMs && callMs <= longestCallMs) return;
  throw new CountersignError(
    "definition_invalid",
    `\`modelTimes\` are whole milliseconds, \`sendMs\` at most \`callMs\`, and that at most ${longestCallMs}`,
  );
}

function checkWeights({ words = 1, vectors = 1 }: NonNullable<SearchModels["weights"]> = {}): void {
  if ([words, vectors].every((weight) => Number.isFinite(weight) && weight >= 0 && weight <= 100)) return;
  throw new CountersignError("definition_invalid", "the weights of search are numbers from 0 to 100");
}
