import { describe, expect, it } from "vitest";
import { dedupes } from "../contract/words.ts";
import { nextStep, type Standing } from "./next-step.ts";
import { judgeObserved } from "./verdict.ts";

const expected = { status: "open" };
const at = (observed: Parameters<typeof judgeObserved>[0]["observed"], before: typeof observed = null) =>
  judgeObserved({ before, expected, mayChange: ["seen_at"], observed });
const base: Standing = {
  seen: at(null),
  state: "unknown",
  dedupe: "observe",
  now: 1_000,
  createdAt: 0,
  settledAt: 5_000,
  deadlineAt: 60_000,
  sends: 1,
  maxSends: 5,
  partial: null,
  isCompensable: false,
};

describe("judgeObserved", () => {
  it("is complete only when every expected field is exact", () => {
    expect(at({ status: "open" }).verdict).toBe("complete");
    expect(at({ status: "closed" })).toMatchObject({ verdict: "incomplete", differs: ["status"], isAsBefore: false });
    expect(at({}).verdict).toBe("incomplete");
  });

  it("fails where a field changed that must not, and allows those that may", () => {
    const before = { status: "new", owner: "a", seen_at: 1 };
    expect(at({ status: "open", owner: "a", seen_at: 2 }, before).verdict).toBe("complete");
    expect(at({ status: "open", owner: "b", seen_at: 2 }, before)).toMatchObject({ verdict: "failed", forbidden: ["owner"] });
    expect(at({ status: "open", seen_at: 2 }, before)).toMatchObject({ verdict: "failed", forbidden: ["owner"] });
    expect(at({ status: "open", owner: "a", seen_at: 1, extra: null }, before)).toMatchObject({ forbidden: ["extra"] });
  });

  it("never takes a thing that is gone for done", () => {
    expect(at(null, { status: "new" }).verdict).toBe("failed");
    expect(judgeObserved({ before: null, expected: {}, mayChange: [], observed: null }).verdict).toBe("incomplete");
  });
});

describe("nextStep", () => {
  it("accepts what is as expected, however late", () => {
    expect(nextStep({ ...base, seen: at({ status: "open" }), now: 99_000 })).toEqual({ kind: "accept" });
  });

  it("does not take `not there` for proof before the settle time, and looks again at that instant", () => {
    expect(nextStep({ ...base, now: 4_999 })).toEqual({ kind: "wait", state: "unknown", verdict: "unknown", dueAt: 5_000 });
    expect(nextStep({ ...base, now: 5_000 })).toEqual({ kind: "retry" });
  });

  it.each(dedupes)("sends again at a target with dedupe `%s` only where that helps", (dedupe) => {
    const step = nextStep({ ...base, dedupe, now: 6_000 });
    expect(step.kind === "retry").toBe(dedupe !== "none");
    if (dedupe === "none") expect(step).toEqual({ kind: "escalate", verdict: "unknown", reason: "never_retried" });
  });

  it.each(["applied", "incomplete"] as const)("never sends again what was accepted or seen in part (`%s`)", (state) => {
    expect(nextStep({ ...base, state, now: 6_000 })).toMatchObject({ kind: "wait", state: "incomplete" });
    expect(nextStep({ ...base, state, now: 60_000 })).toMatchObject({ kind: "escalate", reason: "not_complete_by_deadline" });
  });

  it("waits for a part of the change until the deadline, then calls a person", () => {
    const seen = at({ status: "closed" });
    expect(nextStep({ ...base, seen, now: 6_000 })).toMatchObject({ kind: "wait", state: "incomplete", verdict: "incomplete" });
    expect(nextStep({ ...base, seen, now: 60_000 })).toMatchObject({ kind: "escalate", verdict: "incomplete" });
  });

  it("calls a person at once for a forbidden change", () => {
    const seen = at({ status: "open", owner: "b" }, { status: "new", owner: "a" });
    expect(nextStep({ ...base, seen })).toMatchObject({ kind: "escalate", verdict: "failed", reason: "forbidden_change" });
  });

  it("stays unknown while it cannot be read, and calls a person at the deadline", () => {
    expect(nextStep({ ...base, seen: null, now: 6_000 })).toMatchObject({ kind: "wait", state: "unknown", verdict: "unknown" });
    expect(nextStep({ ...base, seen: null, now: 60_000 })).toMatchObject({
      kind: "escalate",
      reason: "not_readable_by_deadline",
    });
  });

  it("does not send again after the deadline even where nothing is there", () => {
    expect(nextStep({ ...base, now: 60_000 })).toMatchObject({ kind: "escalate", reason: "not_applied_by_deadline" });
  });

  it("sends no more often than may be, however clear it is that nothing is there", () => {
    expect(nextStep({ ...base, now: 6_000, sends: 4 })).toEqual({ kind: "retry" });
    expect(nextStep({ ...base, now: 6_000, sends: 5 })).toMatchObject({ kind: "escalate", reason: "sends_spent" });
  });

  it("undoes what went wrong where the effect says how, and calls a person where it does not", () => {
    const seen = at({ status: "open", owner: "b" }, { status: "new", owner: "a" });
    // Not while a send may still be on its way: it would arrive after its undoing.
    expect(nextStep({ ...base, seen, isCompensable: true })).toMatchObject({ kind: "wait", state: "unknown" });
    const settled = { ...base, seen, now: 6_000, isCompensable: true };
    expect(nextStep(settled)).toMatchObject({ kind: "compensate", reason: "forbidden_change" });
    const part = { ...base, seen: at({ status: "closed" }), now: 60_000 };
    expect(nextStep({ ...part, isCompensable: true })).toMatchObject({ kind: "compensate", reason: "not_complete_by_deadline" });
    expect(nextStep(part)).toMatchObject({ kind: "escalate", reason: "not_complete_by_deadline" });
    // What is not there needs no undoing, whatever the target said.
    expect(nextStep({ ...base, now: 60_000, isCompensable: true })).toMatchObject({ kind: "escalate" });
    expect(nextStep({ ...base, state: "applied", now: 60_000, isCompensable: true })).toMatchObject({ kind: "escalate" });
  });

  it.each(["wait", "compensate", "escalate"] as const)(
    "does with a state in between that is known by name what it says (`%s`)",
    (means) => {
      const partial = { name: "half", means };
      const step = nextStep({ ...base, seen: at({ status: "closed" }), now: 6_000, partial, isCompensable: true });
      expect(step).toMatchObject({ kind: means });
    },
  );
});
