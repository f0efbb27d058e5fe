import { copyFile, cp, mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { checkpointNow } from "../../src/cli/ledger-checkpoint.ts";
import { openLedgers } from "../../src/cli/ledger-place.ts";
import { setAsideReplaced } from "../../src/ledger/backup/set-aside.ts";
import { createHeadKeeper } from "../../src/ledger/head.ts";
import { checkKept } from "../../src/ledger/proofs/check-kept.ts";
import { watchIn } from "../../src/ledger/slices/watch-form.ts";
import type { MigratedDatabase } from "../setup/project-database.ts";
import { House, newKey, people } from "./acting/house.ts";
import { backUp, emptyDatabase, openPlace, type Place, restoreTo, seal, verify } from "./backup/place.ts";

// The commands over real databases; the sandbox's tickets are the world outside, which no backup holds.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });
const { ada, oda } = people;
let place: Place;
let house: House;
let [file, done, signed, waiting] = ["", "", "", ""];
/** A restored database, with what the command printed. */
type RestoredDatabase = MigratedDatabase & { said: unknown };
const restored: RestoredDatabase[] = [];

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

async function restoredAt(heads: string, options: { reason?: string; of?: string } = {}): Promise<RestoredDatabase> {
  const database: RestoredDatabase = { ...(await emptyDatabase()), said: null };
  restored.push(database);
  const directory = join(place.directory, `restored-${restored.length}`);
  const { of = file, ...others } = options;
  database.said = await restoreTo({ adminUrl: database.adminUrl, heads, file: of }, { directory, ...others });
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
      update countersign.slice set watch = jsonb_set(watch::jsonb, '{xid}', to_jsonb(((watch::jsonb ->> 'xid')::bigint + ${by})::text))::text;
      alter table countersign.entry enable trigger entry_is_final`);
  const read = `select count(*) from countersign.entry join countersign.progress using (tenant)
    where progress.reader = 'admit' and kind <> 'restored' and (entry.xid, entry.n) <= (progress.xid, progress.n)`;
  const reviews = { shown: 7, disagreed: 2, wealth: -0.25 };
  const scores = { came: [3, 4], lately: [0.5, 1.25e-7], wealth: 1.5 };
  /** As if a slice had been watched up to where the worker admitted from. */
  const watched = () =>
    house.admin.query(
      `insert into countersign.slice (tenant, capability, capability_version, slice, threshold_ppm, granted_at, approval_id, entry_id, watch)
       select tenant, 'sample', '1', 'watched', 0, 0, gen_random_uuid(), gen_random_uuid(),
         json_build_object('version', 1, 'xid', xid::text, 'n', n::text, 'scores', $1::json, 'reviews', $2::json)::text
       from countersign.progress where tenant = 'acme' and reader = 'admit'`,
      [JSON.stringify(scores), JSON.stringify(reviews)],
    );
  const seen = `select count(*) from countersign.entry join countersign.slice on slice.slice = 'watched'
    where kind <> 'restored' and (entry.xid, entry.n) <= ((watch::json ->> 'xid')::xid8, (watch::json ->> 'n')::bigint)`;

  it("is restored in its order, read on from where it was, and sealed", async () => {
    const further = join(place.directory, "further.backup");
    await watched();
    const [before, looked] = [await count(house, read), await count(house, seen)];
    expect([before > 0, looked > 0]).toEqual([true, true]);
    await shift(1_000_000_000_000);
    await backUp(place, further).finally(() => shift(-1_000_000_000_000));
    await house.admin.query("delete from countersign.slice where slice = 'watched'");
    const heads = join(place.directory, "heads-further");
    const database = await restoredAt(heads, { of: further });
    const again = await House.over(database, house);
    try {
      expect([await count(again, read), await count(again, seen)]).toEqual([before, looked]);
      const { rows } = await again.admin.query<{ watch: string }>("delete from countersign.slice returning watch");
      expect(watchIn(rows[0]?.watch ?? "")).toMatchObject({ scores, reviews });
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
  const then = () => join(place.directory, "heads-then");
  const later = () => join(place.directory, "heads-later");

  beforeAll(async () => {
    await cp(place.heads, then(), { recursive: true });
    await house.decide({ changes: [house.add("later")] });
    await seal(house, place.heads);
    await checkpointNow({ database: house.acting, tenant: "acme" }, await openLedgers(place.directory));
    await cp(place.heads, later(), { recursive: true });
  });

  it("is not said to be given up where only checkpoints are", async () => {
    const checkpoints = join(place.directory, "checkpoints");
    await cp(checkpoints, `${checkpoints}-then`, { recursive: true });
    vi.stubEnv("COUNTERSIGN_CHECKPOINTS", `${checkpoints}-then`);
    try {
      const database = await restoredAt(then());
      expect(database.said).toMatchObject({
        tenants: [
          { tenant: "acme", givenUp: null, checkpoints: 1 },
          { tenant: "globex", givenUp: null, checkpoints: 0 },
        ],
      });
      expect(await check(database, then())).toMatchObject({ broken: null });
    } finally {
      vi.stubEnv("COUNTERSIGN_CHECKPOINTS", checkpoints);
    }
  });

  it("that cannot be set aside leaves a whole restore, and the error says how it goes on", async () => {
    const [name = ""] = (await readdir(later())).filter((one) => one.endsWith(".json"));
    const inTheWay = join(later(), `${name}.replaced`);
    await mkdir(join(inTheWay, "taken"), { recursive: true });
    const failed = restoredAt(later());
    await expect(failed).rejects.toThrow(/everything in the backup is restored.*`countersign database migrate`/);
    await rm(inTheWay, { recursive: true });
    const database = restored.at(-1);
    if (database === undefined) throw new Error("nothing was restored");
    const again = await House.over(database, house);
    try {
      expect(await check(database, later())).toMatchObject({ broken: null });
      const headKeeper = createHeadKeeper({ directory: later(), onError: () => {} });
      const ledgers = await openLedgers(place.directory);
      expect(await setAsideReplaced({ database: again.acting, headKeeper, ledgers })).toMatchObject([{ tenant: "acme" }]);
      expect(await readdir(later())).toEqual([`${name}.replaced`]);
    } finally {
      await again.close();
      restored.pop();
    }
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
      expect(await setAsideReplaced({ database: again.acting, headKeeper, ledgers })).toMatchObject([
        { tenant: "acme", checkpoints: 0 },
      ]);
      await again.decide({ changes: [again.add("new")] });
      await seal(again, heads);
      expect(await check(database, heads)).toMatchObject({ broken: null, unprotected: 0 });
    } finally {
      await again.close();
      restored.splice(restored.indexOf(database), 1);
    }
  });
});
