import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import deciding from "../../examples/refunds/decide.ts";
import hands from "../../examples/refunds/hands.ts";
import { people } from "../../examples/refunds/people.ts";
import project from "../../examples/refunds/project.ts";
import { installSandbox } from "../../examples/refunds/sandbox/install.ts";
import { makeTrouble, seedDemo } from "../../examples/refunds/sandbox/seed.ts";
import { termFacts } from "../../examples/refunds/sandbox/terms.ts";
import { everything } from "../../src/contract/principal.ts";
import type { DecisionView } from "../../src/contract/views.ts";
import { type ExampleHouse, openExampleHouse, type Person } from "./house.ts";

const { agent, lead, finance, owner, customer } = people;
const passwords = { read: "read-in-tests", write: "write-in-tests", observe: "observe-in-tests" };
let house: ExampleHouse;

beforeAll(async () => {
  house = await openExampleHouse({
    ...{ project, deciding, hands, facts: termFacts(agent.tenant) },
    install: async ({ adminUrl }) => {
      const { SHOP_READ_URL, SHOP_WRITE_URL, SHOP_OBSERVE_URL } = await installSandbox({ adminUrl, passwords });
      await seedDemo({ adminUrl, tenant: agent.tenant });
      return { deciding: { SHOP_READ_URL }, acting: { SHOP_WRITE_URL, SHOP_OBSERVE_URL } };
    },
  });
});
// What went wrong in the test before has taken the slice back.
beforeEach(() => house.openSlice(owner, { capability: "refund_order", slice: "small", thresholdPpm: 850_000 }));
afterAll(() => house?.close());

const smallRefunds = { capability: "refund_order", slice: "small", thresholdPpm: 850_000 };
const refund = (text: string, person: Person = agent) => house.decide(person, "refund_order", { text });

/** What stands in the three systems of one order. */
async function world(order: string) {
  const of = async (sql: string) => (await house.admin.query<Record<string, string | number>>(sql, [order])).rows;
  return {
    refunds: await of("select line, amount_minor, state, payment from shop.refund where purchase = $1 order by line"),
    booked: await of("select kind, amount_minor from shop.booking where split_part(ref, ':', 2) = $1 order by kind"),
    shown: await of("select line, status from shop.shown_status where purchase = $1 order by line"),
  };
}
/** The proposal to undo what came of a decision, as soon as it waits for people. */
function undoingOf(decisionId: string): Promise<DecisionView> {
  return vi.waitFor(
    async () => {
      await house.worker.runOnce();
      const entries = (await house.decider.story({ principal: asPrincipal(agent), decisionId })).map(({ id }) => id);
      const { items: waiting } = await house.desk.reviews({ principal: asPrincipal(finance), limit: 200 });
      const undoing = waiting.find(({ follows }) => follows !== null && (follows === decisionId || entries.includes(follows)));
      if (undoing === undefined) throw new Error("no undoing waits");
      return undoing;
    },
    { timeout: 10_000, interval: 20 },
  );
}

function asPrincipal({ tenant, id, roles }: Person) {
  return { tenant, id, roles, attributes: {}, onBehalfOf: null, allow: everything };
}

const nothing = { refunds: [], booked: [], shown: [] };
const once = (amountMinor: number, order: string) => ({
  refunds: [{ line: 1, amount_minor: amountMinor, state: "issued", payment: `pay-${order.slice(4)}` }],
  booked: [{ kind: "refund", amount_minor: -amountMinor }],
  shown: [{ line: 1, status: "refund_on_its_way" }],
});

describe("a refund", () => {
  it("that is small passes by policy, and is done when payment, books and shown status agree", async () => {
    const asked = await refund("Please refund ord-1002, the desk lamp arrived damaged.");
    expect(asked).toMatchObject({ route: "auto", state: "waiting_for_policy", label: "refund" });
    const done = await house.worked(agent, asked.id, "done");
    expect(done.effects).toMatchObject([{ verdict: "complete", approverKind: "policy" }]);
    expect(await world("ord-1002")).toEqual(once(4_500, "ord-1002"));
  });

  it("of a part takes the amount that is stated, and what is left can be refunded later as another refund", async () => {
    const part = await refund("Refund £10 of ord-1017, it is damaged.");
    expect(await house.worked(agent, part.id, "done")).toMatchObject({ state: "done" });
    const rest = await refund("Refund the rest of ord-1017, it is damaged.");
    expect(rest.effects).toMatchObject([{ params: { amountMinor: 4_500, version: 2 } }]);
    await house.worked(agent, rest.id, "done");
    expect((await world("ord-1017")).booked).toHaveLength(2);
  });

  it("of 10.00 is not approved with one of 1,000.00: two lines, two approvals, and neither stands for the other", async () => {
    const asked = await refund("Refund the USB cable and the mirrorless camera of ord-1001, both came damaged.", owner);
    // Together it is no small refund, so policy signs neither line.
    expect(asked).toMatchObject({ route: "hitl_recommended", loweredBy: ["risk_not_low"], state: "waiting" });
    expect(asked.effects.map(({ sentence }) => sentence)).toEqual([
      "Refund 10.00 GBP for line 1 of order ord-1001 to payment pay-1001",
      "Refund 1,000.00 GBP for line 2 of order ord-1001 to payment pay-1001",
    ]);
    await house.approve(finance, asked.id);
    // Somebody with the database in hand puts the approval of the cable in the camera's place.
    const { rows } = await house.admin.query(
      "update countersign.approval as other set body = own.body, signature = own.signature from countersign.approval as own where other.decision_id = $1 and other.effect_index = 1 and own.decision_id = $1 and own.effect_index = 0 returning other.id",
      [asked.id],
    );
    expect(rows).toHaveLength(1);
    await house.worked(owner, asked.id, "refused");
    expect(await world("ord-1001")).toEqual({ ...once(1_000, "ord-1001") });
  });

  it("whose reply gets lost is found by looking, and is made once", async () => {
    await makeTrouble(house.adminUrl, { name: "reply_lost", order: "ord-1011", remaining: 1 });
    const asked = await refund("ord-1011: headphones broken, please refund");
    await house.worked(agent, asked.id, "done");
    expect(await house.verdicts(asked.id)).toEqual(["unknown", "complete"]);
    expect(await world("ord-1011")).toEqual(once(6_000, "ord-1011"));
  });

  it("that is asked for twice is made once, and both askers hear that it is done", async () => {
    const text = "Refund the kettle of ord-1013, it came broken.";
    const [first, second] = [await refund(text), await refund(text)];
    await house.worked(agent, first.id, "done");
    await house.worked(agent, second.id, "done");
    expect(await world("ord-1013")).toEqual(once(3_500, "ord-1013"));
    // A third time, later, there is nothing left to refund.
    expect(await refund(text)).toMatchObject({ route: "reject", state: "rejected_by_checks" });
  });

  it("that the customer is not told of is incomplete and goes to a person, never done", async () => {
    await makeTrouble(house.adminUrl, { name: "status_drops", order: "ord-1012", remaining: 1 });
    const asked = await refund("Refund the wool blanket of ord-1012, it is damaged.");
    const seen = await house.worked(agent, asked.id, "escalated");
    expect(seen.effects).toMatchObject([
      { verdict: "incomplete", observed: { refund_state: "issued", bookings: 1, shown_ref: null }, approverKind: "policy" },
    ]);
    expect(await house.verdicts(asked.id)).toEqual(["incomplete"]);
    expect(await world("ord-1012")).toEqual({ ...once(7_000, "ord-1012"), shown: [] });
  });

  it("that the books refuse is called back, once somebody has signed that for itself", async () => {
    // The refund before this one was not seen to be done, which has brought the slice down.
    await house.openSlice(owner, smallRefunds);
    await makeTrouble(house.adminUrl, { name: "books_refuse", order: "ord-1018", remaining: 1 });
    const asked = await refund("ord-1018: refund the bath mat, it is damaged");
    const undoing = await undoingOf(asked.id);
    expect(undoing.effects).toMatchObject([
      { effect: "reverse_refund", params: { line: 3, amountMinor: 1_800, isBooked: false } },
    ]);
    expect((await world("ord-1018")).refunds).toMatchObject([{ state: "issued" }]);
    await house.approve(finance, undoing.id);
    await house.worked(agent, undoing.id, "done");
    // Until then the refund stands as being undone, not as done.
    expect(await house.desk.decision({ principal: asPrincipal(agent), decisionId: asked.id })).toMatchObject({
      state: "compensating",
    });
    expect(await world("ord-1018")).toEqual({
      refunds: [{ line: 3, amount_minor: 1_800, state: "reversed", payment: "pay-1018" }],
      booked: [],
      shown: [{ line: 3, status: "refund_withdrawn" }],
    });
    expect(await house.verdicts(asked.id)).not.toContain("complete");
  });

  it("for a line that changed while it waited is refused as stale", async () => {
    const asked = await refund("ord-1014: the garden chair is cracked, refund it");
    expect(asked).toMatchObject({ state: "waiting", loweredBy: ["risk_not_low"] });
    await house.admin.query(
      "update shop.purchase_line set refunded_minor = 4000, version = 2 where purchase = 'ord-1014' and line = 1",
    );
    await house.approve(lead, asked.id);
    const refused = await house.worked(agent, asked.id, "refused");
    expect(refused.effects).toMatchObject([{ refusedCode: "stale_before_state" }]);
    expect(await world("ord-1014")).toEqual(nothing);
  });

  it("above the cap is stopped by code, whoever asks", async () => {
    const asked = await refund("Refund the oak table of ord-1007, it came damaged.", owner);
    expect(asked).toMatchObject({ route: "reject", rule: "not_verified", state: "rejected_by_checks", verified: false });
    expect(await world("ord-1007")).toEqual(nothing);
  });

  it("that is large is asked for by a lead and signed by two people", async () => {
    const text = "ord-1003: the espresso machine stopped working, refund it please";
    expect(await refund(text)).toMatchObject({ state: "rejected_by_checks" });
    const asked = await refund(text, owner);
    expect(asked).toMatchObject({ state: "waiting", loweredBy: ["risk_high"], effects: [{ signaturesNeeded: 2 }] });
    await house.approve(lead, asked.id);
    await house.worker.runOnce();
    expect(await world("ord-1003")).toEqual(nothing);
    await house.approve(finance, asked.id);
    await house.worked(owner, asked.id, "done");
    expect(await world("ord-1003")).toEqual(once(150_000, "ord-1003"));
  });

  it("takes no order from a note: what it says of amounts and accounts stays text", async () => {
    const asked = await refund("Refund the running shoes of ord-1006, they came damaged.");
    expect(asked.effects).toMatchObject([
      { params: { amountMinor: 12_000, currency: "EUR", payment: "pay-1006" }, sources: { "/payment": { kind: "record" } } },
    ]);
    expect(JSON.stringify(asked.effects)).not.toMatch(/NL00|1000000/);
    // A reply that does what the note says has a field for an account, and fits no schema.
    expect(await refund("Refund the running shoes of ord-1006 as the note says, they are damaged.")).toMatchObject({
      stop: { reason: "non_conforming_output" },
      effects: [],
    });
  });
});

describe("where an order is", () => {
  const where = (text: string) => house.decide(customer, "order_status", { text });

  it("is told by three kinds of sources, each for what it can know", async () => {
    const told = await where("Where is ord-1015?");
    expect(told).toMatchObject({ state: "answered", label: "on_time", droppedClaims: [] });
    expect(told.claims.map(({ citation }) => citation.replace(/, read .*/, ""))).toEqual([
      "Order system",
      "Carrier's scans",
      "Delivery terms 1.2, How long delivery takes",
    ]);
  });

  it("is not concluded where order system and carrier disagree: a person sees both, and the customer nothing before that", async () => {
    const told = await where("Did ord-1009 arrive?");
    expect(told).toMatchObject({
      label: "conflict",
      route: "hitl_required",
      loweredBy: ["sources_conflict"],
      state: "waiting",
      claims: [],
    });
    const seen = await house.decider.decision({ principal: asPrincipal(lead), decisionId: told.id });
    expect(seen.claims.map(({ source }) => source)).toEqual(
      expect.arrayContaining(["orders.byId:ord-1009", "scans.ofOrder:scan-1009"]),
    );
  });

  it("is not told from documents that are older than promised", async () => {
    const age = (by: string) => house.admin.query("update countersign.source set fresh_as_of = fresh_as_of - $1::interval", [by]);
    await age("1 hour");
    expect(await where("Where is ord-1015?")).toMatchObject({
      state: "stopped",
      claims: [],
      stop: { detail: expect.stringContaining("index_stale") },
    });
    await age("-1 hour");
    expect(await where("Where is ord-1015?")).toMatchObject({ state: "answered" });
  });

  it("is nobody else's business", async () => {
    expect(await where("Where is ord-1019?")).toMatchObject({ label: "none", claims: [] });
  });
});
