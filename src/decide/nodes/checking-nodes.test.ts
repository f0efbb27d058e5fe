import { describe, expect, it } from "vitest";
import { z } from "zod";
import {
  answerRooms,
  envelope,
  goodLoan,
  lend,
  type lendDecision,
  type lendInput,
  lendProjector,
  loaded,
  passage,
  projector,
} from "../../../test/decide/samples.ts";
import type { Capability, Check } from "../../contract/capability.ts";
import { neverAutoPpm, onePpm } from "../../contract/words.ts";
import { effectDraft } from "../../define/effect.ts";
import { createTestDeps, testRequest } from "../../testing/index.ts";
import type { Checked, Deps, Judged } from "../state.ts";
import { confidenceCompose } from "./confidence-compose.ts";
import { outputGuardrail } from "./output-guardrail.ts";
import { routing } from "./routing.ts";
import { verification } from "./verification.ts";

const inputs = { text: "a projector, please", days: 3 };
const informed = { inputs, envelope, context: loaded(projector) };
type LoanCheck = Check<z.infer<typeof lendInput>, z.infer<typeof lendDecision>>;
const always = ["schema_ok", "in_enum", "rules_ok"];

describe("output_guardrail", () => {
  it("hands on what every guard passed, frozen", async () => {
    const added = await guard(goodLoan);
    expect(added).toEqual({ guarded: goodLoan });
    expect(Object.isFrozen("guarded" in added && added.guarded)).toBe(true);
  });

  it("hands on what was redacted, where it still fits the schema", async () => {
    expect(await guard({ ...goodLoan, note: "ask bob@x.example" })).toEqual({
      guarded: { ...goodLoan, note: "ask [address removed]" },
    });
  });

  it("blocks what does not fit the schema any more after the cut", async () => {
    const decision = z.strictObject({ mail: z.string().regex(/@/) });
    const stop = await outputGuardrail(
      { ...informed, decision: { mail: "bob@x.example" } },
      createTestDeps({ capability: lendProjector({ decision: decision as never }) }),
    ); // another shape
    expect(stop).toMatchObject({
      kind: "stop",
      reason: "blocked_by_guard",
      detail: "what was left after redaction does not fit the schema",
    });
  });

  it("stops with the guard's name where one blocks, and gives no route", async () => {
    expect(await guard({ ...goodLoan, note: "canary-7" }, { canaries: ["canary-7"] })).toEqual({
      kind: "stop",
      node: "output_guardrail",
      reason: "blocked_by_guard",
      detail: "secrets: the output holds a canary",
      route: null,
      rule: null,
    });
  });

  it("stops where a guard is down", async () => {
    const hiddenValues = { findHidden: () => Promise.reject(new Error("500")) };
    expect(await guard(goodLoan, { hiddenValues })).toMatchObject({ kind: "stop", reason: "blocked_by_guard" });
  });

  function guard(decision: unknown, deps: Partial<Deps> = {}) {
    return outputGuardrail({ ...informed, decision }, createTestDeps({ ...deps, capability: lendProjector() }));
  }
});

describe("verification", () => {
  it("has schema, enums and rules as hard checks, whatever the capability checks itself", async () => {
    const checked = await verify(goodLoan, []);
    expect(checked.results.map(({ name, hard, passed }) => [name, hard, passed])).toEqual(
      always.map((name) => [name, true, true]),
    );
    expect(checked).toMatchObject({ verified: true, scorePpm: onePpm });
  });

  it("is not verified where the decision left its schema or a closed list", async () => {
    expect(await verify({ ...goodLoan, sure: 101 }, [])).toMatchObject({ verified: false, scorePpm: 666_666 });
    const stray = await verify({ ...goodLoan, fit: "perfect" }, []);
    expect(stray.results.filter(({ passed }) => !passed).map(({ name }) => name)).toEqual(["schema_ok", "in_enum"]);
  });

  it("keeps the evidence of each check and scores the share that passed", async () => {
    const checked = await verify(goodLoan, [check("a", true), check("b", false), check("c", true)]);
    expect(checked).toMatchObject({ verified: false, scorePpm: 833_333 });
    expect(checked.results.at(-2)).toEqual({ name: "b", hard: true, passed: false, evidence: "evidence of b" });
  });

  it("lets a soft check lower the score without taking the verification away", async () => {
    const checked = await verify(goodLoan, [{ ...check("late", false), soft: { reason: "a hint only" } }]);
    expect(checked).toMatchObject({ verified: true, scorePpm: 750_000 });
    expect(checked.results.at(-1)).toMatchObject({ name: "late", hard: false, passed: false });
  });

  it.each([undefined, { reason: "a hint only" }])("is not verified where a check throws (soft: %j)", async (soft) => {
    const broken: LoanCheck = { ...check("broken", true), ...(soft === undefined ? {} : { soft }), run: thrower };
    const checked = await verify(goodLoan, [broken]);
    expect(checked.verified).toBe(false);
    expect(checked.results.filter(({ passed }) => !passed).map(({ name }) => name)).toEqual(["rules_ok", "broken"]);
    expect(JSON.stringify(checked)).not.toContain("secret");
  });

  it.each(["yes", 1, Promise.resolve(true), undefined])("takes nothing but `true` for passed, not %j", async (passed) => {
    const odd = { name: "odd", run: () => ({ passed: passed as unknown as boolean, evidence: "" }) }; // whatever plain JavaScript returns
    expect(await verify(goodLoan, [odd])).toMatchObject({ verified: false });
  });

  async function verify(guarded: unknown, checks: readonly LoanCheck[]): Promise<Checked> {
    const added = await verification({ ...informed, guarded }, createTestDeps({ capability: lendProjector({ checks }) }));
    if (!("checked" in added)) throw new Error("stopped");
    return added.checked;
  }
});

describe("confidence_compose", () => {
  const checked: Checked = { results: [], verified: true, scorePpm: onePpm };
  const notSampled: Judged = { kind: "not_sampled" };

  it("takes the judge only where it gave a score", async () => {
    expect(await names(notSampled)).toEqual(["verification", "model"]);
    expect(await names({ kind: "failed", problem: "down" })).toEqual(["verification", "model"]);
    expect(await names({ kind: "scored", ppm: 1, reason: "" })).toEqual(["verification", "judge", "model"]);
  });

  it.each([
    [90, 900_000],
    [-5, 0],
    [250, onePpm],
    [49.6, 500_000],
    [Number.NaN, 0],
    [Number.POSITIVE_INFINITY, 0],
  ])("takes the model's %d percent as %i in a million", async (percent, ppm) => {
    const { signals } = await compose(notSampled, lendProjector({ modelConfidence: () => percent }));
    expect(signals.find(({ name }) => name === "model")?.ppm).toBe(ppm);
  });

  it("measures evidence as the share of claims that trace", async () => {
    const claims = [passage.id, passage.id, "rooms:9:9"].map((source) => ({ text: "x", source }));
    const context = loaded({ ...passage, kind: "passage", need: "rules" });
    const added = await confidenceCompose(
      { ...informed, context, guarded: { claims }, checked, judged: notSampled },
      createTestDeps({ capability: answerRooms() }),
    );
    expect(added).toMatchObject({ confidence: { signals: [{ name: "verification" }, { name: "evidence", ppm: 666_666 }] } });
  });

  async function compose(judged: Judged, capability: Capability) {
    const added = await confidenceCompose({ ...informed, guarded: goodLoan, checked, judged }, createTestDeps({ capability }));
    if (!("confidence" in added)) throw new Error("stopped");
    return added.confidence;
  }

  async function names(judged: Judged): Promise<string[]> {
    return (await compose(judged, lendProjector())).signals.map(({ name }) => name);
  }
});

describe("routing", () => {
  it("asks for the threshold of the decision's own slice, and never goes auto where nobody opened one", async () => {
    const asked: unknown[] = [];
    const thresholdPpm = async (slice: unknown) => {
      asked.push(slice);
      return neverAutoPpm;
    };
    const capability = lendProjector({ slice: ({ inputs: { days } }) => (days > 7 ? "long" : "short") });
    const routed = await go({ capability, deps: { slices: { thresholdPpm } } });
    expect(asked).toEqual([{ tenant: "acme", capability: "lend_projector", capabilityVersion: "1", slice: "short" }]);
    expect(routed).toEqual({
      route: "hitl_recommended",
      rule: "within_margin",
      slice: "short",
      thresholdPpm: neverAutoPpm,
      loweredBy: [],
    });
  });

  it("goes auto at an open threshold, not below it, not unverified, and not after a failed judge", async () => {
    const slices = { thresholdPpm: async () => 850_000 };
    expect(await go({ deps: { slices } })).toMatchObject({ route: "auto", rule: "at_or_above_threshold" });
    expect(await go({ deps: { slices }, ppm: 849_999 })).toMatchObject({ route: "hitl_recommended" });
    expect(await go({ deps: { slices }, verified: false })).toMatchObject({ route: "reject", rule: "not_verified" });
    expect(await go({ deps: { slices }, judged: { kind: "failed", problem: "" } })).toMatchObject({
      route: "hitl_required",
      rule: "judge_failed",
    });
  });

  it("delivers a proposal without effects, also one of a capability that could have proposed some", async () => {
    const slices = { thresholdPpm: () => Promise.reject(new Error("not to be asked")) };
    for (const capability of [
      answerRooms({ propose: () => ({ summary: "" }) }),
      lendProjector({ propose: () => ({ summary: "No projector fits" }) }),
    ]) {
      expect(await go({ capability, deps: { slices } })).toMatchObject({
        route: "auto",
        rule: "no_effects",
        thresholdPpm: neverAutoPpm,
      });
    }
  });

  it("holds an answer back for review where its capability says so", async () => {
    const capability = answerRooms({ propose: () => ({ summary: "" }), review: "before_delivery" });
    expect(await go({ capability })).toMatchObject({ route: "hitl_recommended", rule: "within_margin" });
  });

  async function go({
    capability = lendProjector({
      propose: () => ({
        summary: "",
        effects: [effectDraft(lend, { params: { projector: "pr-1", borrower: "emp-1", days: 1, note: "" }, sources: {} })],
      }),
    }),
    deps = {},
    ppm = 900_000,
    verified = true,
    judged = { kind: "not_sampled" },
  }: {
    capability?: Capability;
    deps?: Partial<Deps>;
    ppm?: number;
    verified?: boolean;
    judged?: Judged;
  }) {
    const checked = { results: [], verified, scorePpm: onePpm };
    const confidence = { ppm, signals: [], calibration: "weights-1" };
    const added = await routing(
      {
        ...informed,
        request: testRequest({ capability: capability.name, inputs: informed.inputs }),
        guarded: goodLoan,
        checked,
        judged,
        confidence,
      },
      createTestDeps({ ...deps, capability }),
    );
    return "routed" in added ? added.routed : added;
  }
});

function check(name: string, passed: boolean): LoanCheck {
  return { name, run: () => ({ passed, evidence: `evidence of ${name}` }) };
}

function thrower(): never {
  throw new Error("secret");
}
