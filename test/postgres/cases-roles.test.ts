import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CaseHouse, openCaseHouse, people } from "./cases/house.ts";
import { allCases } from "./cases/steps.ts";

let house: CaseHouse;
let ended: string;
beforeAll(async () => {
  house = await openCaseHouse(allCases);
  house.openWorker().start();
  ended = (await house.start("spread", { sizes: [] })).id;
  await house.until(ended, ({ state }) => state === "ended");
  await house.desk.cases.start({ principal: people.gus, case: "counting", key: null, input: {} });
});
afterAll(async () => house?.close());

const refused = "42501";

async function attempt(role: "desk" | "acting" | "deciding", sql: string): Promise<string | number> {
  const database = { desk: house.signing, acting: house.acting, deciding: house.deciding }[role];
  const values = { tenant: "acme", run: ended };
  try {
    return await database.inTenant("acme", async (tx) => {
      const { sql: raw } = await import("kysely");
      const { rows, numAffectedRows } = await raw.raw(sql.replaceAll("$run", `'${values.run}'`)).execute(tx);
      return numAffectedRows === undefined ? rows.length : Number(numAffectedRows);
    });
  } catch (thrown) {
    return typeof thrown === "object" && thrown !== null && "code" in thrown ? String(thrown.code) : String(thrown);
  }
}

const run = (more: string, values: string) =>
  `insert into case_run (tenant, id, case_name, version, key, started_by, start_hash, body, created_at, owner, step${more})
   values ('acme', gen_random_uuid(), 'c', '1', gen_random_uuid()::text, 'p', sha256('x'), 'x', now(), 'o', 's'${values})`;
const event = `insert into case_event (tenant, run_id, id, name, by_principal, body, body_hash, at)
  values ('acme', $run, gen_random_uuid(), 'e', 'p', 'x', sha256('x'), now())`;
const step = `insert into case_step (tenant, run_id, place, id, kind, version, step, n, data_hash, at)
  values ('acme', $run, 99, gen_random_uuid(), 'entered', '1', 's', 1, sha256('x'), now())`;

describe("the role desk", () => {
  it.each([
    ["starts a case", run("", ""), 1],
    ["starts no part of a case", run(", parent_id, parent_n, branch", ", $run, 1, 'b'"), refused],
    ["starts none that is past its start", run(", n", ", 3"), refused],
    ["tells a case something", event, 1],
    ["moves none", "update case_run set step = 'x'", refused],
    ["takes no event up", "update case_event set taken_place = 1", refused],
    ["writes no move", step, refused],
    ["removes none", "delete from case_run", refused],
  ])("%s", async (_what, sql, answer) => {
    expect(await attempt("desk", sql)).toBe(answer);
  });
});

describe("the role acting", () => {
  it.each([
    ["starts parts of cases", run(", parent_id, parent_n, branch", ", $run, 1, 'b'"), 1],
    ["starts none of its own", run("", ""), refused],
    ["tells none anything", event, refused],
    ["gives none to somebody else", "update case_run set started_by = 'x'", refused],
    ["alters no event", "update case_event set body = 'y' where run_id = $run", "CS001"],
    ["calls no event otherwise", "update case_event set name = 'x'", refused],
    ["alters no move", "update case_step set step = 'x'", refused],
    ["moves none that has ended", "update case_run set step = 'x' where id = $run", "CS002"],
    ["removes none", "delete from case_step", refused],
    ["sees none of another tenant", "select from case_run where tenant <> 'acme'", 0],
  ])("%s", async (_what, sql, answer) => {
    expect(await attempt("acting", sql)).toBe(answer);
  });
});

describe("the role deciding", () => {
  it.each(["case_run", "case_step", "case_event"])("sees nothing of %s", async (table) => {
    expect(await attempt("deciding", `select * from ${table}`)).toBe(refused);
  });
});
