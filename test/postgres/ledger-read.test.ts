import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { DecisionRecord, DecisionRequest } from "../../src/contract/decision.ts";
import type { EntryDraft } from "../../src/contract/entry.ts";
import type { Proposal, ProposedEffect } from "../../src/contract/proposal.ts";
import type { DecisionState, DecisionView } from "../../src/contract/views.ts";
import { neverAutoPpm } from "../../src/contract/words.ts";
import { writeEntries } from "../../src/ledger/entries.ts";
import { listDecisions } from "../../src/ledger/list-decisions.ts";
import { countWaiting, listWaiting } from "../../src/ledger/lists.ts";
import { readDecision } from "../../src/ledger/read.ts";
import { setSlice } from "../../src/ledger/slices/write.ts";
import { readSlice, readSlices } from "../../src/ledger/slices.ts";
import { storyOf } from "../../src/ledger/told.ts";
import { viewDecision } from "../../src/ledger/view.ts";
import { type Database, openDatabase, type Tx } from "../../src/store/database.ts";
import { decide, ids, type LedgerFixture, one, openLedger, record, request } from "./ledger-fixture.ts";

const all = () => true;

let ledger: LedgerFixture;
let desk: Database;
beforeAll(async () => {
  ledger = await openLedger();
  desk = openDatabase({ url: ledger.database.urls.desk, role: "desk", connections: 2 });
});
afterAll(async () => {
  await desk.close();
  await ledger.close();
});

function effect(index: number): ProposedEffect {
  return {
    ...{
      index,
      effect: "order-replacement",
      version: "1.0.0",
      sentence: `Order replacement ${index}`,
      params: { device: `LT-${index}` },
    },
    ...{ paramsDigest: "cd".repeat(32), risk: "low", sideEffect: "mutating", reversible: true, key: `replacement:${index}` },
    ...{ before: { status: "active" }, beforeDigest: "ef".repeat(32), expected: { status: "replaced" }, sources: {} },
  };
}

function proposal(of: DecisionRequest, changes: Partial<Proposal>): Proposal {
  return {
    ...{ version: 1, decisionId: of.decisionId, tenant: "acme", capability: of.capability, capabilityVersion: "1.0.0" },
    ...{ requestedBy: "ada", onBehalfOf: null, environment: "demo", summary: "Replace LT-1", confidencePpm: 870_000 },
    routing: { route: "hitl_required", rule: "below_margin", slice: "laptop", thresholdPpm: neverAutoPpm, loweredBy: [] },
    ...{ effects: [], claims: [], droppedClaims: [], refusal: null, reasoning: null, digest: "12".repeat(32), ...changes },
  };
}

type Step = Pick<EntryDraft, "kind" | "facts"> & Partial<Pick<EntryDraft, "bodies">>;
const deskKinds = ["approved", "rejected", "withdrawn", "corrected"];

/** Decides, lets people and the acting half write what followed, and reads the view. */
async function viewAfter(
  changes: (of: DecisionRequest) => Partial<DecisionRecord>,
  steps: readonly Step[] = [],
): Promise<DecisionView> {
  const asked = request();
  await ledger.journal.open(asked, 0);
  await ledger.journal.close(record(asked, changes(asked)));
  for (const { kind, facts, bodies = {} } of steps) {
    const writer = deskKinds.includes(kind) && facts["approverKind"] !== "policy" ? "desk" : "acting";
    const frame = { id: ids.next(), tenant: "acme", ts: 1_764_460_800_001, decisionId: asked.decisionId, cause: asked.entryId };
    const draft: EntryDraft = { ...frame, kind, writer, facts, bodies };
    await (writer === "desk" ? desk : ledger.acting).inTenant("acme", (tx) =>
      writeEntries({ tx, drafts: [draft], keys: ledger.keys }),
    );
  }
  const story = await read(asked.decisionId);
  if (story === null) throw new Error("the decision is not there");
  return viewDecision(story, "auditor");
}

const read = (decisionId: string, tenant = "acme") =>
  desk.inTenant(tenant, (tx) => readDecision({ tx, tenant, decisionId, keys: ledger.keys }));

const proposed =
  (route: "auto" | "hitl_required", count = 1) =>
  (of: DecisionRequest) =>
    ({
      route,
      rule: "below_margin",
      proposal: proposal(of, { effects: Array.from({ length: count }, (_, i) => effect(i)) }),
    }) as const;
const stopped = (reason: "not_in_sources" | "input_invalid") => () =>
  ({
    kind: "stopped",
    route: null,
    stop: { kind: "stop", reason, node: "context_load", detail: "nothing on `LT-9`", route: null, rule: null },
  }) as const;

const leftToPerson = () =>
  ({
    kind: "stopped",
    route: "hitl_required",
    rule: "loop_cap_hit",
    stop: {
      kind: "stop",
      reason: "loop_unfinished",
      node: "llm_decision",
      detail: "its 6 steps were used up",
      route: "hitl_required",
      rule: "loop_cap_hit",
    },
  }) as const;

const approved = (effectIndex = 0, approvalId = "a-1"): Step => ({
  kind: "approved",
  facts: { approvalId, approver: "grace", approverKind: "person", effectIndex },
});
const applying = (effectIndex = 0): Step => ({ kind: "applying", facts: { operationId: "o-1", effectIndex } });
const applied: Step = { kind: "applied", facts: { operationId: "o-1", effectIndex: 0 } };
const observed = (verdict: string, effectIndex = 0): Step => ({
  kind: "observed",
  facts: { operationId: "o-1", effectIndex, verdict },
  bodies: { observed: { status: "replaced" } },
});
const refused = (approvalId: string | null): Step => ({
  kind: "refused",
  facts: { approvalId, code: "approval_invalid", effectIndex: 0 },
});

type StateCase = readonly [DecisionState, string, (of: DecisionRequest) => Partial<DecisionRecord>, readonly Step[]];

describe("a decision's state", () => {
  test.each<StateCase>([
    ["answered", "an answer", (of: DecisionRequest) => ({ proposal: proposal(of, {}) }), []],
    ["not_in_sources", "a refusal", (of: DecisionRequest) => ({ proposal: proposal(of, { refusal: "not in the sources" }) }), []],
    ["not_in_sources", "a stop because nothing was found", stopped("not_in_sources"), []],
    ["stopped", "any other stop", stopped("input_invalid"), []],
    ["needs_person", "a stop that was left to a person", leftToPerson, []],
    ["needs_person", "somebody tried to sign what was not proposed", leftToPerson, [refused(null)]],
    [
      "rejected_by_person",
      "a person ended what was left to them",
      leftToPerson,
      [{ kind: "rejected", facts: { by: "grace" }, bodies: { reason: "done by phone" } }],
    ],
    ["rejected_by_checks", "a failed verification", () => ({ route: "reject", rule: "not_verified" }), []],
    ["waiting", "an effect for people", proposed("hitl_required"), []],
    [
      "waiting",
      "an answer to be looked at",
      (of: DecisionRequest) => ({ route: "hitl_required", proposal: proposal(of, {}) }),
      [],
    ],
    ["waiting_for_policy", "an effect for policy", proposed("auto"), []],
    ["waiting", "an approval that nobody gave was refused", proposed("hitl_required"), [refused("forged")]],
    ["refused", "the given approval was refused", proposed("hitl_required"), [approved(), refused("a-1")]],
    ["refused", "policy refused", proposed("auto"), [refused(null)]],
    [
      "rejected_by_person",
      "a person said no",
      proposed("hitl_required"),
      [{ kind: "rejected", facts: { by: "grace" }, bodies: { reason: "too early" } }],
    ],
    ["expired", "nobody answered", proposed("hitl_required"), [{ kind: "expired", facts: {} }]],
    ["signed", "a person signed", proposed("hitl_required"), [approved()]],
    ["applying", "it is being applied", proposed("hitl_required"), [approved(), applying()]],
    ["applying", "it was applied and nobody has looked", proposed("hitl_required"), [approved(), applying(), applied]],
    ["done", "a separate read saw it", proposed("hitl_required"), [approved(), applying(), applied, observed("complete")]],
    ["unknown", "the reply was lost", proposed("hitl_required"), [approved(), applying(), observed("unknown")]],
    [
      "done",
      "the lost reply was reconciled",
      proposed("hitl_required"),
      [approved(), applying(), observed("unknown"), observed("complete")],
    ],
    ["incomplete", "part of it was seen", proposed("hitl_required"), [approved(), applying(), applied, observed("incomplete")]],
    ["failed", "the opposite was seen", proposed("hitl_required"), [approved(), applying(), applied, observed("failed")]],
    [
      "escalated",
      "somebody was called",
      proposed("hitl_required"),
      [approved(), applying(), { kind: "escalated", facts: { operationId: "o-1", effectIndex: 0 } }],
    ],
    [
      "applying",
      "one of two effects is done",
      proposed("hitl_required", 2),
      [approved(0), approved(1, "a-2"), applying(), observed("complete")],
    ],
  ])("is `%s` for %s", async (state, _, changes, steps) => {
    expect((await viewAfter(changes, steps)).state).toBe(state);
  });
});

describe("a view", () => {
  test("shows who signed, what was seen, and that what follows a failure was not started", async () => {
    const view = await viewAfter(proposed("hitl_required", 2), [approved(0), approved(1, "a-2"), applying(), observed("failed")]);
    expect(view.effects).toMatchObject([
      {
        state: "failed",
        verdict: "failed",
        approvedBy: "grace",
        approverKind: "person",
        operationId: "o-1",
        observed: { status: "replaced" },
      },
      { state: "not_started", verdict: null, approvedBy: "grace", observed: null },
    ]);
    expect(view).toMatchObject({
      state: "failed",
      requestedBy: "ada",
      isScripted: true,
      confidencePpm: 870_000,
      proposalDigest: "12".repeat(32),
    });
  });

  test.each([
    ["a script of any name", "desk/2026-02-01", true],
    ["a model that is named as scripts are", "scripted/it-support-1", false],
  ])("says of %s whether it was a script, as its provider said", async (_, model, isScripted) => {
    const calls = record(request()).calls.map((call) => ({ ...call, model, isScripted }));
    expect((await viewAfter(() => ({ model, calls }))).isScripted).toBe(isScripted);
  });

  test("tells the requester why a decision stopped, though the detail is not in the entry", async () => {
    const view = await viewAfter(stopped("input_invalid"));
    expect(view.stop).toEqual({ reason: "input_invalid", node: "context_load", detail: "nothing on `LT-9`" });
  });

  test("names the decision whose entry was its cause", async () => {
    const intake = await decide(ledger.journal);
    const asked = await decide(ledger.journal, request({ cause: intake.entryId }));
    const story = await read(asked.decisionId);
    expect(story?.follows).toBe(intake.decisionId);
    expect(story === null ? [] : storyOf(story, "auditor").map(({ kind, seq }) => [kind, seq])).toEqual([["decided", null]]);
  });

  test("of an erased payload says so, and still knows what its entries tell", async () => {
    const view = await viewAfter(proposed("hitl_required"), [approved()]);
    await ledger.acting.inTenant("acme", (tx) =>
      tx
        .updateTable("payload")
        .set({ body: null, erased_at: new Date(0) })
        .where("entry_id", "=", view.entryId)
        .execute(),
    );
    const story = await read(view.id);
    expect(story === null ? null : viewDecision(story, "auditor")).toMatchObject({ state: "signed", summary: null, effects: [] });
    expect(story === null ? null : storyOf(story, "auditor")[0]?.body).toMatchObject({ erased: true });
  });

  test("of another tenant's decision, of an open one, and of an id that does not exist is nothing", async () => {
    const { decisionId } = await decide(ledger.journal, request({ tenant: "globex" }));
    const open = request();
    await ledger.journal.open(open, 0);
    expect(await read(decisionId)).toBeNull();
    expect(await read(decisionId, "globex")).not.toBeNull();
    expect(await read(open.decisionId)).toBeNull();
    expect(await read(ids.next())).toBeNull();
  });
});

const waitingIn = (tenant: string, limit: number) =>
  desk.inTenant(tenant, async (tx) => (await listWaiting(tx, { tenant, limit })).rows.map(({ id }) => id));

describe("the list of what waits", () => {
  test("holds proposals for people that nobody answered, oldest first, and not what was only forged at", async () => {
    const waiting = () => waitingIn("acme", 500);
    const before = (await waiting()).length;
    const first = await viewAfter(proposed("hitl_required"));
    const forgedAt = await viewAfter(proposed("hitl_required"), [refused("forged")]);
    await viewAfter(proposed("hitl_required"), [approved()]);
    await viewAfter(proposed("hitl_required"), [{ kind: "rejected", facts: { by: "grace" } }]);
    await viewAfter(proposed("auto"));
    expect((await waiting()).slice(before)).toEqual([first.id, forgedAt.id]);
    expect(await waitingIn("globex", 5)).toEqual([]);
    expect(await desk.inTenant("acme", (tx) => countWaiting(tx, { tenant: "acme", limit: 500 }, all))).toBe(before + 2);
    expect(await desk.inTenant("acme", (tx) => countWaiting(tx, { tenant: "acme", limit: 1 }, all))).toBe(1);
    // What policy shows nobody is counted for nobody.
    expect(await desk.inTenant("acme", (tx) => countWaiting(tx, { tenant: "acme", limit: 500 }, () => false))).toBe(0);
  });

  test.each<[string, Step]>([
    ["approved", approved()],
    ["rejected", { kind: "rejected", facts: { by: "grace" } }],
    ["edited", { kind: "corrected", facts: { by: "grace", supersededBy: "01900000-0000-7000-8000-000000000001" } }],
    ["expired", { kind: "expired", facts: {} }],
  ])("lets go of a decision in the transaction in which it is %s", async (_, step) => {
    const rows = "select count(*)::int from countersign.waiting where decision_id = $1";
    const view = await viewAfter(proposed("hitl_required"));
    expect(await one(ledger.owner, rows, [view.id])).toBe(1);
    const answered = await viewAfter(proposed("hitl_required"), [step]);
    expect(await one(ledger.owner, rows, [answered.id])).toBe(0);
  });

  test("does not list what the entries say was answered, whatever is left on it", async () => {
    const { id } = await viewAfter(proposed("hitl_required"), [{ kind: "rejected", facts: { by: "grace" } }]);
    await ledger.owner.query("insert into countersign.waiting (tenant, decision_id) values ('acme', $1)", [id]);
    expect(await waitingIn("acme", 500)).not.toContain(id);
  });

  test("is not filled by rows that no decision stands behind, however many somebody puts in", async () => {
    const list = () => waitingIn("acme", 200);
    const { id } = await viewAfter(proposed("hitl_required"));
    const before = await list();
    expect(before).toContain(id);
    // Ids of the past stand first in the list.
    await ledger.owner.query(
      "insert into countersign.waiting (tenant, decision_id) select 'acme', lpad(to_hex(i), 32, '0')::uuid from generate_series(1, 205) i",
    );
    expect(await list()).toEqual(before);
  });

  test("reads what waits and not what was answered, however much that is", async () => {
    const answered = 3_000;
    await ledger.owner.query(
      `insert into countersign.entry (tenant, id, kind, decision_id, route, effects, ts, body, hash)
       select 'globex', gen_random_uuid(), kind, id, case kind when 'decided' then 'hitl_required' end, 0, 0, '{}', sha256('{}')
       from (select gen_random_uuid() as id from generate_series(1, $1)) made, unnest(array['decided', 'approved']) kind`,
      [answered],
    );
    const read = await ledger.owner.query("select count(*) from countersign.entry where tenant = 'globex'");
    expect(Number(read.rows[0].count)).toBeGreaterThanOrEqual(2 * answered);
    const fetched = await desk.inTenant("globex", async (tx) => {
      const before = await entriesRead(tx);
      await listWaiting(tx, { tenant: "globex", limit: 200 });
      await countWaiting(tx, { tenant: "globex", limit: 200 }, all);
      return (await entriesRead(tx)) - before;
    });
    // The planner looks at the ends of an index; nothing else is read of six thousand entries.
    expect(fetched).toBeLessThan(10);
  });
});

/** How many rows of the entries this transaction has fetched so far, by any path. */
async function entriesRead(tx: Tx): Promise<number> {
  const { rows } = await sql<{ read: string }>`
    select sum(pg_stat_get_xact_tuples_returned(oid) + pg_stat_get_xact_tuples_fetched(oid)) as read from pg_class
    where oid = 'countersign.entry'::regclass or oid in (select indexrelid from pg_index where indrelid = 'countersign.entry'::regclass)`.execute(
    tx,
  );
  return Number(rows[0]?.read);
}

describe("the list of what somebody asked for", () => {
  test("is theirs alone, newest first, and found by an index of its own", async () => {
    const mine = { tenant: "acme", id: "hopper" };
    const ask = async (id: string) => {
      const asked = request();
      return decide(ledger.journal, { ...asked, principal: { ...asked.principal, id } });
    };
    const first = await ask("hopper");
    await ask("ada");
    const second = await ask("hopper");
    const list = (limit: number) =>
      desk.inTenant("acme", async (tx) => {
        const any = { capability: null, state: null, from: null, before: null, after: null };
        return (await listDecisions(tx, { tenant: mine.tenant, person: mine.id, ...any, limit })).rows.map((row) => row.id);
      });
    expect(await list(10)).toEqual([second.decisionId, first.decisionId]);
    expect(await list(1)).toEqual([second.decisionId]);
    // In a small table every other way is as cheap.
    await ledger.owner.query("set enable_seqscan = off; set enable_sort = off; set enable_bitmapscan = off");
    const { rows } = await ledger.owner.query(
      `explain (format json) select decision_id from countersign.intent where tenant = 'acme' and principal = 'hopper'
       order by decision_id desc limit 20`,
    );
    expect(JSON.stringify(rows)).toContain("intent_asked");
  });
});

describe("a slice", () => {
  const name = { tenant: "acme", capability: "replace-device", capabilityVersion: "1.0.0", slice: "laptop" };
  let grantedAt = 0;
  const set = (thresholdPpm: number) => {
    grantedAt += 1;
    const rests = { basis: "0".repeat(64), calibration: "weights-1", evidence: null, connectors: "1".repeat(64) };
    const change = { ...name, ...rests, thresholdPpm, grantedAt, approvalId: ids.next(), entryId: ids.next() };
    return ledger.acting.inTenant("acme", (tx) => setSlice(tx, change));
  };

  test("that nobody opened is above every confidence; once opened and closed again, both halves read it", async () => {
    const time = { ms: 0 };
    const slices = readSlices({ database: ledger.deciding, clock: { now: () => time.ms, monotonic: () => time.ms } });
    const acting = () => ledger.acting.inTenant("acme", async (tx) => (await readSlice(tx, name))?.thresholdPpm ?? neverAutoPpm);
    const both = async () => {
      time.ms += 1_000;
      return [await slices.thresholdPpm(name), await acting()];
    };
    expect(await both()).toEqual([neverAutoPpm, neverAutoPpm]);
    await set(850_000);
    expect(await both()).toEqual([850_000, 850_000]);
    expect(await slices.thresholdPpm({ ...name, capabilityVersion: "1.0.1" })).toBe(neverAutoPpm);
    expect(await slices.thresholdPpm({ ...name, tenant: "globex" })).toBe(neverAutoPpm);
    await set(neverAutoPpm);
    // Within the second the deciding half may still read the old one; the acting half never does.
    expect([await slices.thresholdPpm(name), await acting()]).toEqual([850_000, neverAutoPpm]);
    expect(await both()).toEqual([neverAutoPpm, neverAutoPpm]);
  });

  test.each([-1, neverAutoPpm + 1, 0.5, Number.NaN])("is never set to %d", async (thresholdPpm) => {
    await expect(set(thresholdPpm)).rejects.toThrow(/parts per million/);
  });
});
