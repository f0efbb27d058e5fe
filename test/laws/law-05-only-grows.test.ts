import { hash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createHeadKeeper, type FileHeadKeeper } from "../../src/ledger/head.ts";
import { sealTenant } from "../../src/ledger/seal.ts";
import { verifyLedger } from "../../src/ledger/verify.ts";
import { decide, type LedgerFixture, one, openLedger, patience } from "../postgres/ledger-fixture.ts";

// Law 5 (first form): the ledger only grows. Whoever owns the database can switch off grants, policies and triggers and change
// what they like; `verify` finds it and names the first bad entry. Each test is one such owner.
let ledger: LedgerFixture;
/** A fault in the background fails the run. */
const onError = (thrown: unknown): never => {
  throw thrown;
};
let directory: string;
let headKeeper: FileHeadKeeper;
/** Entry ids in the order of their seals; the tests tamper with places 4 and 7 of ten. */
let sealed: readonly string[];
beforeAll(async () => {
  ledger = await openLedger();
  // The table itself refuses bytes that do not give their hash; whoever owns it can take that away.
  await tamper("alter table countersign.entry drop constraint entry_hash_is_of_its_body");
});
beforeEach(async () => {
  await tamper("truncate countersign.seal, countersign.payload, countersign.entry");
  directory = await mkdtemp(join(tmpdir(), "countersign-heads-"));
  headKeeper = createHeadKeeper({ directory, onError });
  for (let i = 0; i < 10; i += 1) await decide(ledger.journal);
  await expect.poll(sealTen, patience).toBe(10);
  const { rows } = await ledger.owner.query<{ entry_id: string }>("select entry_id from countersign.seal order by seq");
  sealed = rows.map((row) => row.entry_id);
});
afterEach(() => rm(directory, { recursive: true, force: true }));
afterAll(() => ledger.close());

async function seal(): Promise<void> {
  await sealTenant({ database: ledger.acting, tenant: "acme", headKeeper });
  await headKeeper.stop();
}

/** An entry settles when every older transaction of the server has ended, and other test files use the server too. */
async function sealTen(): Promise<number> {
  await seal();
  return Number(await one(ledger.owner, "select count(*) from countersign.seal"));
}

const verify = () => verifyLedger({ database: ledger.acting, tenant: "acme", headKeeper, keys: ledger.keys });

/** What the owner of a database can do: no trigger, no policy and no foreign key applies. */
async function tamper(...statements: readonly string[]): Promise<void> {
  await ledger.owner.query("set session_replication_role = replica");
  for (const statement of statements) await ledger.owner.query(statement);
  await ledger.owner.query("set session_replication_role = origin");
}

const id = (place: number): string => sealed[place - 1] ?? "";
const entry = (place: number): string => `countersign.entry where id = '${id(place)}'`;
const where = (place: number): string => `where id = '${id(place)}'`;
const changed = `replace(body, '"label":"replace"', '"label":"refused"')`;
const hashOf = (body: string): string => `sha256(convert_to(${body}, 'UTF8'))`;

describe("law 5: the ledger only grows", () => {
  test("an untouched ledger verifies, with its head kept and nothing unprotected", async () => {
    expect(await verify()).toMatchObject({ sealed: 10, unsealed: { count: 0 }, unprotected: 0, broken: null, head: { seq: 10 } });
  });

  test("a chain whose heads are gone is a fault, unless it has only just been begun", async () => {
    await rm(directory, { recursive: true });
    expect((await verify()).broken).toBeNull();
    await tamper("update countersign.seal set sealed_at = sealed_at - interval '10 seconds' where seq = 1");
    expect(await verify()).toMatchObject({
      keptHead: null,
      broken: { fault: "head_missing", seq: 10, entryId: id(10), detail: expect.stringContaining("no head is kept") },
    });
  });

  test("entries that are not sealed yet are counted with their age, and are no failure", async () => {
    await decide(ledger.journal);
    const report = await verify();
    expect(report).toMatchObject({ sealed: 10, unsealed: { count: 1 }, broken: null });
    expect(report.unsealed.oldestMs).toBeGreaterThan(0);
  });

  test("behind a bad entry the check goes on and counts, so that one row cannot hide another", async () => {
    await tamper(
      `update countersign.entry set body = ${changed} ${where(4)}`,
      `delete from countersign.payload where entry_id = '${id(7)}'`,
    );
    await decide(ledger.journal);
    await tamper(
      `update countersign.entry set writer = 'acting' where id = (select id from countersign.entry order by xid desc, n desc limit 1)`,
    );
    expect(await verify()).toMatchObject({
      sealed: 10,
      unsealed: { count: 1 },
      faults: 3,
      broken: { seq: 4, fault: "entry_altered" },
    });
  });

  test.each([
    ["an edit of the bytes", (): string[] => [`update countersign.entry set body = ${changed} ${where(4)}`], "entry_altered"],
    [
      "an edit of the bytes and their hash",
      () => [`update countersign.entry set body = ${changed}, hash = ${hashOf(changed)} ${where(4)}`],
      "entry_replaced",
    ],
    [
      "an edit of the bytes, their hash and the seal",
      () => [
        `update countersign.entry set body = ${changed}, hash = ${hashOf(changed)} ${where(4)}`,
        `update countersign.seal set entry_hash = (select hash from ${entry(4)}) where seq = 4`,
      ],
      "chain_broken",
    ],
    [
      "an edit of a column beside the bytes",
      () => [`update countersign.entry set route = 'reject' ${where(4)}`],
      "column_altered",
    ],
    ["an edit of the writer", () => [`update countersign.entry set writer = 'acting' ${where(4)}`], "column_altered"],
    ["an edit of the effects' count", () => [`update countersign.entry set effects = 1 ${where(4)}`], "column_altered"],
    [
      "another payload",
      () => [
        `update countersign.payload set body = (select body from countersign.payload where entry_id = '${id(7)}') where entry_id = '${id(4)}'`,
      ],
      "payload_altered",
    ],
    ["a removed payload", () => [`delete from countersign.payload where entry_id = '${id(4)}'`], "payload_missing"],
    ["a removal of the entry", () => [`delete from ${entry(4)}`], "entry_missing"],
    [
      "a removal of the entry and its seal",
      () => [`delete from ${entry(4)}`, "delete from countersign.seal where seq = 4"],
      "seal_missing",
    ],
    ["a removal of the seal alone", () => ["delete from countersign.seal where seq = 4"], "seal_missing"],
    [
      "a seal that says another history",
      () => ["update countersign.seal set prev_hash = sha256('') where seq = 4"],
      "chain_broken",
    ],
    [
      "a swap of two neighbours' bytes",
      () => [
        `update countersign.entry a set body = b.body, hash = b.hash from countersign.entry b
         where (a.id, b.id) in (('${id(4)}', '${id(5)}'), ('${id(5)}', '${id(4)}'))`,
      ],
      "entry_replaced",
    ],
    [
      "a swap of two distant entries' places in the chain",
      () => [
        "update countersign.seal set seq = 1004 where seq = 4",
        "update countersign.seal set seq = 4 where seq = 7",
        "update countersign.seal set seq = 7 where seq = 1004",
      ],
      "chain_broken",
    ],
    [
      "a swap of two neighbours' places in the chain",
      () => [
        "update countersign.seal set seq = 1004 where seq = 4",
        "update countersign.seal set seq = 4 where seq = 5",
        "update countersign.seal set seq = 5 where seq = 1004",
      ],
      "chain_broken",
    ],
    [
      "a swap of what two neighbouring seals seal",
      () => [
        `alter table countersign.seal drop constraint seal_tenant_entry_id_key`,
        `update countersign.seal a set entry_id = b.entry_id, entry_hash = b.entry_hash from countersign.seal b
         where (a.seq, b.seq) in ((4, 5), (5, 4))`,
        `alter table countersign.seal add unique (tenant, entry_id)`,
      ],
      "chain_broken",
    ],
  ])("%s is found, and the first bad entry named", async (what, statements, fault) => {
    await tamper(...statements());
    const { broken } = await verify();
    expect(broken).toMatchObject({ fault });
    // A swap of places shows at the place, and where entry and seal are both gone only the place is left to name.
    const isNamedByPlace = /places|neighbouring seals|and its seal$/.test(what);
    expect(isNamedByPlace ? broken?.seq : broken?.entryId).toBe(isNamedByPlace ? 4 : id(4));
  });

  test.each([
    ["seals", () => ["delete from countersign.seal where seq > 8"], () => id(9)],
    [
      "entries and seals",
      () => [`delete from countersign.entry where id in ('${id(9)}', '${id(10)}')`, "delete from countersign.seal where seq > 8"],
      () => null,
    ],
    ["everything", () => ["delete from countersign.entry", "delete from countersign.seal"], () => null],
  ])("a cut tail of %s is found by the kept head", async (what, statements, named) => {
    await tamper(...statements());
    expect((await verify()).broken).toMatchObject({ fault: "tail_cut", seq: what === "everything" ? 1 : 9, entryId: named() });
  });

  test("a tail that was cut and sealed over again is found by the kept head", async () => {
    await tamper(
      `delete from countersign.entry where id in ('${id(9)}', '${id(10)}')`,
      "delete from countersign.seal where seq > 8",
    );
    for (let i = 0; i < 3; i += 1) await decide(ledger.journal);
    const elsewhere = createHeadKeeper({ directory: join(directory, "elsewhere"), onError });
    const sealOver = async () => (await sealTenant({ database: ledger.acting, tenant: "acme", headKeeper: elsewhere })).head?.seq;
    await expect.poll(sealOver, patience).toBe(11);
    expect((await verify()).broken).toMatchObject({ fault: "head_differs", seq: 10 });
  });

  test("a sealer whose chain is behind its kept head refuses to go on over it", async () => {
    await tamper(
      `delete from countersign.entry where id in ('${id(9)}', '${id(10)}')`,
      "delete from countersign.seal where seq > 8",
    );
    await decide(ledger.journal);
    const refusal = () => seal().then(() => "nothing to seal yet", String);
    await expect.poll(refusal, patience).toMatch(/was kept at 10/);
  });

  test("an entry that was slipped in before the head is found, with a seal missing", async () => {
    const row = { id: "01890a5d-ac96-774b-bcce-b302099a8057", body: '{"kind":"decided"}' };
    await tamper(
      `insert into countersign.entry (tenant, id, xid, kind, decision_id, ts, writer, body, hash)
       values ('acme', '${row.id}', '4', 'decided', '${row.id}', 0, 'deciding', '${row.body}', '\\x${hash("sha256", row.body, "hex")}')`,
    );
    expect((await verify()).broken).toMatchObject({ fault: "entry_not_sealed", entryId: row.id });
  });

  test("an edit of an entry that is not sealed yet is found too", async () => {
    const { entryId } = await decide(ledger.journal);
    await tamper(`update countersign.entry set body = ${changed} where id = '${entryId}'`);
    expect((await verify()).broken).toMatchObject({ fault: "entry_altered", seq: null, entryId });
  });

  test("an erased payload is counted, and the ledger stays valid", async () => {
    await ledger.acting.inTenant("acme", (tx) =>
      tx
        .updateTable("payload")
        .set({ body: null, erased_at: new Date(0) })
        .where("entry_id", "=", id(4))
        .execute(),
    );
    expect(await verify()).toMatchObject({ erasedPayloads: 1, broken: null });
  });

  test("another tenant's ledger is not touched by it", async () => {
    await tamper(`delete from ${entry(4)}`);
    const other = await verifyLedger({ database: ledger.acting, tenant: "globex", headKeeper, keys: ledger.keys });
    expect(other).toMatchObject({ sealed: 0, broken: null });
  });
});
