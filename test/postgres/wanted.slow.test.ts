import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Json } from "../../src/contract/json.ts";
import { payloadKeys } from "../../src/ledger/payload.ts";
import { endWanted, takeWanted, wantDecision } from "../../src/ledger/wanted.ts";
import { openDatabase } from "../../src/store/database.ts";
import { type CaseHouse, openCaseHouse, people } from "./cases/house.ts";

let house: CaseHouse;
beforeEach(async () => {
  house = await openCaseHouse([]);
});
afterEach(async () => house?.close());

async function want(capability: string, inputs: Json, id = house.common.ids.next()): Promise<string> {
  const keys = payloadKeys(house.common.payloadKey);
  const wanted = { tenant: "acme", id, capability, principal: people.cora, inputs, cause: null };
  await house.acting.inTenant("acme", (tx) => wantDecision(tx, wanted, keys));
  return id;
}

const stands = async (id: string) =>
  (
    await house.rows("select state, decision_id, code, body is null as dropped, round from countersign.wanted where id = $1", [
      id,
    ])
  )[0];
const ended = (id: string) =>
  vi.waitFor(
    async () => {
      const row = await stands(id);
      if (row.state === "waiting") throw new Error("not yet");
      return row;
    },
    { timeout: 15_000, interval: 25 },
  );

describe("a decision that the acting half wants", () => {
  it("is made once by two deciders, for whom it is wanted, and what was asked is dropped then", async () => {
    await Promise.all([house.openDecider(), house.openDecider()]);
    const ids = await Promise.all(Array.from({ length: 12 }, (_, place) => want("say", { text: `text ${place}` })));
    for (const id of ids) {
      const row = await ended(id);
      expect(row).toMatchObject({ state: "made", code: null, dropped: true });
      const view = await house.desk.decision({ principal: people.cora, decisionId: row.decision_id });
      expect(view).toMatchObject({ state: "answered", capability: "say", requestedBy: "cora" });
    }
    expect(await house.rows("select 1 from countersign.intent")).toHaveLength(12);
    expect(house.faults).toEqual([]);
  });

  it("is joined where it was made and its end could not be written, as when the decider dies in between", async () => {
    await house.rows("revoke update (state) on countersign.wanted from deciding");
    await house.openDecider();
    const id = await want("say", { text: "once" });
    await vi.waitFor(() => expect(house.faults).toHaveLength(1), { timeout: 15_000, interval: 25 });
    expect(await stands(id)).toMatchObject({ state: "waiting", round: 0 });
    await house.rows("grant update (state) on countersign.wanted to deciding");
    await house.rows("update countersign.wanted set due_at = now()");
    const { decision_id } = await ended(id);
    expect(await house.rows("select decision_id from countersign.intent")).toEqual([{ decision_id }]);
  });

  it("fails where its body is another one's, and is decided for nobody", async () => {
    const [one, other] = [await want("say", { text: "one" }), house.common.ids.next()];
    const [row] = await house.rows("select body from countersign.wanted where id = $1", [one]);
    const moved = { tenant: "acme", id: other, capability: "say", body: row.body, cause: null };
    await house.acting.inTenant("acme", (tx) => tx.insertInto("wanted").values(moved).execute());
    await house.openDecider();
    expect(await ended(other)).toMatchObject({ state: "failed", code: "payload_unreadable" });
    expect((await ended(one)).state).toBe("made");
  });

  it.each([
    ["inputs that do not fit", "say", { text: 4 }, "input_invalid"],
    ["a capability that is not there", "nothing", {}, "unknown_capability"],
  ] as const)("fails for %s, with the code", async (_what, capability, inputs, code) => {
    await house.openDecider();
    expect(await ended(await want(capability, inputs))).toMatchObject({ state: "failed", code, dropped: true });
  });

  it("is wanted once under one id", async () => {
    const id = await want("say", { text: "a" });
    await want("say", { text: "b" }, id);
    expect(await house.rows("select 1 from countersign.wanted")).toHaveLength(1);
  });

  it("is taken up by one at a time, and its end is written once", async () => {
    await want("say", { text: "a" });
    const keys = payloadKeys(house.common.payloadKey);
    const deciding = openDatabase({ url: house.store.urls.deciding, role: "deciding", connections: 4 });
    const take = () => deciding.inTenant("acme", (tx) => takeWanted({ tx, tenant: "acme", limit: 5, leaseMs: 60_000 }, keys));
    const taken = (await Promise.all([take(), take(), take()])).flat();
    expect(taken).toMatchObject([{ attempts: 1, round: 0, asked: { inputs: { text: "a" }, principal: people.cora } }]);
    const [one] = taken;
    if (one === undefined) throw new Error("nothing was taken up");
    const end = (code: string) =>
      deciding.inTenant("acme", (tx) => endWanted(tx, one, { state: "failed", code, decisionId: null }));
    expect([await end("internal"), await end("other")]).toEqual([true, false]);
    expect(await stands(one.id)).toMatchObject({ state: "failed", code: "internal" });
    await deciding.close();
  });
});

describe("what wants decisions", () => {
  it("is the acting half alone, and what it asked is altered by nobody", async () => {
    const id = await want("say", { text: "a" });
    const row = { tenant: "acme", id: house.common.ids.next(), capability: "say", body: Buffer.from("x"), cause: null };
    const refused = { code: "42501" };
    await expect(house.signing.inTenant("acme", (tx) => tx.insertInto("wanted").values(row).execute())).rejects.toMatchObject(
      refused,
    );
    await expect(
      house.acting.inTenant("acme", (tx) => tx.updateTable("wanted").set({ state: "made" }).execute()),
    ).rejects.toMatchObject(refused);
    await expect(house.acting.inTenant("acme", (tx) => tx.deleteFrom("wanted").execute())).rejects.toMatchObject(refused);
    await expect(
      house.acting.inTenant("acme", (tx) =>
        tx
          .insertInto("wanted")
          .values({ ...row, tenant: "globex" })
          .execute(),
      ),
    ).rejects.toMatchObject(refused);
    const deciding = openDatabase({ url: house.store.urls.deciding, role: "deciding", connections: 1 });
    await expect(deciding.inTenant("acme", (tx) => tx.insertInto("wanted").values(row).execute())).rejects.toMatchObject(refused);
    const alter = deciding.inTenant("acme", (tx) =>
      tx
        .updateTable("wanted")
        .set({ body: Buffer.from("y") })
        .execute(),
    );
    await expect(alter).rejects.toMatchObject({ code: "CS001" });
    await deciding.close();
    expect(await stands(id)).toMatchObject({ state: "waiting" });
  });
});
