import type { RecordSource } from "../contract/connector.ts";
import { CountersignError } from "../contract/errors.ts";
import type { Provider, ProviderSource } from "../contract/model.ts";
import type { HiddenValuesSource } from "./connector.ts";

/** What only the deciding process loads: providers of models and reading connectors. The default export of `decide.ts`. */
export interface DecidingParts {
  readonly providers: readonly (Provider | ProviderSource)[];
  readonly records: readonly RecordSource[];
  readonly hiddenValues: HiddenValuesSource | null;
  /** How long one request to a model may take, and how long all requests of one attempt with the pauses between, in milliseconds. */
  readonly modelTimes?: { readonly sendMs: number; readonly callMs: number };
}

/** Collects the deciding half's own parts of a project. Throws `definition_invalid` for times that are none. */
export function defineDeciding(parts: DecidingParts): DecidingParts {
  checkTimes(parts.modelTimes);
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
