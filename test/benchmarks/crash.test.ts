import { describe, expect, it } from "vitest";
import { type Evidence, judge, type OperationFact } from "../../benchmarks/crash/judge.ts";
import type { SentChange } from "../../benchmarks/crash/project/connectors.ts";
import { valueFor } from "../../benchmarks/crash/project/effects.ts";
import type { Applied } from "../../benchmarks/crash/target.ts";
import { fateOf, take, untouched } from "../../benchmarks/crash/target-rules.ts";

// The comparer of the crash benchmark over ledgers and logs that were made up: whatever is wrong in them it must count.
const now = 1_000_000;
const thing = "kills-1";

function operation(over: Partial<OperationFact> = {}): OperationFact {
  const fact = { id: "o1", kind: "observe", thing, decisionId: "d1", effectIndex: 0, state: "complete" } as const;
  return { ...fact, idempotencyKey: "k1", reason: null, deadlineAt: now - 1_000, sends: 1, ...over };
}

function applied(over: Partial<Applied> = {}): Applied {
  return { kind: "observe", thing, value: valueFor(thing), key: "k1", fence: 1, pid: 7, inFlightMs: 20, at: now, ...over };
}

/** One decision that was confirmed, signed, carried out once and told so. */
function evidence(over: Partial<Evidence> = {}): Evidence {
  const of = { tenant: "acme", decisionId: "d1", effects: 1 };
  return {
    acknowledged: [
      { ...of, what: "decision" },
      { ...of, what: "approval" },
    ],
    decided: new Set(["d1"]),
    operations: [operation()],
    ends: [],
    unanswered: [],
    undecided: [],
    applied: [applied()],
    now,
    slackMs: 5_000,
    ...over,
  };
}

function counted(over: Partial<Evidence>) {
  const { acknowledged_lost, stuck, wrong_verdict, unknown_escalated, kinds, faults } = judge(evidence(over));
  const twice = Object.values(kinds).reduce((sum, kind) => sum + kind.applied_twice, 0);
  return { lost: acknowledged_lost, stuck, wrong: wrong_verdict, escalated: unknown_escalated, twice, faults: faults.length };
}

const nothing = { lost: 0, stuck: 0, wrong: 0, escalated: 0, twice: 0, faults: 0 };

describe("the judge of the crash benchmark", () => {
  it("finds nothing where everything is as it was told", () => {
    expect(counted({})).toEqual(nothing);
    expect(judge(evidence()).kinds["observe"]).toMatchObject({ operations: 1, complete: 1 });
  });

  it("counts a signature that was confirmed and came to nothing", () => {
    expect(counted({ operations: [], applied: [] })).toEqual({ ...nothing, lost: 1, faults: 1 });
  });

  it("counts the one effect of several that came to nothing", () => {
    const acknowledged = [{ tenant: "acme", decisionId: "d1", what: "approval", effects: 2 } as const];
    expect(counted({ acknowledged })).toEqual({ ...nothing, lost: 1, faults: 1 });
    const ends = [{ decisionId: "d1", effectIndex: 1, what: "refused", code: "precondition_failed/effect_before" } as const];
    expect(counted({ acknowledged, ends })).toEqual(nothing);
  });

  it("takes a refusal of the whole decision as an end of every effect", () => {
    const ends = [{ decisionId: "d1", effectIndex: null, what: "refused", code: "policy_refuses/route" } as const];
    expect(counted({ operations: [], applied: [], ends })).toEqual(nothing);
  });

  it("counts a decision that was confirmed and has no end", () => {
    expect(counted({ decided: new Set() })).toEqual({ ...nothing, lost: 1, faults: 1 });
  });

  it("counts an operation that is open long after its deadline, and none that still has time", () => {
    const open = operation({ state: "unknown" });
    expect(counted({ operations: [{ ...open, deadlineAt: now - 5_001 }] })).toEqual({ ...nothing, stuck: 1, faults: 1 });
    expect(counted({ operations: [{ ...open, deadlineAt: now - 4_999 }] })).toEqual(nothing);
  });

  it("counts an approval that nobody answers and a decision that never ends", () => {
    const unanswered = [{ decisionId: "d1", effectIndex: 0, states: "granted" }];
    expect(counted({ operations: [], applied: [], unanswered })).toEqual({ ...nothing, stuck: 1, faults: 1 });
    expect(counted({ undecided: ["d2"] })).toEqual({ ...nothing, stuck: 1, faults: 1 });
  });

  it("counts a thing that was applied twice, also under two keys", () => {
    expect(counted({ applied: [applied(), applied({ pid: 8, fence: 2 })] })).toEqual({ ...nothing, twice: 1, faults: 1 });
    expect(counted({ applied: [applied(), applied({ key: "k2" })] })).toEqual({ ...nothing, twice: 1, faults: 1 });
  });

  it("tells doubles of a call that the machine itself delayed apart, and hides none", () => {
    const late = judge(evidence({ applied: [applied(), applied({ inFlightMs: 60_000 })] })).kinds["observe"];
    expect(late).toMatchObject({ applied_twice: 1, twice_beyond_settle: 1 });
    const prompt = judge(evidence({ applied: [applied(), applied()] })).kinds["observe"];
    expect(prompt).toMatchObject({ applied_twice: 1, twice_beyond_settle: 0 });
  });

  it("counts `complete` where the target has nothing or something else", () => {
    expect(counted({ applied: [] })).toEqual({ ...nothing, wrong: 1, faults: 1 });
    expect(counted({ applied: [applied({ value: "something else" })] })).toEqual({ ...nothing, wrong: 1, faults: 1 });
  });

  it("counts `refused` and proven absence where the target carried it out", () => {
    expect(counted({ operations: [operation({ state: "refused" })] })).toEqual({ ...nothing, wrong: 1, faults: 1 });
    for (const reason of ["not_applied_by_deadline", "sends_spent"]) {
      const told = counted({ operations: [operation({ state: "escalated", reason })] });
      expect(told).toEqual({ ...nothing, wrong: 1, escalated: 1, faults: 1 });
    }
    // Of what is never sent again it is said that nobody knows.
    const left = counted({ operations: [operation({ state: "escalated", reason: "never_retried" })] });
    expect(left).toMatchObject({ wrong: 0, escalated: 1, faults: 0 });
  });

  it("lets an earlier refusal stand beside a later operation of the same key", () => {
    const operations = [operation({ id: "o0", state: "refused", idempotencyKey: "k0" }), operation()];
    expect(counted({ operations })).toEqual(nothing);
  });

  it("counts what is left to people apart, and how much of it had happened", () => {
    const operations = [operation({ state: "escalated", reason: "not_readable_by_deadline" })];
    expect(counted({ operations })).toEqual({ ...nothing, escalated: 1 });
    expect(judge(evidence({ operations })).kinds["observe"]).toMatchObject({ unknown_escalated: 1, escalated_had_happened: 1 });
    expect(judge(evidence({ operations, applied: [] })).kinds["observe"]).toMatchObject({ escalated_had_happened: 0 });
  });

  it("counts a forbidden change, since nobody else changes these things", () => {
    const operations = [operation({ state: "escalated", reason: "forbidden_change" })];
    expect(counted({ operations })).toEqual({ ...nothing, wrong: 1, escalated: 1, faults: 1 });
  });
});

describe("the target of the crash benchmark", () => {
  const change = (kind: SentChange["kind"], over: Partial<SentChange> = {}): SentChange => ({
    ...{ kind, thing, value: "v", key: "k1", fence: 1, expectedVersion: "0" },
    ...over,
  });
  const twice = (first: SentChange, second: SentChange): string => {
    const taken = take(untouched, first);
    return taken.kind === "applied" ? take(taken.thing, second).kind : taken.kind;
  };

  it("makes a change once for a key, under the highest fence, and over one version", () => {
    expect(twice(change("key"), change("key"))).toBe("repeated");
    expect(twice(change("fence", { fence: 2 }), change("fence", { fence: 1 }))).toBe("refused");
    expect(twice(change("fence"), change("fence"))).toBe("refused");
    expect(twice(change("conditional"), change("conditional"))).toBe("refused");
  });

  it("makes it again for everybody else", () => {
    for (const kind of ["observe", "none", "bare", "naive"] as const) expect(twice(change(kind), change(kind))).toBe("applied");
  });

  it("has every fault that it is said to have", () => {
    let seed = 1;
    const chance = (): number => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed / 2_147_483_647;
    };
    const fates = Array.from({ length: 2_000 }, () => fateOf("observe", chance));
    const seen = new Set(fates.map(({ isMade, answer, afterMs }) => `${isMade} ${answer} ${afterMs > 400 ? "late" : "soon"}`));
    const said = [
      "true true soon",
      "false failed soon",
      "true none soon",
      "true failed soon",
      "true true late",
      "false none late",
    ];
    expect([...seen].sort()).toEqual(said.sort());
  });
});
