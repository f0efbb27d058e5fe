import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { readGrant } from "../../src/approve/read-grant.ts";
import type { JsonObject } from "../../src/contract/json.ts";
import { canonicalJson } from "../../src/contract/json.ts";
import { limits } from "../../src/contract/limits.ts";
import { readPublicKeys } from "../../src/store/signature.ts";
import { forgeApproval } from "./acting/forge.ts";
import { House, people } from "./acting/house.ts";
import { sampleProject } from "./acting/project.ts";

// What other systems got wrong about approvals, each as what must hold here.
let house: House;
beforeAll(async () => {
  house = await House.build();
});
afterAll(() => house?.close());
beforeEach(() => {
  house.aheadMs = 0;
});

const { ada, abe, erin } = people;

describe("approvals", () => {
  it("that come at different times: what waits for two of them was told of once and is applied once", async () => {
    const decisionId = await house.decide({ changes: [house.add("notified", "grave")] });
    const worker = house.worker();
    await worker.runOnce();
    await house.desk().approve({ principal: ada, decisionId });
    await worker.runOnce();
    house.aheadMs = 60 * 60 * 1000;
    await worker.runOnce();
    await house.desk().approve({ principal: abe, decisionId });
    await worker.runOnce();
    await worker.runOnce();
    const text = `select count(*)::int as told from countersign.notice join countersign.entry on entry.id = notice.entry_id
      where notice.decision_id = $1 and notice.kind = 'waiting_review' and entry.kind = 'decided'`;
    expect((await house.admin.query(text, [decisionId])).rows).toEqual([{ told: 1 }]);
    expect(await house.tickets("notified")).toHaveLength(1);
  });

  it("of a small and a large change that wait in one decision: signing the first never signs the second", async () => {
    const decisionId = await house.decide({ changes: [house.add("£10"), house.add("£1,000")] });
    await forgeApproval(house, { decisionId });
    const worker = house.worker();
    await worker.runOnce();
    await worker.runOnce();
    expect(await house.tickets("£1,000")).toEqual([]);
    const view = await house.desk().decision({ principal: ada, decisionId });
    expect(view).toMatchObject({ state: "waiting", effects: [{ state: "signed" }, { state: "proposed" }] });
    await house.desk().approve({ principal: abe, decisionId });
    await worker.runOnce();
    expect([...(await house.tickets("£10")), ...(await house.tickets("£1,000"))]).toHaveLength(2);
  });

  it("given twice in a sequence over one ticket both work", async () => {
    const first = await house.decide({ changes: [house.add("sequence")] });
    const second = await house.decide({ changes: [house.closing("sequence")] });
    const worker = house.worker();
    for (const decisionId of [first, second]) {
      await house.desk().approve({ principal: ada, decisionId });
      await worker.runOnce();
    }
    expect(await house.tickets("sequence")).toMatchObject([{ status: "closed" }]);
  });

  it("of one of two parallel proposals denied: the other goes on", async () => {
    const [denied, granted] = [
      await house.decide({ changes: [house.add("parallel-denied")] }),
      await house.decide({ changes: [house.add("parallel-granted")] }),
    ];
    await Promise.all([
      house.desk().reject({ principal: ada, decisionId: denied, reason: "no" }),
      house.desk().approve({ principal: abe, decisionId: granted }),
    ]);
    await house.worker().runOnce();
    expect(await house.tickets("parallel-denied")).toEqual([]);
    expect(await house.tickets("parallel-granted")).toHaveLength(1);
  });

  it("given a second before they expire and come to after that are refused, and the proposal waits again", async () => {
    const decisionId = await house.decide({ changes: [house.add("a-second-late")] });
    await house.desk().approve({ principal: ada, decisionId });
    house.aheadMs = limits.approvalMs + 1_000;
    await house.worker().runOnce();
    expect(await house.tickets("a-second-late")).toEqual([]);
    expect(await house.story(decisionId)).toEqual(["decided", "approved", "expired"]);
    expect((await house.desk().decision({ principal: erin, decisionId })).state).toBe("waiting");
  });

  it.each([
    ["takes two people by now", () => sampleProject({ risk: () => "high" }), "approval_mismatch", "risk"],
    ["is of another version by now", () => sampleProject({ capabilityVersion: "2" }), "approval_mismatch", "capability_version"],
  ] as const)(
    "whose rule has changed since are asked again before the send: one that %s is refused with the reason",
    async (what, made, code, rule) => {
      const decisionId = await house.decide({ changes: [house.add(what)] });
      await house.desk().approve({ principal: ada, decisionId });
      await house.worker({ sample: made() }).runOnce();
      expect((await house.entries(decisionId)).at(-1)).toMatchObject({ kind: "refused", body: { code, rule } });
      expect(await house.tickets(what)).toEqual([]);
    },
  );

  it("survive the way through JSON, a browser and the database, with the signature over the same bytes", async () => {
    const decisionId = await house.decide({ changes: [house.add("Zoë “ü” 名 \u2028")] });
    await house.desk().approve({ principal: ada, decisionId });
    const text = "select body, signature from countersign.approval where decision_id = $1";
    const { rows } = await house.admin.query<{ body: string; signature: string }>(text, [decisionId]);
    const { body, signature } = JSON.parse(JSON.stringify(rows[0])) as { body: string; signature: string };
    const again = canonicalJson(JSON.parse(new TextDecoder().decode(new TextEncoder().encode(body))));
    const keys = { person: readPublicKeys([house.deskKey.open]), policy: new Map() };
    expect(readGrant({ body: again, signature, keys })).toMatchObject({ kind: "grant", grant: { approver: { id: "ada" } } });
    await house.worker().runOnce();
    expect(await house.tickets("Zoë “ü” 名 \u2028")).toHaveLength(1);
  });

  it("say from the ledger alone who allowed it, back from what was seen", async () => {
    const decisionId = await house.decide({ changes: [house.add("who", "grave")] });
    await house.desk().approve({ principal: ada, decisionId });
    await house.desk().approve({ principal: abe, decisionId });
    await house.worker().runOnce();
    const bodies = (await house.entries(decisionId)).map(({ body }) => body);
    const byId = new Map(bodies.map((body) => [body["id"], body]));
    const way: JsonObject[] = [];
    for (let at = bodies.at(-1); at !== undefined; at = byId.get(at["cause"] ?? "")) way.push(at);
    expect(way.map(({ kind }) => kind)).toEqual(["observed", "applied", "applying", "approved", "decided"]);
    const applying = way[2];
    const allowedBy = [applying?.["approvalId"], applying?.["secondApprovalId"]].map(
      (id) => bodies.find((body) => body["kind"] === "approved" && body["approvalId"] === id)?.["approver"],
    );
    expect(allowedBy.sort()).toEqual(["abe", "ada"]);
  });
});

describe("the same sub-task twice in one request", () => {
  it("with different inputs has two identities, each applied once", async () => {
    const decisionId = await house.decide({ changes: [house.add("sub-a"), house.add("sub-b")] });
    await house.desk().approve({ principal: ada, decisionId });
    await house.worker().runOnce();
    const { rows } = await house.admin.query("select key from countersign.operation where decision_id = $1 order by key", [
      decisionId,
    ]);
    expect(rows).toEqual([{ key: "ticket:sub-a" }, { key: "ticket:sub-b" }]);
    expect([await house.tickets("sub-a"), await house.tickets("sub-b")].map((found) => found.length)).toEqual([1, 1]);
  });
});
