import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { House, people } from "../postgres/acting/house.ts";
import { attempts } from "./hostile/attempts.ts";
import { type Installed, install } from "./hostile/installed.ts";
import type { Attempted } from "./hostile/program.ts";
import { runHostile } from "./hostile/run-hostile.ts";
import type { Target } from "./hostile/world.ts";

// Law 1 across processes: a program that holds what a deciding process holds, and the hands' code beside it, tries to change the
// sandbox and to forge an approval. The same program in the other processes is the control: what is theirs to do succeeds there.
let house: House;
let installed: Installed;
let target: Target;
beforeAll(async () => {
  house = await House.build();
  installed = await install(house);
  const done = await signed("done");
  await house.worker().runOnce();
  const waiting = [await waits("waits-1"), await waits("waits-2"), await waits("waits-3")] as const;
  await signed("signed");
  const text = `select o.id, o.approval_id, e.id as entry_id from countersign.operation o
    join countersign.entry e on e.decision_id = o.decision_id and e.kind = 'decided' where o.decision_id = $1`;
  const [row] = (await house.admin.query<{ id: string; approval_id: string; entry_id: string }>(text, [done])).rows;
  if (row === undefined) throw new Error("the first change was applied");
  const operation = { operationId: row.id, approvalId: row.approval_id, entryId: row.entry_id };
  target = { tenant: "acme", waiting, done: { decisionId: done, ...operation }, ownerUrl: null };
});
afterAll(async () => {
  await house?.close();
  await installed?.close();
});

const waits = (name: string) => house.decide({ changes: [house.add(name)] });
async function signed(name: string): Promise<string> {
  const decisionId = await waits(name);
  await house.desk().approve({ principal: people.ada, decisionId });
  return decisionId;
}

/** A digest of every row of every table of the ledger and of the sandbox. */
async function everything(): Promise<Readonly<Record<string, string>>> {
  const tables = await house.admin.query<{ name: string }>(
    "select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('countersign', 'sandbox') order by 1",
  );
  expect(tables.rows.length).toBeGreaterThan(10);
  const digests: Record<string, string> = {};
  for (const { name } of tables.rows) {
    const { rows } = await house.admin.query<{ text: string }>(`select t::text as text from ${name} t order by 1`);
    digests[name] = createHash("sha256").update(JSON.stringify(rows)).digest("hex");
  }
  return digests;
}

const namesOf = (all: readonly { name: string }[]) => all.map(({ name }) => name);
const done = (all: readonly Attempted[]) => namesOf(all.filter(({ isDone }) => isDone));
const whose = (side: string) => namesOf(attempts.filter((attempt) => attempt.whose === side));
const patience = 180_000;

describe("law 1: a decider that turned against its house, with the hands' code and the deciding half's secrets and role", () => {
  test("changes neither the sandbox nor the ledger and forges no approval, whatever it tries", {
    timeout: patience,
  }, async () => {
    const before = await everything();
    const tried = await runHostile({ env: installed.environments.deciding, side: "deciding", target });
    expect(done(tried)).toEqual([]);
    expect(namesOf(tried)).toEqual(namesOf(attempts));
    // Refused by a wall, and not because the attempt was made badly.
    const walls = /permission denied|row-level security|must be (?:owner|superuser)|secret_missing|does not open the/;
    for (const { name, why } of tried) expect(`${name}: ${why}`).toMatch(walls);
    expect(await everything()).toEqual(before);
    await house.worker({ onError: () => {} }).runOnce();
    for (const name of ["waits-1", "waits-2", "waits-3", "by-hand"]) expect(await house.tickets(name)).toEqual([]);
  });

  test("holds no URL, key or credential of another process", () => {
    const { deciding, desk, acting } = installed.environments;
    const common = ["COUNTERSIGN_ENVIRONMENT", "COUNTERSIGN_PROJECT", "COUNTERSIGN_PAYLOAD_KEY", "COUNTERSIGN_VAULT"];
    const own = (env: NodeJS.ProcessEnv) =>
      Object.entries(env).filter(([name]) => /^(?:COUNTERSIGN|SANDBOX)_/.test(name) && !common.includes(name));
    // The reading login of this sandbox observes as well: it writes nothing.
    const known = new Set(own(deciding).map(([, value]) => value));
    const shared = [...own(desk), ...own(acting)].filter(([, value]) => known.has(value));
    expect(shared.map(([name]) => name)).toEqual(["SANDBOX_OBSERVE"]);
  });
});

describe("the control: the same program in the process of", () => {
  test.each([["acting"], ["desk"]] as const)(
    "the half `%s` does all that is that half's to do, and nothing else",
    { timeout: patience },
    async (side) => {
      // A change that is signed, so that there is something for a worker to carry out.
      if (side === "acting") await signed("for-control");
      const tried = await runHostile({ env: installed.environments[side], side, target });
      const refusals = tried.filter(({ isDone }) => !isDone).map(({ name, why }) => `${name}: ${why}`);
      expect(
        done(tried).filter((name) => whose(side).includes(name)),
        refusals.join("\n"),
      ).toEqual(whose(side));
      const both = side === "acting" ? ["write an entry `approved`", "write an entry `refused`"] : [];
      expect(done(tried)).toEqual(namesOf(attempts).filter((name) => whose(side).includes(name) || both.includes(name)));
    },
  );

  test("the owner becomes whoever it likes", { timeout: patience }, async () => {
    const only = whose("owner");
    const env = { PATH: process.env["PATH"], COUNTERSIGN_PAYLOAD_KEY: house.payloadKey.toString("base64") };
    const tried = await runHostile({ env, side: "owner", target: { ...target, ownerUrl: house.store.adminUrl }, only });
    expect(done(tried), JSON.stringify(tried)).toEqual(only);
  });

  test("the desk forges an approval that is carried out, so that the forgeries above were good but for key and role", async () => {
    await house.worker({ onError: () => {} }).runOnce();
    expect(await house.tickets("waits-1")).toHaveLength(1);
    expect(await house.tickets("waits-2")).toHaveLength(1);
    expect(await house.tickets("by-hand")).toHaveLength(1);
  });
});
