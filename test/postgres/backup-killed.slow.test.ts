import { existsSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { runJson } from "../cli/command.ts";
import type { MigratedDatabase } from "../setup/project-database.ts";
import { begin } from "../start/installation.ts";
import { emptyDatabase, openPlace, type Place, seal, verify } from "./backup/place.ts";
import { query, until } from "./embedded/server.ts";

// The commands as processes that are killed in the middle, over enough rows that there is a middle.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 300_000 });
const rows = 300_000;
let place: Place;
let target: MigratedDatabase;
let file: string;
let env: Readonly<Record<string, string>>;

beforeAll(async () => {
  place = await openPlace();
  target = await emptyDatabase();
  file = join(place.directory, "whole.backup");
  const { house, directory, heads, ledgerKey } = place;
  await house.decide({ changes: [house.add("a")] });
  await seal(house, heads);
  await house.admin.query(`
    insert into countersign.spend (tenant, decision_id, position, purpose, model, outcome, input_tokens, cached_tokens, cache_write_tokens,
      output_tokens, reasoning_tokens, assumed, cost_micros, ts, reason, prices, held_tokens, held_micros)
    select 'acme', gen_random_uuid(), 1, 'decide', 'scripted/1', 'fits', 9, 0, 0, 6, 0, false, 12, 1764460800000, 'end', '', 20, 20
    from generate_series(1, ${rows})`);
  env = {
    ...{ COUNTERSIGN_PAYLOAD_KEY: house.payloadKey.toString("base64"), COUNTERSIGN_LEDGER_KEY: ledgerKey },
    ...{ COUNTERSIGN_HEADS: join(directory, "new-heads"), COUNTERSIGN_CHECKPOINTS: join(directory, "checkpoints") },
  };
});
afterAll(async () => {
  await target?.drop();
  await place?.close();
});

const kill = async (command: ReturnType<typeof begin>): Promise<void> => {
  process.kill(-(command.child.pid ?? 0), "SIGKILL");
  await command.ended;
};
const folder = () => join(place.directory, "restored");

it("a backup that is killed leaves no file of its name, and the next one is whole", async () => {
  const from = { env: { ...env, DATABASE_URL: place.house.store.adminUrl } };
  const args = ["backup", file, "--directory", place.directory];
  const killed = begin(args, from);
  await until(async () => {
    const [part = "none"] = (await readdir(place.directory)).filter((name) => name.startsWith(`${basename(file)}.`));
    return ((await stat(join(place.directory, part)).catch(() => null))?.size ?? 0) > 100_000;
  });
  await kill(killed);
  expect(existsSync(file)).toBe(false);
  expect(await runJson(args, from)).toMatchObject({ code: 0, json: { heads: [{ tenant: "acme", seq: 1 }] } });
});

it("a restore that is killed leaves the database empty, and the next one is whole", async () => {
  const into = { env: { ...env, DATABASE_URL: target.adminUrl } };
  const args = ["restore", file, "--directory", folder()];
  const killed = begin(args, into);
  const loading = `select from pg_stat_activity where application_name = 'countersign load' and datname = current_database()`;
  await until(async () => (await query(target.adminUrl, `${loading} and query like 'copy %spend%'`)).length > 0);
  await kill(killed);
  await until(async () => (await query(target.adminUrl, loading)).length === 0);
  const counted =
    "select (select count(*) from countersign.entry)::int as entries, (select count(*) from countersign.spend)::int as spend";
  expect(await query(target.adminUrl, counted)).toEqual([{ entries: 0, spend: 0 }]);
  expect(await runJson(args, into)).toMatchObject({
    code: 0,
    json: { tenants: [{ tenant: "acme", sealed: 1 }, { tenant: "globex" }] },
  });
  expect(await query(target.adminUrl, counted)).toEqual([{ entries: 3, spend: rows }]);
  const heads = join(place.directory, "new-heads");
  expect(await verify({ adminUrl: target.adminUrl, heads }, place)).toMatchObject({ broken: null });
  expect(await runJson(args, into)).toMatchObject({ code: 1, json: { error: { code: "database_not_empty" } } });
});
