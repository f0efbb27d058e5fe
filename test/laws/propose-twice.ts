import type { Capability } from "../../src/contract/capability.ts";
import type { DecisionRecord } from "../../src/contract/decision.ts";
import { canonicalJson } from "../../src/contract/json.ts";
import type { CallRecord, Provider } from "../../src/contract/model.ts";
import type { Deps } from "../../src/decide/state.ts";
import { createGateway } from "../../src/gateway/call.ts";
import { replayGateway } from "../../src/gateway/replay.ts";
import { systemDeadline } from "../../src/store/clock.ts";
import { type FixedItems, fixedClock, fixedContext, proposeForTest, testTime } from "../../src/testing/index.ts";
import { inClosedWorld } from "./closed-world.ts";

/** One capability with a request, a context and replies, as law 2 sees it: everything that may make a difference. */
export interface PureCase {
  readonly name: string;
  readonly capability: Capability;
  readonly inputs: unknown;
  readonly items: FixedItems;
  readonly provider: Provider;
  readonly deps?: Partial<Deps>;
}

/** Two runs of one case in a closed world: the records, their bytes, and each way out that was tried. */
export interface ProposedTwice {
  readonly records: readonly [DecisionRecord, DecisionRecord];
  readonly bytes: readonly [string, string];
  readonly attempts: readonly string[];
}

/** Proposes twice, from the same request, context and replies, each time with ports made anew, while the outside is closed. */
export async function proposeTwice(one: PureCase): Promise<ProposedTwice> {
  const { value, attempts } = await inClosedWorld(async () => [await proposeOnce(one), await proposeOnce(one)] as const);
  const bytes = value.map((record) => canonicalJson(record)) as [string, string]; // two records, two texts
  return { records: [value[0], value[1]], bytes, attempts };
}

/**
 * Proposes once over the provider and once over the replies that were recorded then, with no provider at all, in a closed world. The
 * recorded replies go through text, as a payload does.
 */
export async function proposeFromRecorded(one: PureCase): Promise<readonly [DecisionRecord, DecisionRecord]> {
  const { value } = await inClosedWorld(async () => {
    const first = await proposeOnce(one);
    const replies = JSON.parse(canonicalJson(first.bodies["replies"])) as readonly CallRecord[]; // as they were recorded
    const { capability, inputs, items, deps = {} } = one;
    const model = replayGateway(replies);
    return [first, await proposeForTest({ capability, inputs, deps: { context: fixedContext(items), ...deps, model } })] as const;
  });
  return value;
}

function proposeOnce({ capability, inputs, items, provider, deps = {} }: PureCase): Promise<DecisionRecord> {
  const model = createGateway({ providers: [provider], clock: fixedClock(testTime), deadline: systemDeadline, random: () => 0 });
  return proposeForTest({ capability, inputs, deps: { model, context: fixedContext(items), ...deps } });
}
