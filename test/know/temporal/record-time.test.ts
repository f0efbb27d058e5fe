import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openFactKeeper, openFactSight } from "../../../src/know/facts/keep.ts";
import { correctFact } from "../../../src/know/facts/replace.ts";
import { changeFactScopes, eraseFacts } from "../../../src/know/facts/write.ts";
import type { Tx } from "../../../src/store/database.ts";
import { clock, type FactHouse, openFactHouse } from "./fact-house.ts";

const utc = Date.UTC;
const june = utc(2024, 5, 1);

let house: FactHouse;
beforeAll(async () => {
  house = await openFactHouse();
});
afterAll(() => house?.close());

const acting = <T>(work: (tx: Tx) => Promise<T>) => house.acting.inTenant("acme", work);

/** A moment by the database's clock that lies after all that was written, and before all that will be. */
async function moment(): Promise<number> {
  const now = () =>
    acting(async (tx) => (await sql<{ ms: number }>`select statement_ms()::float8 as ms`.execute(tx)).rows[0]?.ms ?? 0);
  const first = await now();
  let next = first;
  while (next <= first) next = await now();
  const mark = next;
  while (next <= mark) next = await now();
  return mark;
}

/** Resolves when a transaction in this database waits for a lock. Looks anew each time: within a transaction the server looks once. */
async function somebodyWaits(): Promise<void> {
  for (let waits = false; !waits; ) {
    const { rows } = await acting((tx) =>
      sql<{ waits: boolean }>`select exists (
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock') as waits`.execute(tx),
    );
    waits = rows[0]?.waits === true;
  }
}

async function told(subject: string, object: string, from: number, to: number | null = null): Promise<string> {
  const [id] = await house.write([{ subject, object, validFrom: from, validTo: to }]);
  return id ?? "";
}

describe("a correction", () => {
  it("backdated, changes what was true then and not what was known before it", async () => {
    const id = await told("r:1", "sales", utc(2024, 0, 1));
    const before = await moment();
    await house.correct(id, { subject: "r:1", object: "stores", validFrom: utc(2024, 0, 1), validTo: null });
    const after = await moment();
    const known = (asKnownAt: number) => house.objects({ subject: "r:1", at: june, asKnownAt });
    expect(await house.objects({ subject: "r:1", at: june })).toEqual(["stores"]);
    expect([await known(before), await known(after)]).toEqual([["sales"], ["stores"]]);
  });

  it("leaves no instant at which both are known, or neither", async () => {
    const id = await told("r:2", "sales", utc(2024, 0, 1));
    const before = await moment();
    await house.correct(id, { subject: "r:2", object: "stores", validFrom: utc(2024, 0, 1), validTo: null });
    const after = await moment();
    for (let asKnownAt = before; asKnownAt <= after; asKnownAt += 1)
      expect(await house.objects({ subject: "r:2", at: june, asKnownAt })).toHaveLength(1);
  });

  it("that puts nothing instead withdraws: unknown now, known as it was before", async () => {
    const id = await told("r:3", "sales", utc(2024, 0, 1));
    const before = await moment();
    await house.correct(id, null);
    expect(await house.objects({ subject: "r:3", at: june })).toEqual([]);
    expect(await house.objects({ subject: "r:3", at: june, asKnownAt: before })).toEqual(["sales"]);
  });

  it("of a window alone is one too, and what it corrects is kept", async () => {
    const id = await told("r:4", "sales", utc(2024, 0, 1));
    await house.correct(id, { subject: "r:4", object: "sales", validFrom: utc(2024, 0, 1), validTo: utc(2024, 3, 1) });
    expect(await house.objects({ subject: "r:4", at: june })).toEqual([]);
    const { rows } = await acting((tx) =>
      sql`select corrects is not null as "isCorrection", learnt_to is null as "isKnown", reason from fact
        where subject = 'r:4' order by learnt_from, corrects nulls first`.execute(tx),
    );
    expect(rows).toEqual([
      { isCorrection: false, isKnown: false, reason: null },
      { isCorrection: true, isKnown: true, reason: "it was wrong" },
    ]);
  });

  it("comes once: what was corrected is not known any more, and two at the same moment take turns", async () => {
    const id = await told("r:5", "sales", utc(2024, 0, 1));
    const stores = { subject: "r:5", object: "stores", validFrom: utc(2024, 0, 1), validTo: null };
    const both = await Promise.allSettled([house.correct(id, stores), house.correct(id, { ...stores, object: "board" })]);
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(both.find(({ status }) => status === "rejected")).toMatchObject({ reason: { code: "not_found" } });
    expect(await house.objects({ subject: "r:5", at: june })).toHaveLength(1);
    await expect(house.correct(id, null)).rejects.toMatchObject({ code: "not_found" });
    await expect(house.correct("fact:' or true --", null)).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("a correction of one subject", () => {
  it("has the next writer wait, so that what it wrote is not overlooked", async () => {
    const id = await told("r:15", "sales", utc(2024, 0, 1));
    const stores = { subject: "r:15", predicate: "department", object: "stores", scopes: ["tenant:all"] };
    let succeeding: Promise<unknown> = Promise.resolve();
    await acting(async (tx) => {
      const instead = { ...stores, validFrom: utc(2024, 0, 1), validTo: null };
      await correctFact({ tx, tenant: "acme" }, { id, reason: "it was wrong", instead });
      succeeding = house.succeed({ subject: "r:15", object: "board", validFrom: utc(2025, 0, 1), validTo: null });
      await somebodyWaits();
    });
    await succeeding;
    expect(await house.objects({ subject: "r:15", at: june })).toEqual(["stores"]);
    expect(await house.objects({ subject: "r:15", at: utc(2025, 5, 1) })).toEqual(["board"]);
  });

  it("is what the hands of an effect have, again without a change, and so are its labels", async () => {
    const id = await told("r:16", "sales", utc(2024, 0, 1));
    const [keeper, sight] = [openFactKeeper(house.acting), openFactSight(house.acting)];
    const instead = {
      subject: "r:16",
      predicate: "department",
      object: "stores",
      scopes: ["tenant:all"],
      validFrom: utc(2024, 0, 1),
      validTo: null,
    };
    const correction = { id, reason: "a slip", instead };
    const newer = await keeper.correctFact("acme", correction);
    expect(await keeper.correctFact("acme", correction)).toBe(newer);
    await expect(keeper.correctFact("acme", { ...correction, reason: "another" })).rejects.toMatchObject({ code: "not_found" });
    await keeper.changeFactScopes("acme", { id: newer ?? "", scopes: ["role:board"] });
    const asked = { subject: "r:16", predicate: "department", at: june };
    expect(await sight.facts("acme", asked)).toMatchObject([{ id: newer, object: "stores", scopes: ["role:board"] }]);
    const withdrawn = { id: newer ?? "", reason: "nobody knows", instead: null };
    expect([await keeper.correctFact("acme", withdrawn), await keeper.correctFact("acme", withdrawn)]).toEqual([null, null]);
    expect(await sight.facts("acme", asked)).toEqual([]);
  });
});

describe("what is written", () => {
  it("twice by one source is one fact, also at the same moment", async () => {
    const same = { subject: "r:6", object: "sales", validFrom: utc(2024, 0, 1), validTo: null };
    await Promise.all([1, 2, 3, 4].map(() => house.write([same, same])));
    expect(await house.objects({ subject: "r:6", at: june })).toEqual(["sales"]);
  });

  it("is never edited, removed or emptied by the role that writes it, and not written at all by the one that decides", async () => {
    await told("r:7", "sales", utc(2024, 0, 1));
    const refused = [
      "update fact set object = 'board' where subject = 'r:7'",
      "update fact set valid_to = 5 where subject = 'r:7'",
      "update fact set learnt_from = 0 where subject = 'r:7'",
      "delete from fact where subject = 'r:7'",
      "truncate fact",
      "insert into fact (tenant, subject, predicate, object, valid_from, source, mapping_version, scopes, learnt_from) values ('acme', 's', 'department', 'o', 0, 'hr', 1, '{a}', 0)",
    ];
    for (const text of refused)
      await expect(
        acting((tx) => sql.raw(text).execute(tx)),
        text,
      ).rejects.toMatchObject({ code: "42501" });
    for (const text of [
      "insert into fact (tenant, subject, predicate, object, valid_from, source, mapping_version, scopes) values ('acme', 's', 'department', 'o', 0, 'hr', 1, '{a}')",
      "update fact set learnt_to = 1 where subject = 'r:7'",
      "select erase_facts('acme', 'r:7')",
    ])
      await expect(
        house.deciding.inTenant("acme", (tx) => sql.raw(text).execute(tx)),
        text,
      ).rejects.toMatchObject({ code: "42501" });
    expect(await house.objects({ subject: "r:7", at: june })).toEqual(["sales"]);
  });

  it("is not opened again, and closed by the database's clock alone", async () => {
    const id = await told("r:8", "sales", utc(2024, 0, 1));
    await acting((tx) => sql`update fact set learnt_to = 5 where subject = 'r:8'`.execute(tx));
    const { rows } = await acting((tx) =>
      sql<{ fair: boolean }>`select learnt_to >= learnt_from as fair from fact where subject = 'r:8'`.execute(tx),
    );
    expect(rows).toEqual([{ fair: true }]);
    await expect(acting((tx) => sql`update fact set learnt_to = null where subject = 'r:8'`.execute(tx))).rejects.toMatchObject({
      code: "CS001",
    });
    const instead = { subject: "r:8", object: "board", validFrom: 0, validTo: null };
    await expect(house.correct(id, instead)).rejects.toMatchObject({ code: "not_found" });
  });

  it("once more with other labels is seen by those from then on, also as it was known before", async () => {
    const fact = { subject: "r:14", object: "sales", validFrom: utc(2024, 0, 1), validTo: null };
    const [id] = await house.write([{ ...fact, scopes: ["tenant:all", "role:board"] }]);
    const before = await moment();
    expect(await house.write([{ ...fact, scopes: ["role:board"] }])).toEqual([]);
    for (const asKnownAt of [before, clock]) {
      expect(await house.objects({ subject: "r:14", at: june, asKnownAt })).toEqual([]);
      const seen = await house.ask({ subject: "r:14", at: june, asKnownAt, scopes: ["role:board"] });
      expect(seen.map((one) => one.id)).toEqual([id]);
    }
  });

  it("is refused under a predicate or a source that nobody named", async () => {
    const fact = { subject: "r:9", object: "x", validFrom: 0, validTo: null };
    await expect(house.write([{ ...fact, predicate: "salary" }])).rejects.toMatchObject({ code: "definition_invalid" });
    await expect(house.write([fact], { source: "rumours" })).rejects.toMatchObject({ code: "definition_invalid" });
    await expect(house.write([{ ...fact, scopes: [] }])).rejects.toMatchObject({ code: "bad_request" });
    for (const text of ["a\0b", "ä".repeat(501)])
      await expect(house.write([{ ...fact, object: text }])).rejects.toMatchObject({ code: "bad_request" });
    await expect(house.write([{ ...fact, subject: "ä".repeat(101) }])).rejects.toMatchObject({ code: "bad_request" });
  });
});

describe("as it was known", () => {
  it.each([Number.NaN, 1.5, clock + 1])("is not asked for a record time of %s", async (asKnownAt) => {
    await expect(house.ask({ at: june, asKnownAt })).rejects.toMatchObject({ code: "reference_time_invalid" });
  });

  it("is held to who may see it now, not to who might then", async () => {
    const id = await told("r:10", "sales", utc(2024, 0, 1));
    const before = await moment();
    const newer = await house.correct(id, { subject: "r:10", object: "stores", validFrom: utc(2024, 0, 1), validTo: null });
    expect(await house.objects({ subject: "r:10", at: june, asKnownAt: before })).toEqual(["sales"]);
    await acting((tx) => changeFactScopes({ tx, tenant: "acme" }, { id: newer ?? "", scopes: ["role:board"] }));
    for (const asKnownAt of [before, clock]) {
      expect(await house.objects({ subject: "r:10", at: june, asKnownAt })).toEqual([]);
      expect(await house.objects({ subject: "r:10", at: june, asKnownAt, scopes: ["role:board"] })).toHaveLength(1);
    }
  });

  it("is nothing of what was erased", async () => {
    const id = await told("r:11", "sales", utc(2024, 0, 1));
    await house.write([{ subject: "r:12", predicate: "uses", object: "r:11", validFrom: 0, validTo: null }]);
    const before = await moment();
    await house.correct(id, { subject: "r:11", object: "stores", validFrom: utc(2024, 0, 1), validTo: null });
    expect(await acting((tx) => eraseFacts({ tx, tenant: "acme" }, "r:11"))).toBe(3);
    for (const subject of ["r:11", "r:12"])
      for (const asKnownAt of [before, clock]) expect(await house.ask({ subject, at: june, asKnownAt })).toEqual([]);
  });

  it("is of the entity alone, not of who has a value that reads the same", async () => {
    const fact = { validFrom: utc(2024, 0, 1), validTo: null };
    await house.write([
      { ...fact, subject: "r:17", predicate: "title", object: "chair" },
      { ...fact, subject: "r:17", predicate: "holds", object: "chair" },
      { ...fact, subject: "chair", predicate: "title", object: "furniture" },
    ]);
    expect(await acting((tx) => eraseFacts({ tx, tenant: "acme" }, "chair"))).toBe(2);
    const left = await house.ask({ subject: "r:17", at: june });
    expect(left.map(({ predicate, object }) => [predicate, object])).toEqual([["title", "chair"]]);
  });

  it("is all that there is of it behind the lock, also what is being put in the place of one", async () => {
    const id = await told("r:18", "sales", utc(2024, 0, 1));
    let erasing: Promise<number> = Promise.resolve(0);
    await acting(async (tx) => {
      const instead = {
        subject: "r:18",
        predicate: "department",
        object: "stores",
        scopes: ["tenant:all"],
        validFrom: 0,
        validTo: null,
      };
      await correctFact({ tx, tenant: "acme" }, { id, reason: "it was wrong", instead });
      erasing = acting((other) => eraseFacts({ tx: other, tenant: "acme" }, "r:18"));
      await somebodyWaits();
    });
    expect(await erasing).toBe(2);
    expect(await house.objects({ subject: "r:18", at: june })).toEqual([]);
  });

  it("cannot be erased in another tenant's name", async () => {
    await told("r:13", "sales", utc(2024, 0, 1));
    await expect(
      house.acting.inTenant("globex", (tx) => sql`select erase_facts('acme', 'r:13')`.execute(tx)),
    ).rejects.toMatchObject({ code: "42501" });
    expect(await house.objects({ subject: "r:13", at: june })).toEqual(["sales"]);
  });
});
