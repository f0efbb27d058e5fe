import { describe, expect, it } from "vitest";
import type { Meter } from "../../src/contract/budget.ts";
import type { Capability } from "../../src/contract/capability.ts";
import type { DecisionRecord } from "../../src/contract/decision.ts";
import { CountersignError } from "../../src/contract/errors.ts";
import { keptOf } from "../../src/decide/replay/kept.ts";
import { rehearse } from "../../src/decide/replay/rehearse.ts";
import { free } from "../../src/guard/budget/prices.ts";
import { openRunMeter } from "../../src/guard/budget/run-meter.ts";
import { decisionDraft } from "../../src/ledger/decision-entry.ts";
import {
  createTestDeps,
  type FixedContext,
  type FixedItems,
  fixedClock,
  fixedContext,
  proposeForTest,
  testTime,
} from "../../src/testing/index.ts";
import { days, decide, lamp, steps, traceOf } from "./loop-run.ts";
import { burnt, ends, findFault, workshop } from "./loop-samples.ts";
import { goodLoan, lendProjector, projector } from "./samples.ts";
import { deciding, type Scripted } from "./scripted.ts";

// What a rehearsal reads: what was recorded as it was recorded, failures too; and only what was not recorded as it is now.
const own = { keepsInputs: true };

describe("a rehearsal of a loop", () => {
  it("does not ask again what could not be read then, and asks what nobody asked then", async () => {
    const then = await decide(steps(days(3), ends(burnt)), { own, deps: { context: without("log.ofProjector", workshop) } });
    expect(traceOf(then)[0]).toMatchObject({ outcome: "failed", fault: "record_unavailable" });
    const { asked, now } = await rehearsed(then, findFault(own), { script: steps(days(3), lamp, ends(burnt)), items: workshop });
    expect(asked).toEqual(["lamps.ofProjector"]);
    expect(traceOf(now).map(({ tool, outcome }) => [tool, outcome])).toEqual([
      ["log", "failed"],
      ["lamps", "read"],
      [null, "final"],
    ]);
  });

  it("gives what was read then, and does not ask it again", async () => {
    const then = await decide(steps(lamp, ends(burnt)), { own });
    const { asked, now } = await rehearsed(then, findFault(own), { script: steps(lamp, ends(burnt)), items: {} });
    expect(asked).toEqual([]);
    expect(traceOf(now)[0]?.found).toEqual(traceOf(then)[0]?.found);
  });

  it("asks a tool that is on the list by now: that it was not then is no answer of it", async () => {
    const tools = toolsOf(findFault()).filter(({ name }) => name !== "lamps");
    const then = await decide(steps(lamp), { own, looped: { tools } });
    expect(traceOf(then)[0]).toMatchObject({ tool: "lamps", outcome: "off_list" });
    const { asked, now } = await rehearsed(then, findFault(own), { script: steps(lamp, ends(burnt)), items: workshop });
    expect(asked).toEqual(["lamps.ofProjector"]);
    expect(traceOf(now)[0]).toMatchObject({ tool: "lamps", outcome: "read" });
  });
});

describe("a rehearsal of a decision with an effect", () => {
  const items = { records: { "projectors.free": [projector], "projectors.byId": [projector] } };
  const said = (decision: object) => deciding(JSON.stringify(decision));
  const lent = (reply: object, context: FixedContext) =>
    proposeForTest({
      ...{ capability: lendProjector(own), inputs: { text: "a projector", days: 5 } },
      deps: { model: said(reply).model, context },
    });

  it("reads the state before as it is now where no effect was proposed then", async () => {
    const then = await lent({ ...goodLoan, projector: "pr-9" }, fixedContext(items));
    expect(then.proposal?.effects).toEqual([]);
    const { asked, now } = await rehearsed(then, lendProjector(own), { script: said(goodLoan), items });
    expect(asked).toEqual(["projectors.byId"]);
    expect(now.proposal?.effects).toMatchObject([{ effect: "lend_projector" }]);
  });

  it("does not ask again for a state before that could not be read then", async () => {
    const then = await lent(goodLoan, without("projectors.byId", items));
    const stop = { node: "prepare_proposal", reason: "record_unavailable" };
    expect(then.stop).toMatchObject(stop);
    const { asked, now } = await rehearsed(then, lendProjector(own), { script: said(goodLoan), items });
    expect(asked).toEqual([]);
    expect(now.stop).toMatchObject(stop);
  });
});

/** A context in which one query cannot be read. */
function without(query: string, items: FixedItems): FixedContext {
  const context = fixedContext(items);
  return {
    ...context,
    readRecords: async (need, envelope) => {
      if (need.query === query) throw new CountersignError("record_unavailable", "down");
      return context.readRecords(need, envelope);
    },
  };
}

/** Rehearses a record with another script, over what can be read now; says which queries were asked. */
async function rehearsed(
  then: DecisionRecord,
  capability: Capability,
  { script, items }: { script: Scripted; items: FixedItems },
) {
  const context = fixedContext(items);
  const { cancel, ...deps } = createTestDeps({ capability, model: script.model, context });
  const to = { kept: keptIn(then), at: then.at, capability, corpus: "recorded", cancel } as const;
  const now = await rehearse(to, { deps, meter });
  return { asked: context.asked.map((need) => ("query" in need ? need.query : need.name)), now };
}

/** A record as a replay reads it from the ledger. */
function keptIn(record: DecisionRecord) {
  const { kind, facts, bodies } = decisionDraft(record, "");
  const { decisionId, entryId, principal } = record.request;
  const kept = keptOf({ kind, facts, bodies, tenant: principal.tenant, decisionId, entryId, cause: null, at: record.at });
  if ("missing" in kept) throw new Error(kept.missing);
  return kept;
}

function toolsOf({ deciding: by }: Capability) {
  return by.kind === "loop" ? by.tools : [];
}

const plenty = { turns: 100, toolCalls: 100, tokens: 1e9, costMicros: 1e9, ms: 1e9, children: 100 };
/** The run's own caps alone: no budget is shared here. */
const meter: Meter = {
  begin: async ({ caps }) => {
    const prices = { priceOf: () => free, version: "p" };
    const room = openRunMeter({ caps: { ...plenty, ...caps }, prices, clock: fixedClock(testTime) });
    return { kind: "begun", meter: room, reservation: null, settle: () => {}, release: () => {}, leave: () => {} };
  },
};
