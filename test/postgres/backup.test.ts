import { copyFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { checkpointNow } from "../../src/cli/ledger-checkpoint.ts";
import { openLedgers } from "../../src/cli/ledger-place.ts";
import { setAsideReplaced } from "../../src/ledger/backup/set-aside.ts";
import { createHeadKeeper } from "../../src/ledger/head.ts";
import { checkKept } from "../../src/ledger/proofs/check-kept.ts";
import type { MigratedDatabase } from "../setup/project-database.ts";
import { House, newKey, people } from "./acting/house.ts";
import { backUp, emptyDatabase, openPlace, type Place, restoreTo, seal, verify } from "./backup/place.ts";

// The commands over real databases; the sandbox's tickets are the world outside, which no backup holds.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });
const { ada, oda } = people;
let place: Place;
let house: House;
let [file, done, signed, waiting] = ["", "", "", ""];
const restored: MigratedDatabase[] = [];

beforeAll(async () => {
  place = await openPlace();
  house = place.house;
  file = join(place.directory, "monday.backup");
  const add = (name: string) => house.decide({ changes: [house.add(name)] });
  [done, signed, waiting] = [await add("done"), await add("signed"), await add("waiting")];
  await house.desk().approve({ principal: ada, decisionId: done });
  await house.decide({ changes: [house.add("alone")], route: "auto", confidencePpm: 990_000 });
  await house.worker().runOnce();
  await house.desk().approve({ principal: ada, decisionId: signed });
  await seal(house, place.heads);
  expect(await backUp(place, file)).toMatchObject({
    file,
    tenants: ["acme", "globex"],
    heads: [{ tenant: "acme" }],
    keys: false,
  });
});
afterAll(async () => {
  await Promise.all(restored.map((one) => one.drop()));
  await place?.close();
});

async function restoredAt(heads: string, options: { reason?: string; of?: string } = {}): Promise<MigratedDatabase> {
  const database = await emptyDatabase();
  restored.push(database);
  const directory = join(place.directory, `restored-${restored.length}`);
  const { of = file, ...others } = options;
  await restoreTo({ adminUrl: database.adminUrl, heads, file: of }, { directory, ...others });
  return database;
}
const check = (database: MigratedDatabase, heads: string, ledgerKey = place.ledgerKey) =>
  verify({ adminUrl: database.adminUrl, heads }, { house, ledgerKey });
const count = async (over: House, sql: string) => Number((await over.admin.query<{ count: string }>(sql)).rows[0]?.count);

describe("a restored database", () => {
  it("verifies, is stopped until an owner has looked, and goes on: acts, decides, signs, seals", async () => {
    const heads = join(place.directory, "heads-1");
    const database = await restoredAt(heads, { reason: "the disk broke" });
    expect(await check(database, heads)).toMatchObject({ broken: null, unsealed: { count: 1 } });
    const again = await House.over(database, house);
    try {
      expect(await again.story(done)).toEqual(await house.story(done));
      expect(await again.worker().runOnce()).toMatchObject({ reserved: 0 });
      const [halt] = await again.desk().halts({ principal: oda });
      expect(halt).toMatchObject({ scope: "tenant", by: "restore" });
      await again.desk().setHalt({ principal: oda, scope: "tenant", name: "*", isStopped: false, reason: "looked" });
      expect(await again.worker().runOnce()).toMatchObject({ reserved: 1 });
      expect(await again.story(signed)).toEqual(["decided", "approved", "applying", "applied", "observed complete"]);
      await again.desk().approve({ principal: ada, decisionId: waiting });
      const fresh = await again.decide({ changes: [again.add("fresh")] });
      await again.desk().approve({ principal: ada, decisionId: fresh });
      await again.worker().runOnce();
      expect((await again.story(fresh)).at(-1)).toBe("observed complete");
      expect((await again.story(waiting)).at(-1)).toBe("observed complete");
      await again.decide({ changes: [again.add("last")] });
      await seal(again, heads);
      expect(await check(database, heads)).toMatchObject({ broken: null, unsealed: { count: 0 }, unprotected: 0 });
      expect(await count(again, "select count(*) from countersign.entry where kind = 'restored' and writer = 'owner'")).toBe(2);
    } finally {
      await again.close();
      restored.splice(restored.indexOf(database), 1);
    }
  });

  it("is at the same rows in every table, but for what the restore itself says", async () => {
    const database = await restoredAt(join(place.directory, "heads-2"));
    const again = await House.over(database, house);
    const { rows } = await house.admin.query<{ name: string }>(
      "select relname as name from pg_class where relnamespace = 'countersign'::regnamespace and relkind = 'r' order by 1",
    );
    const said: Readonly<Record<string, number>> = { entry: 2, halt: 2 };
    expect(rows.length).toBeGreaterThan(40);
    for (const { name } of rows) {
      const [before, after] = [
        await count(house, `select count(*) from countersign.${name}`),
        await count(again, `select count(*) from countersign.${name}`),
      ];
      expect([name, after]).toEqual([name, before + (said[name] ?? 0)]);
    }
    const order = "select string_agg(id::text, ' ' order by xid, n) as count from countersign.entry where kind <> 'restored'";
    expect((await again.admin.query(order)).rows).toEqual((await house.admin.query(order)).rows);
    await Promise.all([again.admin.end(), again.acting.close(), again.deciding.close(), again.deskStore.close()]);
  });
});

describe("a backup of a server that had counted further than this one", () => {
  /** As if the house had lived on such a server: its entries and what points into their order bear other transaction numbers. */
  const shift = (by: number) =>
    house.admin.query(`
      alter table countersign.entry disable trigger entry_is_final;
      update countersign.entry set xid = (xid::text::bigint + ${by})::text::xid8;
      update countersign.progress set xid = (xid::text::bigint + ${by})::text::xid8;
      alter table countersign.entry enable trigger entry_is_final`);
  const read = `select count(*) from countersign.entry join countersign.progress using (tenant)
    where progress.reader = 'admit' and kind <> 'restored' and (entry.xid, entry.n) <= (progress.xid, progress.n)`;

  it("is restored in its order, read on from where it was, and sealed", async () => {
    const further = join(place.directory, "further.backup");
    const before = await count(house, read);
    expect(before).toBeGreaterThan(0);
    await shift(1_000_000_000_000);
    await backUp(place, further).finally(() => shift(-1_000_000_000_000));
    const heads = join(place.directory, "heads-further");
    const database = await restoredAt(heads, { of: further });
    const again = await House.over(database, house);
    try {
      expect(await count(again, read)).toBe(before);
      await again.decide({ changes: [again.add("after")] });
      await again.worker().runOnce();
      await again.decide({ changes: [again.add("last")] });
      await seal(again, heads);
      expect(await check(database, heads)).toMatchObject({ broken: null, unsealed: { count: 0 } });
    } finally {
      await again.close();
      restored.splice(restored.indexOf(database), 1);
    }
  });
});

describe("a kept head after the backup", () => {
  beforeAll(async () => {
    await house.decide({ changes: [house.add("later")] });
    await seal(house, place.heads);
    await checkpointNow({ database: house.acting, tenant: "acme" }, await openLedgers(place.directory));
  });

  it("is a cut tail without the entry that gives it up, and with one that another key signed", async () => {
    const database = await restoredAt(join(place.directory, "heads-3"));
    expect(await check(database, place.heads)).toMatchObject({ broken: { fault: "tail_cut" } });
    const other = newKey().secret;
    const empty = () => check(database, join(place.directory, "heads-3"), other);
    // Once the chain is older than the first head may take.
    await expect.poll(empty, { timeout: 60_000 }).toMatchObject({ broken: { fault: "head_missing" } });
    expect(await check(database, join(place.directory, "heads-3"))).toMatchObject({ broken: null });
  });

  it("is given up by the signed entry, set aside with the checkpoints, and the chain goes on past it", async () => {
    const heads = place.heads;
    const names = (await readdir(heads)).filter((name) => name.endsWith(".json"));
    const database = await restoredAt(heads);
    const again = await House.over(database, house);
    const ledgers = await openLedgers(place.directory);
    try {
      expect(await readdir(heads)).toEqual(names.map((name) => `${name}.replaced`));
      expect(await check(database, heads)).toMatchObject({ broken: null });
      expect(await checkKept({ database: again.acting, tenant: "acme" }, ledgers)).toEqual({ checkpoints: 0, broken: null });
      // As if the restore had ended before it set it aside: still believed, and a worker's start does it.
      const [name = ""] = names;
      await copyFile(join(heads, `${name}.replaced`), join(heads, name));
      expect(await check(database, heads)).toMatchObject({ broken: null });
      expect(await check(database, heads, newKey().secret)).toMatchObject({ broken: { fault: "tail_cut" } });
      const headKeeper = createHeadKeeper({ directory: heads, onError: () => {} });
      expect(await setAsideReplaced({ database: again.acting, headKeeper, ledgers })).toEqual(["acme"]);
      await again.decide({ changes: [again.add("new")] });
      await seal(again, heads);
      expect(await check(database, heads)).toMatchObject({ broken: null, unprotected: 0 });
    } finally {
      await again.close();
      restored.splice(restored.indexOf(database), 1);
    }
  });
});
