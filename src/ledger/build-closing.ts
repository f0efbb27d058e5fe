import type { DecisionRecord } from "../contract/decision.ts";
import { CountersignError, isCountersignError } from "../contract/errors.ts";
import { type Closing, closingOf } from "./close-group.ts";
import { decisionDraft } from "./decision-entry.ts";
import { buildEntry } from "./entries.ts";
import type { PayloadKeys } from "./payload.ts";
import type { RandomBytes } from "./random.ts";

/** What the building of a closing needs. */
export interface Building {
  readonly record: DecisionRecord;
  /** The keyed hash of the request's inputs. */
  readonly inputsHash: string;
  readonly keys: PayloadKeys;
  readonly random: RandomBytes;
}

/** A decision's closing; where the record could not be kept, that of a stop which says so, and the error for whoever asked. */
export interface Built {
  readonly closing: Closing;
  readonly fault: CountersignError | null;
}

/**
 * Builds the closing of a decision. A record that is too large or cannot be written as JSON ends its decision all the same, as
 * stopped and with the reason: left open, it would be swept as abandoned, and why would be lost.
 */
export function buildClosing(building: Building): Built {
  try {
    return { closing: build(building), fault: null };
  } catch (thrown) {
    const code = isCountersignError(thrown) ? thrown.code : "internal";
    return {
      closing: build({ ...building, record: unkept(building.record, code) }),
      fault: new CountersignError(
        "decision_failed",
        `the record of the decision could not be kept: \`${code}\`; it was stopped`,
        {
          facts: { decisionId: building.record.request.decisionId, reason: code },
          cause: thrown,
        },
      ),
    };
  }
}

function build({ record, inputsHash, keys, random }: Building): Closing {
  return closingOf(record, buildEntry({ draft: decisionDraft(record, inputsHash), keys, random }));
}

/** What is left of a record when nothing that a capability, a model or a source made is in it; what was spent stays. */
function unkept(record: DecisionRecord, code: string): DecisionRecord {
  const detail = `the record of the decision could not be kept: ${code}`;
  return {
    ...record,
    kind: "stopped",
    ...{ label: null, route: null, rule: null, loweredBy: [], slice: null, thresholdPpm: null, confidencePpm: null, signals: [] },
    ...{ verified: null, contextDigest: null, proposal: null, notes: [], bodies: {} },
    stop: { kind: "stop", reason: "node_failed", node: "exit", detail, route: null, rule: null },
  };
}
