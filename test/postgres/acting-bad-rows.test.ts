import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { canonicalJson, type Json } from "../../src/contract/json.ts";
import type { Proposal } from "../../src/contract/proposal.ts";
import { sha256Digest } from "../../src/store/digest.ts";
import { forgeApproval } from "./acting/forge.ts";
import { House, people } from "./acting/house.ts";

// A role may write whatever its grants allow. One row that nobody can read must cost its own decision and nothing else.
let house: House;
beforeAll(async () => {
  house = await House.build();
  await house.desk().openSlice({ principal: people.oda, capability: "tickets", slice: "all", thresholdPpm: 0 });
  await house.worker().runOnce();
});
afterAll(() => house?.close());

/** Puts an entry in with the deciding role's own login, as hostile code in the decider could; returns the decision's id. */
async function forgeDecided({ body, bodies }: { body?: string; bodies?: Readonly<Record<string, string>> }): Promise<string> {
  const decisionId = house.ids.next();
  const id = house.ids.next();
  const plain = { v: 1, id, tenant: "acme", kind: "decided", route: "auto", effects: 1, verified: true, confidencePpm: 900_000 };
  const fields = { tenant: "acme", id, kind: "decided", decision_id: decisionId, route: "auto", effects: 1, ts: 1 } as const;
  const text = body ?? canonicalJson(plain);
  await house.deciding.inTenant("acme", async (tx) => {
    await tx
      .insertInto("entry")
      .values({ ...fields, body: text, hash: createHash("sha256").update(text).digest() })
      .execute();
    if (bodies === undefined) return;
    const salted = Object.entries(bodies).map(([name, text]) => ({ name, salt: "0".repeat(32), text }));
    const payload = house.keys.encrypt({ tenant: "acme", entryId: id, bodies: salted });
    await tx.insertInto("payload").values({ tenant: "acme", entry_id: id, body: payload }).execute();
  });
  await house.settled();
  return decisionId;
}

const refused = { kind: "refused", body: { code: "policy_refuses" } };

describe("a row that cannot be read", () => {
  const nested = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;
  it.each<[string, Parameters<typeof forgeDecided>[0]]>([
    ["a body that is not JSON", { body: "not json" }],
    ["a body that is no object", { body: "[]" }],
    ["a body whose fields have other types", { body: '{"roles":{"length":1},"effects":"many"}' }],
    ["a body that is nested too deeply", { body: nested }],
    ["an empty proposal", { bodies: { proposal: "{}" } }],
    ["a proposal of empty effects", { bodies: { proposal: '{"effects":[{},null]}' } }],
    ["a proposal that is not JSON", { bodies: { proposal: "{" } }],
    ["a proposal that is a number", { bodies: { proposal: "7" } }],
    ["a proposal that is nested too deeply", { bodies: { proposal: nested } }],
  ])("is refused and holds up nothing after it: %s", async (what, forged) => {
    const bad = await forgeDecided(forged);
    const good = await house.decide({ changes: [house.add(what)], route: "auto" });
    const faults: unknown[] = [];
    await house.worker({ onError: (thrown) => faults.push(thrown) }).runOnce();
    expect(faults).toEqual([]);
    const { rows } = await house.admin.query<{ kind: string; body: string }>(
      "select kind, body from countersign.entry where decision_id = $1 and kind <> 'decided'",
      [bad],
    );
    expect(rows.map(({ kind, body }) => ({ kind, body: JSON.parse(body) }))).toMatchObject([refused]);
    expect((await house.story(good)).at(-1)).toBe("observed complete");
  });

  const resealed = (change: object) => (proposal: Proposal) => {
    const { digest: _, ...rest } = { ...proposal, ...change };
    return { ...rest, digest: sha256Digest.sha256(canonicalJson(rest)) };
  };
  it.each<[string, (proposal: Proposal) => Proposal]>([
    ["another version", (p) => resealed({ version: 2 })(p)],
    [
      "a business key that no index can hold",
      (p) => resealed({ effects: p.effects.map((e) => ({ ...e, key: "k".repeat(9_000) })) })(p),
    ],
    ["a field that nobody knows", (p) => resealed({ force: true })(p)],
    ["a share above the whole", (p) => resealed({ confidencePpm: 2_000_000 })(p)],
  ])("is refused when its proposal has %s", async (what, alter) => {
    const decisionId = await house.decide({ changes: [house.add(what)], route: "auto", alter });
    await house.worker().runOnce();
    expect((await house.entries(decisionId)).at(-1)).toMatchObject(refused);
    expect(await house.tickets(what)).toEqual([]);
  });

  it.each<[string, Json]>([
    ["no proposal at all", {}],
    ["effects that are no list", { effects: { length: 1 } }],
  ])("refuses the approval of a person when the payload by then holds %s", async (what, proposal) => {
    const decisionId = await house.decide({ changes: [house.add(what)] });
    const { approvalIds } = await house.desk().approve({ principal: people.ada, decisionId });
    const { rows } = await house.admin.query<{ id: string }>(
      "select id from countersign.entry where decision_id = $1 and kind = 'decided'",
      [decisionId],
    );
    const entryId = rows[0]?.id ?? "";
    const bodies = [{ name: "proposal", salt: "0".repeat(32), text: canonicalJson(proposal) }];
    const body = house.keys.encrypt({ tenant: "acme", entryId, bodies });
    await house.admin.query("update countersign.payload set body = $1 where entry_id = $2", [body, entryId]);
    await house.worker().runOnce();
    expect((await house.story(decisionId)).at(-1)).toBe("refused payload_unreadable");
    const state = await house.admin.query("select state from countersign.approval where id = $1", [approvalIds[0]]);
    expect(state.rows).toEqual([{ state: "refused" }]);
  });

  it("refuses an approval whose bytes hold what no canonical form can", async () => {
    const decisionId = await house.decide({ changes: [house.add("nul")] });
    const id = await forgeApproval(house, { decisionId });
    const { rows } = await house.admin.query<{ body: string }>("select body from countersign.approval where id = $1", [id]);
    const body = String(rows[0]?.body).replace('"role":"approver"', '"role":"\\u0000"');
    const forged = await forgeApproval(house, { decisionId, row: { body } });
    await house.worker().runOnce();
    const state = await house.admin.query("select state from countersign.approval where id = $1", [forged]);
    expect(state.rows).toEqual([{ state: "refused" }]);
  });
});
