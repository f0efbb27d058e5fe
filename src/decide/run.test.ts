import { describe, expect, it } from "vitest";
import { answerRooms, goodLoan, lendProjector, sampleContext } from "../../test/decide/samples.ts";
import type { Capability } from "../contract/capability.ts";
import type { NodeTrace } from "../contract/decision.ts";
import { CountersignError } from "../contract/errors.ts";
import { type NodeName, nodeNames } from "../contract/words.ts";
import {
  cancelSwitch,
  createTestDeps,
  fakeJournal,
  fixedClock,
  proposeForTest,
  testRequest,
  testTime,
} from "../testing/index.ts";
import { graph } from "./graph.ts";
import { runDecision } from "./run.ts";
import type { Deps } from "./state.ts";

const inputs = { text: "a projector, please", days: 3 };
const byRule = (own: Parameters<typeof lendProjector>[0] = {}) =>
  lendProjector({ deciding: { kind: "rule", version: "r1", rule: () => goodLoan }, ...own });

describe("propose", () => {
  it("walks the twelve nodes in order and returns a record of all that the entry needs", async () => {
    const record = await walk();
    expect(nodesOf(record.bodies["trace"])).toEqual(nodeNames.map((node) => [node, "added"]));
    expect(record).toMatchObject({
      kind: "decided",
      at: testTime,
      model: "none",
      prompt: "rule r1",
      policy: "test-permit",
      calibration: "weights-1",
      label: "decided",
      route: "hitl_recommended",
      rule: "within_margin",
      verified: true,
      stop: null,
      calls: [],
      notes: [{ text: "Lend pr-1 (hitl_recommended by within_margin; every check passed)" }],
      proposal: { decisionId: record.request.decisionId },
    });
    expect(Object.keys(record.bodies).sort()).toEqual([
      ...["activity", "before", "checks", "context", "decision", "judged", "replies", "trace"],
    ]);
  });

  it("keeps the inputs only where the capability says so", async () => {
    expect((await walk(byRule({ keepsInputs: true }))).bodies["inputs"]).toEqual(inputs);
    expect((await walk()).bodies["inputs"]).toBeUndefined();
  });

  it("keeps no label that could be more than a word", async () => {
    expect((await walk(byRule({ label: () => "lend" }))).label).toBe("lend");
    expect((await walk(byRule({ label: () => "Bob Smith, bob@x.example" }))).label).toBe("decided");
  });

  it("keeps the first rule beside those that lowered the route", async () => {
    const record = await walk(byRule(), { slices: { thresholdPpm: async () => 0 } }, { ...inputs, days: 31 });
    expect(record).toMatchObject({ route: "hitl_recommended", rule: "at_or_above_threshold", loweredBy: ["risk_high"] });
  });

  it("names the failed checks in the note, and rejects", async () => {
    const record = await walk(byRule({ deciding: { kind: "rule", version: "r1", rule: () => ({ ...goodLoan, fit: "poor" }) } }));
    expect(record).toMatchObject({ kind: "decided", route: "reject", rule: "not_verified", verified: false });
    expect(record.notes[0]?.text).toContain("failed checks: fits_well");
  });

  it("measures each node by the injected clock", async () => {
    const clock = fixedClock(testTime);
    const rule = () => {
      clock.advance(40);
      return goodLoan;
    };
    const record = await walk(byRule({ deciding: { kind: "rule", version: "r1", rule } }), { clock });
    const spent = traceOf(record.bodies["trace"]).filter(({ ms }) => ms > 0);
    expect(spent).toEqual([{ node: "llm_decision", ms: 40, outcome: "added" }]);
  });

  it("goes straight to the exit from an early stop, and runs no node in between", async () => {
    const context = sampleContext();
    const record = await walk(byRule(), { context }, { text: "" });
    expect(nodesOf(record.bodies["trace"])).toEqual([
      ["entry", "added"],
      ["pre_check", "stopped"],
    ]);
    expect(context.asked).toEqual([]);
    expect(record).toMatchObject({
      kind: "stopped",
      stop: { reason: "input_invalid", node: "pre_check" },
      route: null,
      proposal: null,
      notes: [],
      contextDigest: null,
    });
  });

  it("keeps what was known when a later node stopped", async () => {
    const record = await walk(byRule(), { canaries: ["bright"] });
    expect(record).toMatchObject({
      kind: "stopped",
      stop: { reason: "blocked_by_guard" },
      prompt: "rule r1",
      contextDigest: expect.any(String),
      verified: null,
    });
    expect(record.bodies).toHaveProperty("context");
  });

  it.each<[NodeName, Capability]>([
    ["pre_check", byRule({ preCheck: thrower })],
    ["context_load", byRule({ needs: thrower })],
    ["llm_decision", byRule({ deciding: { kind: "rule", version: "1", rule: thrower } })],
    ["confidence_compose", byRule({ propose: thrower })],
    ["routing", byRule({ slice: thrower })],
    ["exit", byRule({ label: thrower })],
  ])("stops as `node_failed` where `%s` throws, without the words of the fault", async (node, capability) => {
    const record = await walk(capability);
    expect(record).toMatchObject({
      kind: "stopped",
      stop: { reason: "node_failed", node, detail: `node \`${node}\` failed with an unexpected fault` },
    });
    expect(nodesOf(record.bodies["trace"]).at(-1)).toEqual([node, "failed"]);
    expect(JSON.stringify(record)).not.toContain("hunter2");
  });

  it("names the code of a fault that is one of ours", async () => {
    const slices = { thresholdPpm: () => Promise.reject(new CountersignError("database_unavailable", "the database is away")) };
    expect((await walk(byRule(), { slices })).stop?.detail).toBe(
      "node `routing` failed with database_unavailable: the database is away",
    );
  });

  it("says that a record is unavailable where the state before an effect cannot be read", async () => {
    const context = sampleContext();
    const readRecords: typeof context.readRecords = (need, to) =>
      need.name === "before"
        ? Promise.reject(new CountersignError("record_unavailable", "no answer"))
        : context.readRecords(need, to);
    expect((await walk(byRule(), { context: { ...context, readRecords } })).stop).toMatchObject({
      reason: "record_unavailable",
      node: "prepare_proposal",
    });
  });

  it("stops before the first node when it is cancelled before", async () => {
    const { cancel, fire } = cancelSwitch();
    fire();
    const record = await walk(byRule(), { cancel });
    expect(record).toMatchObject({ kind: "stopped", stop: { reason: "cancelled", node: "entry" }, at: testTime });
  });

  it("stops between two nodes when it is cancelled there", async () => {
    const { cancel, fire } = cancelSwitch();
    const slice = () => {
      fire();
      return "all";
    };
    const record = await walk(byRule({ slice }), { cancel });
    expect(record.stop).toMatchObject({ reason: "cancelled", node: "prepare_proposal" });
  });

  it("is a refusal, not a stop, where none of an answer's claims traces", async () => {
    const rule = () => ({ claims: [{ text: "Rooms open at 06:00.", source: "rooms:9:9" }] });
    const record = await proposeForTest({
      capability: answerRooms({ deciding: { kind: "rule", version: "1", rule } }),
      inputs: { text: "when?" },
      deps: { context: sampleContext() },
    });
    expect(record).toMatchObject({
      kind: "decided",
      route: "auto",
      rule: "no_effects",
      proposal: { refusal: "The sources do not say." },
    });
  });
});

describe("runDecision", () => {
  it("opens before the first node, closes after the last, and returns the written entry", async () => {
    const journal = fakeJournal();
    const run = await decide(journal);
    expect(run).toMatchObject({ kind: "decided", outcome: { entryId: journal.opened[0]?.entryId, record: { kind: "decided" } } });
    expect([journal.opened.length, journal.closed.length]).toEqual([1, 1]);
  });

  it("closes a stopped decision too", async () => {
    const journal = fakeJournal();
    await decide(journal, byRule({ needs: thrower }));
    expect(journal.closed).toMatchObject([{ kind: "stopped", stop: { reason: "node_failed" } }]);
  });

  it("runs no node for a repeat and names the decision that was", async () => {
    const journal = fakeJournal({ open: { kind: "repeated", decisionId: "d-1" } });
    expect(await decide(journal, byRule({ preCheck: thrower }))).toEqual({ kind: "repeated", decisionId: "d-1" });
    expect(journal.closed).toEqual([]);
  });

  it.each([
    [{ kind: "in_progress", decisionId: "d-1" }, "in_progress"],
    [{ kind: "conflict" }, "idempotency_conflict"],
  ] as const)("refuses %j and closes nothing", async (open, code) => {
    const journal = fakeJournal({ open });
    await expect(decide(journal)).rejects.toMatchObject({ code });
    expect(journal.closed).toEqual([]);
  });

  it("tells a late original that it lost", async () => {
    await expect(decide(fakeJournal({ close: { kind: "lost" } }))).rejects.toMatchObject({ code: "decision_abandoned" });
  });

  function decide(journal: ReturnType<typeof fakeJournal>, capability: Capability = byRule()) {
    const request = testRequest({ capability: capability.name, inputs });
    return runDecision({ graph, request, deps: createTestDeps({ capability, context: sampleContext() }), journal });
  }
});

function walk(capability: Capability = byRule(), deps: Partial<Deps> = {}, asked: unknown = inputs) {
  return proposeForTest({ capability, inputs: asked, deps: { context: sampleContext(), ...deps } });
}

function traceOf(trace: unknown): NodeTrace[] {
  return trace as NodeTrace[]; // the walk wrote it
}

function nodesOf(trace: unknown): string[][] {
  return traceOf(trace).map(({ node, outcome }) => [node, outcome]);
}

function thrower(): never {
  throw new Error("hunter2");
}
