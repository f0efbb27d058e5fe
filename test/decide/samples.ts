/** Two small capabilities of a school's equipment desk, for tests of the graph: one proposes an effect, one answers with claims. */
import { z } from "zod";
import type { Capability } from "../../src/contract/capability.ts";
import { type LoadedContext, passagesOf, type RecordRow, rowsOf } from "../../src/contract/context.ts";
import type { Envelope } from "../../src/contract/principal.ts";
import { type CapabilityDefinition, defineCapability } from "../../src/define/capability.ts";
import { defineEffect, effectDraft } from "../../src/define/effect.ts";
import { from } from "../../src/define/source.ts";
import { type FixedContext, fixedContext, testPrincipal, testTime } from "../../src/testing/index.ts";

export const model = { provider: "scripted", id: "desk-2026-02-01", effort: "none", temperature: 0 } as const;
export const envelope: Envelope = { principal: testPrincipal, scopes: ["employee"], environment: "demo", at: testTime };

const lendParams = z.strictObject({
  projector: z.string(),
  borrower: z.string(),
  days: z.int().min(1).max(60),
  note: z.string(),
});

/** Lends a projector: low risk for a week, medium for a month, high beyond. */
export const lend = defineEffect({
  name: "lend_projector",
  version: "1",
  owner: "equipment-desk",
  params: lendParams,
  paramRules: {
    projector: { class: "target", sources: ["record"] },
    borrower: { class: "target", sources: ["principal"] },
    days: { class: "amount", sources: ["principal"] },
    note: { class: "content", sources: ["principal", "model"] },
  },
  sideEffect: "mutating",
  risk: ({ days }) => (days > 30 ? "high" : days > 7 ? "medium" : "low"),
  reversible: true,
  describe: ({ projector, days }) => `Lend projector ${projector} for ${days} days`,
  key: ({ projector, borrower }) => `lend:${projector}:${borrower}`,
  dedupe: "key",
  settleMs: 1000,
  before: { query: "projectors.byId", params: ({ projector }) => ({ id: projector }), project: (rows) => rows[0] ?? null },
  expect: { state: ({ borrower }) => ({ lent_to: borrower }), mayChange: [], deadlineMs: 1000 },
});

export const lendInput = z.strictObject({ text: z.string().min(1).max(500), days: z.int().min(1).max(60) });
export const lendDecision = z.strictObject({
  projector: z.string().regex(/^pr-\d+$/),
  fit: z.enum(["good", "poor"]),
  note: z.string().max(60),
  sure: z.int().min(0).max(100),
});
type LendInput = z.infer<typeof lendInput>;
type LendDecision = z.infer<typeof lendDecision>;
export const goodLoan: LendDecision = { projector: "pr-1", fit: "good", note: "bright enough", sure: 90 };

/** Lends a projector; parts of the definition can be replaced. */
export function lendProjector(own: Partial<CapabilityDefinition<LendInput, LendDecision>> = {}): Capability {
  return defineCapability<LendInput, LendDecision>({
    name: "lend_projector",
    version: "1",
    owner: "equipment-desk",
    description: "Lend a projector.",
    openTo: ["employee"],
    input: lendInput,
    decision: lendDecision,
    needs: () => [{ kind: "records", name: "projector", query: "projectors.free", params: {}, maxAgeMs: 30_000 }],
    deciding: {
      kind: "prompt",
      version: "p1",
      model,
      prompt: ({ inputs }) => ({ system: "You lend projectors.", messages: [{ role: "user", text: inputs.text }] }),
    },
    checks: [{ name: "fits_well", run: ({ decision }) => ({ passed: decision.fit === "good", evidence: decision.fit }) }],
    effects: [lend.erased],
    modelConfidence: (decision) => decision.sure,
    propose: ({ inputs, envelope: { principal }, context, decision }) => {
      const row = rowsOf(context, "projector").find((one) => one.row["id"] === decision.projector);
      if (row === undefined) return { summary: "No projector fits" };
      const params = { projector: decision.projector, borrower: principal.id, days: inputs.days, note: decision.note };
      const sources = {
        "/projector": from.record(row, "/id"),
        "/borrower": from.requester(),
        "/days": from.principal("/days"),
        "/note": from.model(),
      };
      return { summary: `Lend ${decision.projector}`, effects: [effectDraft(lend, { params, sources })] };
    },
    ...own,
  });
}

const roomDecision = z.strictObject({ claims: z.array(z.strictObject({ text: z.string(), source: z.string() })) });
type RoomDecision = z.infer<typeof roomDecision>;

/** Answers questions about rooms with claims; parts of the definition can be replaced. */
export function answerRooms(own: Partial<CapabilityDefinition<{ text: string }, RoomDecision>> = {}): Capability {
  return defineCapability<{ text: string }, RoomDecision>({
    name: "answer_rooms",
    version: "1",
    owner: "equipment-desk",
    description: "Answer questions about rooms.",
    openTo: ["employee"],
    input: z.strictObject({ text: z.string().min(1) }),
    decision: roomDecision,
    needs: ({ inputs }) => [
      { kind: "passages", name: "rules", query: inputs.text, limit: 3, minimumScore: 0.2 },
      { kind: "records", name: "room", query: "rooms.all", params: {}, maxAgeMs: 30_000 },
    ],
    deciding: {
      kind: "prompt",
      version: "p1",
      model,
      prompt: ({ inputs, context }) => ({
        system: "You answer questions about rooms.",
        messages: [{ role: "user", text: `${inputs.text} (${passagesOf(context, "rules").length} passages)` }],
      }),
    },
    checks: [],
    propose: ({ decision }) => ({ summary: "An answer about rooms", claims: decision.claims }),
    ...own,
  });
}

const labels = { id: "system", state: "system", keeper: "directory", remark: "third", shelf: "shared", pin: "secret" } as const;

/** A projector's row; who can write each field is labelled, `colour` and `constructor` are not. */
export const projector: RecordRow = {
  kind: "record",
  id: "projectors.free:pr-1",
  need: "projector",
  query: "projectors.free",
  row: {
    id: "pr-1",
    state: "free",
    keeper: "emp-9",
    remark: "call me",
    shelf: "B",
    pin: "4711",
    colour: "red",
    constructor: "Beamline",
  },
  labels,
  readAt: testTime,
};

export const passage = {
  id: "rooms:1:1",
  document: "rooms",
  title: "Room rules",
  version: "1.2",
  section: "Opening",
  text: "Rooms open at 07:00.",
  score: 0.9,
} as const;

/** What a world with one projector, one passage and one room brings to a decision. */
export function sampleContext(): FixedContext {
  const row = { id: projector.id, row: projector.row, labels: projector.labels, readAt: testTime };
  return fixedContext({
    passages: { rules: [passage] },
    records: {
      "projectors.free": [row],
      "projectors.byId": [{ ...row, row: { id: "pr-1", lent_to: null } }],
      "rooms.all": [
        {
          id: "rooms.all:r1",
          row: { id: "r1", name: "Aula", seats: 80 },
          labels: { id: "system", name: "system", seats: "system" },
          readAt: testTime,
        },
      ],
    },
  });
}

/** A loaded context of these items. */
export function loaded(...items: LoadedContext["items"]): LoadedContext {
  return { items, digest: "0".repeat(64) };
}
