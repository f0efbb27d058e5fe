import { describe, expect, it } from "vitest";
import {
  answerRooms,
  envelope,
  goodLoan,
  lend,
  lendProjector,
  loaded,
  passage,
  projector,
  sampleContext,
} from "../../../test/decide/samples.ts";
import type { Capability } from "../../contract/capability.ts";
import type { RecordRow } from "../../contract/context.ts";
import { canonicalJson } from "../../contract/json.ts";
import type { EffectDraft, Proposal, Routing } from "../../contract/proposal.ts";
import { defineEffect, effectDraft } from "../../define/effect.ts";
import { from } from "../../define/source.ts";
import { createTestDeps, testRequest } from "../../testing/index.ts";
import type { Deps } from "../state.ts";
import { prepareProposal } from "./prepare-proposal.ts";

const auto: Routing = { route: "auto", rule: "at_or_above_threshold", slice: "all", thresholdPpm: 800_000, loweredBy: [] };
const params = { projector: "pr-1", borrower: "emp-1", days: 3, note: "bright" };
const sources = {
  "/projector": from.record(projector, "/id"),
  "/borrower": from.requester(),
  "/days": from.principal("/days"),
  "/note": from.model(),
};
const trusted: RecordRow = { ...projector, row: { id: "pr-1" }, labels: { id: "system" } };

describe("prepare_proposal", () => {
  it("ends with a word of its own where policy does not let the principal have an effect", async () => {
    const { permit } = createTestDeps({ capability: lendProjector() });
    const mayPropose = () => ({ kind: "refused", rule: "effect_listed", policies: [], reason: "not on your list" }) as const;
    await expect(prepare({ deps: { permit: { ...permit, mayPropose } } })).rejects.toThrow("stopped: not_permitted");
  });

  it("makes a proposal that holds all that an approval binds to", async () => {
    const { digest, ...proposal } = await prepare({});
    const { sha256 } = createTestDeps({ capability: lendProjector() }).digest;
    expect(proposal).toMatchObject({
      version: 1,
      tenant: "acme",
      requestedBy: "emp-1",
      environment: "demo",
      confidencePpm: 900_000,
      routing: auto,
      summary: "Lend pr-1",
      refusal: null,
      reasoning: null,
      effects: [
        {
          index: 0,
          effect: "lend_projector",
          sentence: "Lend projector pr-1 for 3 days",
          params,
          paramsDigest: sha256(canonicalJson(params)),
          risk: "low",
          key: "lend:pr-1:emp-1",
          before: { id: "pr-1", lent_to: null },
          beforeDigest: sha256(canonicalJson({ id: "pr-1", lent_to: null })),
          expected: { lent_to: "emp-1" },
          sources: {
            "/note": { kind: "model" },
            "/projector": { kind: "record" },
            "/days": { kind: "principal" },
            "/borrower": { kind: "principal" },
          },
        },
      ],
    });
    expect(digest).toBe(sha256(canonicalJson(proposal)));
  });

  it("freezes the proposal to its last leaf, and leaves the capability's own objects as they were", async () => {
    const state = { deep: { list: [1] } };
    const effect = defineEffect({ ...lend, expect: { ...lend.expect, state: () => Object.freeze({ ...state }) } });
    const proposal = await prepare({ capability: proposing({ draft: { ...draft(), effect: effect.erased }, effect }) });
    expect(unfrozen(proposal)).toEqual([]);
    expect(Object.isFrozen(state.deep)).toBe(false);
    state.deep.list.push(2);
    expect(proposal.effects[0]?.expected).toEqual({ deep: { list: [1] } });
  });

  it.each<[string, Partial<EffectDraft>]>([
    ["a source", { sources: { ...sources, "/note": from.principal("/text") } }],
    ["who chose a value", { sources: { ...sources, "/projector": from.record(projector, "/id", "model") } }],
    ["a param", { params: { ...params, note: "dark" } }],
  ])("gives another digest when %s differs", async (_what, other) => {
    const one = await prepare({});
    const changed = await prepare({ capability: proposing({ draft: draft(other) }) });
    expect(changed.digest).not.toBe(one.digest);
  });

  it("gives another digest for another state before, confidence, route, requester or environment", async () => {
    const seen = [
      await prepare({}),
      await prepare({ deps: { environment: "production" } }),
      await prepare({ routed: { ...auto, route: "hitl_recommended" } }),
      await prepare({ deps: { context: { ...sampleContext(), readRecords: async () => [] } } }),
      await prepare({ context: loaded(trusted, { ...passage, kind: "passage", need: "rules" }) }),
    ];
    expect(new Set(seen.map(({ digest }) => digest)).size).toBe(seen.length);
  });

  describe("lowers the route", () => {
    it.each([
      [7, "low", "auto", []],
      [8, "medium", "hitl_recommended", ["risk_not_low"]],
      [31, "high", "hitl_recommended", ["risk_high"]],
    ])("for %i days, which is risk %s, to %s", async (days, risk, way, loweredBy) => {
      const proposal = await prepare({ days, capability: proposing({ draft: draft({ params: { ...params, days } }) }) });
      expect(proposal.effects[0]?.risk).toBe(risk);
      expect(proposal.routing).toEqual({ ...auto, route: way, loweredBy });
    });

    it("for a risk that is no word of the list, which counts as high", async () => {
      const effect = defineEffect({ ...lend, risk: () => "none" as never }); // whatever plain JavaScript returns
      const proposal = await prepare({ capability: proposing({ draft: { ...draft(), effect: effect.erased }, effect }) });
      expect(proposal).toMatchObject({
        effects: [{ risk: "high" }],
        routing: { route: "hitl_recommended", loweredBy: ["risk_high"] },
      });
    });

    it.each<[string, Partial<EffectDraft>]>([
      ["a value that differs from the record's", { params: { ...params, projector: "pr-2" } }],
      [
        "a missing claim",
        { sources: { "/borrower": sources["/borrower"], "/days": sources["/days"], "/note": sources["/note"] } },
      ],
      ["a constant where the principal should speak", { sources: { ...sources, "/days": from.constant() } }],
    ])("for %s", async (_what, other) => {
      const proposal = await prepare({ capability: proposing({ draft: draft(other) }) });
      expect(proposal.routing).toMatchObject({
        route: "hitl_recommended",
        rule: "at_or_above_threshold",
        loweredBy: ["source_not_trusted"],
      });
    });

    it("for a field that outsiders can write into", async () => {
      const row: RecordRow = { ...trusted, labels: {} };
      const proposal = await prepare({ context: loaded(row) });
      expect(proposal).toMatchObject({
        effects: [{ sources: { "/projector": { kind: "third_party" } } }],
        routing: { loweredBy: ["source_not_trusted"] },
      });
    });

    it("for a target that a model chose with outsiders' text before it, not for one that code chose", async () => {
      const chosenBy = (by: "model" | "code") =>
        proposing({ draft: draft({ sources: { ...sources, "/projector": from.record(projector, "/id", by) } }) });
      expect((await prepare({ context: loaded(projector), capability: chosenBy("code") })).routing.loweredBy).toEqual([]);
      expect((await prepare({ context: loaded(projector), capability: chosenBy("model") })).routing.loweredBy).toEqual([
        "source_not_trusted",
      ]);
      expect((await prepare({ context: loaded(trusted), capability: chosenBy("model") })).routing.loweredBy).toEqual([]);
    });

    it("for an effect that was argued for with a claim that does not trace", async () => {
      const capability = proposing({ draft: draft(), claims: [{ text: "It is free.", source: "nowhere" }] });
      expect((await prepare({ capability })).routing).toMatchObject({ route: "hitl_recommended", loweredBy: ["claims_dropped"] });
    });

    it("never to a laxer one, and keeps both rules", async () => {
      const capability = proposing({ draft: draft({ params: { ...params, days: 31 }, sources: {} }) });
      for (const route of ["hitl_required", "reject"] as const) {
        const { routing } = await prepare({ days: 31, capability, routed: { ...auto, route, rule: "below_margin" } });
        expect(routing).toMatchObject({ route, rule: "below_margin", loweredBy: ["risk_high", "source_not_trusted"] });
      }
    });
  });

  it("refuses params that do not fit the effect, such as an added `force`", async () => {
    const forced = proposing({ draft: draft({ params: { ...params, force: true } }) });
    await expect(prepare({ capability: forced })).rejects.toMatchObject({ code: "definition_invalid" });
  });

  it.each([
    ["", "empty"],
    ["x".repeat(301), "too long"],
  ])("refuses a business key that is %s", async (key) => {
    const effect = defineEffect({ ...lend, risk: () => "low", key: () => key });
    await expect(
      prepare({ capability: proposing({ draft: { ...draft(), effect: effect.erased }, effect }) }),
    ).rejects.toMatchObject({ code: "definition_invalid" });
  });

  it("refuses an effect that the capability does not declare, also one of the same name", async () => {
    const other = defineEffect({ ...lend, risk: () => "low" });
    await expect(prepare({ capability: proposing({ draft: { ...draft(), effect: other.erased } }) })).rejects.toMatchObject({
      code: "definition_invalid",
    });
  });

  it("refuses effects that were not there when the proposal was routed", async () => {
    await expect(prepare({ routed: { ...auto, rule: "no_effects" } })).rejects.toThrow(/gave other effects than before/);
  });

  it.each([
    ["a Date", new Date(0)],
    ["a BigInt", 10n],
    ["NaN", Number.NaN],
  ])("refuses %s in a state rather than losing it", async (_what, value) => {
    const effect = defineEffect({
      ...lend,
      risk: () => "low",
      expect: { ...lend.expect, state: () => ({ value: value as never }) },
    }); // whatever an author returns
    await expect(
      prepare({ capability: proposing({ draft: { ...draft(), effect: effect.erased }, effect }) }),
    ).rejects.toMatchObject({ code: "unserialisable" });
  });

  describe("with claims", () => {
    const context = loaded({ ...passage, kind: "passage", need: "rules" });
    const traced = { text: "Rooms open at 07:00.", source: passage.id };
    const untraced = { text: "Rooms open at 06:00.", source: "rooms:9:9" };
    const noEffects: Routing = { ...auto, rule: "no_effects" };

    it("keeps those that trace and names those that were dropped, without lowering an answer's route", async () => {
      const proposal = await answer([traced, untraced]);
      expect(proposal.claims).toEqual([{ ...traced, citation: "Room rules 1.2, Opening" }]);
      expect(proposal.droppedClaims).toEqual([{ text: untraced.text, reason: "its source was not retrieved" }]);
      expect(proposal).toMatchObject({ refusal: null, routing: { route: "auto", loweredBy: [] } });
    });

    it("is a refusal where nothing that traces is left", async () => {
      expect(await answer([untraced])).toMatchObject({ claims: [], refusal: "The sources do not say." });
    });

    it("is no refusal where there was nothing to claim", async () => {
      expect(await answer([])).toMatchObject({ claims: [], droppedClaims: [], refusal: null });
    });

    function answer(claims: readonly { text: string; source: string }[]) {
      return prepare({ capability: answerRooms(), guarded: { claims }, routed: noEffects, context });
    }
  });
});

function draft(other: Partial<EffectDraft> = {}): EffectDraft {
  return { ...effectDraft(lend, { params, sources }), ...other };
}

/** A capability that proposes this draft, whatever was decided. */
function proposing({
  draft: proposed,
  claims = [],
  effect = lend,
}: {
  draft: EffectDraft;
  claims?: readonly { text: string; source: string }[];
  effect?: { readonly erased: typeof lend.erased };
}): Capability {
  return lendProjector({ effects: [effect.erased], propose: () => ({ summary: "Lend pr-1", effects: [proposed], claims }) });
}

async function prepare({
  capability = lendProjector(),
  days = 3,
  guarded = { ...goodLoan, note: "bright" },
  context = loaded(trusted),
  routed = auto,
  deps = {},
}: {
  capability?: Capability;
  days?: number;
  guarded?: unknown;
  context?: ReturnType<typeof loaded>;
  routed?: Routing;
  deps?: Partial<Deps>;
}): Promise<Proposal> {
  const inputs = { text: "a bright projector", days };
  const request = testRequest({ capability: capability.name, inputs });
  const confidence = { ppm: 900_000, signals: [], calibration: "weights-1" };
  const added = await prepareProposal(
    { request, inputs, envelope, context, loop: null, guarded, confidence, routed },
    createTestDeps({ context: sampleContext(), ...deps, capability }),
  );
  if (!("proposal" in added)) throw new Error(`stopped: ${"reason" in added ? added.reason : "?"}`);
  return added.proposal;
}

function unfrozen(value: unknown, path = ""): string[] {
  if (typeof value !== "object" || value === null) return [];
  const below = Object.entries(value).flatMap(([key, member]) => unfrozen(member, `${path}/${key}`));
  return Object.isFrozen(value) ? below : [path, ...below];
}
