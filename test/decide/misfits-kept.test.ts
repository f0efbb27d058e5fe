import { describe, expect, it } from "vitest";
import { limits } from "../../src/contract/limits.ts";
import type { CallRecord, Model } from "../../src/contract/model.ts";
import type { Booked } from "../../src/decide/replay/kept.ts";
import { type Replay, replayDecision } from "../../src/decide/replay/replay.ts";
import { replayGateway } from "../../src/gateway/replay.ts";
import { buildClosing } from "../../src/ledger/build-closing.ts";
import { decisionDraft } from "../../src/ledger/decision-entry.ts";
import { payloadKeys } from "../../src/ledger/payload.ts";
import { pooledRandom } from "../../src/ledger/random.ts";
import { createTestDeps, proposeForTest } from "../../src/testing/index.ts";
import { goodLoan, lendProjector, sampleContext } from "./samples.ts";
import { deciding } from "./scripted.ts";

const good = JSON.stringify(goodLoan);
const capability = () => lendProjector({ keepsInputs: true, onNonConforming: "person" });

describe("a reply that does not fit and cannot be kept whole", () => {
  const odd: [string, string][] = [
    ["one over the limit", "x".repeat(limits.replyText + 1)],
    ["one longer than what is kept", `[${"1,".repeat(limits.misfitBytes)}1]`],
    ["one with NUL", good.replace("bright", "\0")],
    ["one with a lone surrogate", good.replace("bright", "\ud800")],
  ];
  it.each(odd)("is worded in a replay as it was: %s", async (_what, first) => {
    const record = await decide(first, good);
    expect(record.calls).toMatchObject([{ outcome: "misfits", isReplyWhole: false }, { outcome: "fits" }]);
    expect(await replay(bookedOf(record))).toMatchObject({ kind: "same" });
  });

  it.each([
    ["controls", "\u0001"],
    ["three bytes each", "\u20ac"],
    ["quotes", '"'],
  ])("never takes the decision its route and trace, however large: %s", async (_what, unit) => {
    const record = await decide(unit.repeat(limits.replyText));
    const { closing, bodies } = closed(record);
    expect(closing.entry.columns).toMatchObject({ route: "hitl_required" });
    expect(bodies).toEqual(expect.arrayContaining(["trace", "replies"]));
  });
});

describe("replies that fit", () => {
  it("never take the decision its record, however many and large", async () => {
    const { model } = deciding(good);
    // As from a loop whose every step is as long as a reply can be.
    const talkative: Model = {
      call: async (request) => {
        const reply = await model.call(request);
        const long = { reply: "\u20ac".repeat(limits.replyText), isReplyWhole: true };
        return {
          ...reply,
          calls: reply.calls.flatMap((call) => [call, { ...call, ...long }, { ...call, ...long }, { ...call, ...long }]),
        };
      },
    };
    const record = await decideBy(talkative);
    expect(record.bodies["replies"]).toMatchObject([true, true, false, false].map((isReplyWhole) => ({ isReplyWhole })));
    expect(closed(record).closing.entry.columns).toMatchObject({ kind: "decided" });
  });
});

describe("a reply that fitted and was too long to keep", () => {
  it("leaves a decision of which a replay says so", async () => {
    const booked = bookedOf(await decide(good));
    // As the walk leaves it where the replies before had taken all the room.
    const replies = booked.bodies["replies"] as unknown as readonly CallRecord[];
    const cut = replies.map((call) => ({ ...call, reply: `${call.reply.slice(0, 5)}…`, isReplyWhole: false }));
    const bodies: Booked["bodies"] = { ...booked.bodies, replies: cut as never }; // plain data
    expect(await replay({ ...booked, bodies })).toEqual({ kind: "cannot", missing: expect.stringContaining("too long") });
  });
});

/** What the ledger would write of a record; nothing of it is too large. */
function closed(record: Made) {
  const random = pooledRandom();
  const keys = payloadKeys(Buffer.alloc(32, 7), random);
  const { fault, closing } = buildClosing({ record, inputsHash: "", keys, random });
  expect(fault).toBeNull();
  const { id: entryId, payload } = closing.entry;
  const { tenant } = record.request.principal;
  return { closing, bodies: keys.decrypt({ tenant, entryId, body: payload ?? Buffer.alloc(0) }).map(({ name }) => name) };
}

function decide(...replies: readonly string[]) {
  return decideBy(deciding(...replies).model);
}

function decideBy(model: Model) {
  const inputs = { text: "a projector, please", days: 3 };
  return proposeForTest({ capability: capability(), inputs, deps: { model, context: sampleContext() } });
}

type Made = Awaited<ReturnType<typeof decide>>;

function draftOf(record: Made) {
  const { kind, facts, bodies } = decisionDraft(record, "");
  return { kind, facts, bodies };
}

function bookedOf(record: Made): Booked {
  const { decisionId, entryId, principal } = record.request;
  return { ...draftOf(record), tenant: principal.tenant, decisionId, entryId, cause: null, at: record.at };
}

function replay(booked: Booked): Promise<Replay> {
  const { digest, deadline, permit } = createTestDeps({ capability: capability() });
  const ports = { modelOver: replayGateway, booked: draftOf, digest, deadline, permit };
  return replayDecision(booked, { capabilityFor: capability, ...ports });
}
