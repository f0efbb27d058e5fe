import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { usualGate } from "../../src/evals/gate/gate-file.ts";
import { judgeGate } from "../../src/evals/gate/judge-gate.ts";
import { keepRun } from "../../src/evals/keep-run.ts";
import { readEvalRuns } from "../../src/evals/read.ts";
import { openDatabase } from "../../src/store/database.ts";
import { caseFor, repeatWith, runOver } from "../evals/played.ts";
import { createMigratedDatabase, type MigratedDatabase } from "../setup/project-database.ts";

let database: MigratedDatabase;
beforeAll(async () => {
  database = await createMigratedDatabase();
});
afterAll(() => database?.drop());

const ids = ["0197a2b4-0000-7000-8000-000000000001", "0197a2b4-0000-7000-8000-000000000002"] as const;

function kept(id: string, decision: number, project = "shop") {
  const one = caseFor({
    id: "secret-words",
    request: "CANARY of a person",
    expectations: { statements: { required: ["CANARY of an answer"] } },
  });
  const { run, set } = runOver([{ one, repeats: [repeatWith({ "answers.decision": decision })] }], {
    id,
    project,
    startedAt: 5_000,
    endedAt: 9_000,
  });
  const gate = judgeGate({
    ...{ run, set, isSelection: false, baseline: null },
    gate: { ...usualGate, repeats: 1, pass_rate: 1, floors: [{ metric: "answers.decision", least: 1 }] },
  });
  return keepRun({ url: database.urls.acting, run, gate, isSelection: false });
}

async function read(project?: string) {
  const desk = openDatabase({ url: database.urls.desk, role: "desk", connections: 1 });
  try {
    return await readEvalRuns(desk, { project: project ?? null, limit: 10 });
  } finally {
    await desk.close();
  }
}

async function attempt(role: "deciding" | "desk" | "acting", statement: string): Promise<string> {
  const client = new pg.Client({ connectionString: database.urls[role], options: "-c search_path=countersign" });
  await client.connect();
  try {
    await client.query(statement);
    return "done";
  } catch (thrown) {
    return thrown instanceof pg.DatabaseError ? (thrown.code ?? "") : String(thrown);
  } finally {
    await client.end();
  }
}

describe("the history of runs", () => {
  it("keeps figures, failing cases and findings, newest first, and no text of a case or an answer", async () => {
    await kept(ids[0], 1);
    await kept(ids[1], 0);
    await kept(ids[1].replace(/2$/, "3"), 1, "other");
    const runs = await read("shop");
    expect(runs).toMatchObject([
      { id: ids[1], cases: 1, passedCases: 0, gatePassed: false, startedAt: 5_000, endedAt: 9_000, isSelection: false },
      { id: ids[0], cases: 1, passedCases: 1, gatePassed: true, failing: [], findings: [] },
    ]);
    expect(runs[0]?.failing).toEqual([
      { id: "secret-words", capability: "answer", slice: "all", label: "quality", metrics: ["answers.decision"] },
    ]);
    expect(runs[0]?.findings).toMatchObject([{ rule: "floor", metric: "answers.decision", value: 0, floor: 1 }]);
    expect(runs[0]?.figures).toContainEqual({
      capability: "answer",
      slice: "all",
      metric: "answers.decision",
      value: 0,
      cases: 1,
    });
    expect(JSON.stringify(runs)).not.toContain("CANARY");
    expect((await read()).length).toBe(3);
  });

  it("leaves a run as it is that is kept again", async () => {
    await kept(ids[0], 0);
    expect((await read("shop")).find(({ id }) => id === ids[0])).toMatchObject({ passedCases: 1 });
  });

  it.each([
    ["acting", "update eval_run set project = 'x'", "42501"],
    ["acting", "delete from eval_run", "42501"],
    ["acting", "insert into eval_run (id, writer) values (gen_random_uuid(), 'desk')", "42501"],
    ["desk", "insert into eval_run (id) values (gen_random_uuid())", "42501"],
    ["deciding", "select 1 from eval_run", "42501"],
    ["desk", "select 1 from eval_run", "done"],
  ] as const)("role %s: %s", async (role, statement, came) => {
    expect(await attempt(role, statement)).toBe(came);
  });

  it("is final for the owner too", async () => {
    const owner = new pg.Client({ connectionString: database.adminUrl });
    await owner.connect();
    await expect(owner.query("update countersign.eval_run set project = 'x'")).rejects.toThrow();
    await expect(owner.query("truncate countersign.eval_run")).rejects.toThrow();
    await owner.end();
  });
});
