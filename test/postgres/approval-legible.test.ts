import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { limits } from "../../src/contract/limits.ts";
import type { EntryKind } from "../../src/contract/words.ts";
import { writeEntries } from "../../src/ledger/entries.ts";
import type { Database } from "../../src/store/database.ts";
import { forgeApproval } from "./acting/forge.ts";
import { House, people } from "./acting/house.ts";

// What of a decision must be readable for a signature, and which effect a signature is of.
let house: House;
beforeAll(async () => {
  house = await House.build();
});
afterAll(() => house?.close());

const { ada, abe } = people;
const tenant = "acme";

/** Puts an entry in whose body is no JSON, with a role's own login. */
async function spoiled(database: Database, kind: EntryKind, decisionId: string): Promise<void> {
  const body = "not json";
  const row = { tenant, id: house.ids.next(), kind, decision_id: decisionId, effects: 0, ts: 1, body };
  await database.inTenant(tenant, async (tx) => {
    await tx
      .insertInto("entry")
      .values({ ...row, hash: createHash("sha256").update(body).digest() })
      .execute();
  });
}

const approve = (decisionId: string, principal = ada) => house.desk().approve({ principal, decisionId });
const stateOf = async (decisionId: string) => (await house.desk().decision({ principal: ada, decisionId })).state;
const approvalStates = async (decisionId: string) => {
  const text = "select state from countersign.approval where decision_id = $1 order by created_at, id";
  return (await house.admin.query<{ state: string }>(text, [decisionId])).rows.map(({ state }) => state);
};
const waits = async (decisionId: string) =>
  (await house.desk().reviews({ principal: ada, limit: 200 })).items.some((view) => view.id === decisionId);

describe("a signature", () => {
  it.each(["applying", "observed", "escalated", "refused"] as const)(
    "needs nothing of an entry `%s` that cannot be read",
    async (kind) => {
      const decisionId = await house.decide({ changes: [house.add(`lost ${kind}`)] });
      await spoiled(house.acting, kind, decisionId);
      expect((await approve(decisionId)).approvalIds).toHaveLength(1);
      expect(await stateOf(decisionId)).toBe("signed");
    },
  );

  it("needs nothing of a payload beside the proposal's", async () => {
    const decisionId = await house.decide({ changes: [house.add("lost payload")] });
    const id = house.ids.next();
    const frame = { id, tenant, ts: Date.now(), writer: "acting", decisionId, cause: null } as const;
    const draft = {
      ...frame,
      kind: "observed",
      facts: { verdict: "unknown", effectIndex: 7 },
      bodies: { observed: null },
    } as const;
    await house.acting.inTenant(tenant, (tx) => writeEntries({ tx, drafts: [draft], keys: house.keys }));
    await house.admin.query("update countersign.payload set body = '\\x01' where entry_id = $1", [id]);
    expect((await approve(decisionId)).approvalIds).toHaveLength(1);
  });

  it("is refused where an earlier signature cannot be read", async () => {
    const decisionId = await house.decide({ changes: [house.add("unread approved")] });
    await spoiled(house.deskStore, "approved", decisionId);
    await expect(approve(decisionId)).rejects.toMatchObject({ code: "payload_unreadable" });
    expect(await approvalStates(decisionId)).toEqual([]);
  });

  it.each(["withdrawn", "corrected"] as const)(
    "is refused where an entry `%s` cannot be read, and a rejection is not",
    async (kind) => {
      const decisionId = await house.decide({ changes: [house.add(`unread ${kind}`)] });
      await spoiled(house.deskStore, kind, decisionId);
      await expect(approve(decisionId)).rejects.toMatchObject({ code: "payload_unreadable" });
      expect(await approvalStates(decisionId)).toEqual([]);
      await house.desk().reject({ principal: abe, decisionId, reason: "ask anew" });
      expect(await stateOf(decisionId)).toBe("rejected_by_person");
    },
  );
});

describe("an effect that the proposal does not have", () => {
  it.each<[string, (index: number) => number]>([
    ["an index beyond the last", () => 5],
    ["the same index twice", () => 0],
    ["two indexes exchanged", (index) => 1 - index],
  ])("is signed by nobody where a proposal has %s, and the decision waits on", async (what, numbered) => {
    const decisionId = await house.decide({
      changes: [house.add(`${what} a`), house.add(`${what} b`)],
      alter: (proposal) => ({
        ...proposal,
        effects: proposal.effects.map((effect) => ({ ...effect, index: numbered(effect.index) })),
      }),
    });
    await expect(approve(decisionId)).rejects.toMatchObject({ code: "approval_mismatch", facts: { rule: "effect_index" } });
    expect(await approvalStates(decisionId)).toEqual([]);
    expect(await waits(decisionId)).toBe(true);
    expect((await house.entries(decisionId)).at(-1)).toMatchObject({ kind: "refused", body: { rule: "effect_index" } });
  });

  it("is never applied, whoever signed it, and its approval is refused by the end of its time", async () => {
    const decisionId = await house.decide({ changes: [house.add("only one")] });
    await forgeApproval(house, {
      decisionId,
      grant: (good) => ({ ...good, subject: { ...good.subject, effectIndex: 3 } }),
      row: { effect_index: 3 },
    });
    await house.worker().runOnce();
    house.aheadMs = limits.approvalMs + 60_000;
    await house.worker().runOnce();
    house.aheadMs = 0;
    expect(await approvalStates(decisionId)).toEqual(["refused"]);
    expect((await house.entries(decisionId)).at(-1)).toMatchObject({
      kind: "refused",
      body: { code: "approval_mismatch", rule: "effect_index" },
    });
    expect(await house.tickets("only one")).toEqual([]);
  });
});
