import { hash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { usualGate } from "../../src/evals/gate/gate-file.ts";
import { judgeGate } from "../../src/evals/gate/judge-gate.ts";
import { keepRun } from "../../src/evals/keep-run.ts";
import { keepStandings } from "../../src/ledger/model-standings.ts";
import { openDatabase } from "../../src/store/database.ts";
import { caseFor, repeatWith, runOver } from "../evals/played.ts";
import { callerOf, type Name } from "./boards-house.ts";
import { type DeskHouse, openDeskHouse } from "./desk-house.ts";

// Boards of the project and the tenant: eval runs, models, policies, sources, routing, and how reviewing goes.
let house: DeskHouse;
const { call, waiting, pages } = callerOf(() => house);
const runs = [1, 2, 3].map((n) => `0197a2b4-0000-7000-8000-00000000000${n}`);
const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);

beforeAll(async () => {
  house = await openDeskHouse({ isDemo: false });
}, 120_000);
afterAll(() => house?.close());

async function keep(id: string, decision: number, project = "desk-tests"): Promise<void> {
  const one = caseFor({ id: "secret-words", request: "x", expectations: { statements: { required: ["y"] } } });
  const times = { id, project, startedAt: 5_000, endedAt: 9_000 };
  const { run, set } = runOver([{ one, repeats: [repeatWith({ "answers.decision": decision })] }], times);
  const floors = [{ metric: "answers.decision", least: 1 }];
  const gate = judgeGate({
    ...{ run, set, isSelection: false, baseline: null, gate: { ...usualGate, repeats: 1, pass_rate: 1, floors } },
  });
  await keepRun({ url: house.urls.acting, run, gate, isSelection: false });
}

describe("eval runs", () => {
  it("are the project's own, newest first, and one is told with what failed", async () => {
    for (const [place, id] of runs.entries()) await keep(id, place === 0 ? 0 : 1);
    await keep("0197a2b4-0000-7000-8000-00000000000f", 1, "elsewhere");
    const listed = await pages("ben", "/evals?limit=2");
    expect(listed.map((page) => page.length)).toEqual([2, 1]);
    expect(listed.flat().map(({ id }) => id)).toEqual(runs.toReversed());
    expect(listed.flat().map(({ passedCases }) => passedCases)).toEqual([1, 1, 0]);
    const { json } = await call("ben", `/evals/${runs[0]}`);
    expect(json).toMatchObject({
      gatePassed: false,
      failing: [{ id: "secret-words" }],
      findings: [{ metric: "answers.decision" }],
    });
    expect((await call("ben", "/evals/0197a2b4-0000-7000-8000-00000000000f")).status).toBe(404);
    expect((await call("ben", "/evals?capability=none_of_them")).json).toEqual({ items: [], next: null });
  });
});

describe("models", () => {
  it("are named with their uses and owners, and stand as the deciding half found them", async () => {
    const deciding = openDatabase({ url: house.urls.deciding, role: "deciding", connections: 1 });
    const about = { source: "http://list", isDue: true, owners: ["desk-tests"], isPinned: true, lastTrainingOn: "2026-06-01" };
    const model = "scripted/searcher-2026-01-01";
    await keepStandings(deciding, [{ model, state: "deprecated", shutdownOn: day(Date.now() + 10 * 86_400_000), ...about }]);
    await deciding.close();
    const { json } = await call("ben", "/models");
    expect(json.models).toMatchObject([
      {
        ...{ model, provider: "scripted", id: "searcher-2026-01-01", owners: ["desk-tests"], isPinned: true, isDue: true },
        ...{ uses: [{ of: "look_around", role: "decides" }], state: "deprecated", daysLeft: 10, lastTrainingOn: "2026-06-01" },
      },
    ]);
    expect(json.migrations).toEqual([]);
  });

  it("have their migrations beside them, with what the trials came to", async () => {
    const [id, bounds] = ["0197a2b4-0000-7000-8000-0000000000aa", '{"leastTrials":5,"mostFailedPpm":1,"mostDisagreePpm":2}'];
    await house.owner.query(
      `insert into countersign.model_migration (tenant, id, capability, old_model, new_model, choice, stage, share_ppm, bounds)
       values ('acme', $1, 'look_around', 'a/one', 'a/two', '{}', 'shadow', 500000, $2)`,
      [id, bounds],
    );
    const figures = (ms: number) => JSON.stringify({ ms, costMicros: 10 });
    for (const [place, breaks] of [0, 1, 1].entries())
      await house.owner.query(
        `insert into countersign.model_trial (tenant, migration, decision_id, stage, differences, breaks, old_failed, new_failed, agrees,
           prose_ppm, old_figures, new_figures)
         values ('acme', $1, $2, 'shadow', $3, $4, false, false, $5, 900000, $6, $7)`,
        [
          ...[id, runs[place], breaks === 0 ? "[]" : '[{"kind":"form","path":"/amount"}]', breaks],
          ...[breaks === 0, figures(100), figures(200)],
        ],
      );
    expect((await call("ben", "/models")).json.migrations).toMatchObject([
      {
        ...{ id, from: "a/one", to: "a/two", stage: "shadow", sharePpm: 500_000, isSigned: false, rolledBackBy: null },
        trials: [
          {
            ...{ stage: "shadow", trials: 3, broken: 2, disagreed: 2, oldFailed: 0, newFailed: 0, meanProsePpm: 900_000 },
            ...{ old: { ms: 100, costMicros: 10 }, new: { ms: 200, costMicros: 10 } },
          },
        ],
        breaks: [{ kind: "form", path: "/amount", trials: 2 }],
      },
    ]);
    expect((await call("gus", "/models")).json.migrations).toEqual([]);
  });
});

describe("the policies", () => {
  it("are read as they stand in their files, by whoever audits or owns", async () => {
    const { json } = await call("audra", "/policies");
    for (const { text, digest } of json.files) expect(hash("sha256", text)).toBe(digest);
    const signing = json.files.find(({ name }: { name: string }) => name === "signing.cedar");
    const own = json.policies.find(({ id }: { id: string }) => id === "requester_never_signs");
    expect(own).toMatchObject({ file: "signing.cedar", effect: "forbid", actions: ["sign", "resolve"] });
    expect(signing.text.split("\n")[own.line - 1]).toContain("requester_never_signs");
    for (const as of ["ben", "ada"] as const) expect((await call(as, "/policies")).status).toBe(403);
  });

  it("say what they would answer, of people of one's own tenant alone", async () => {
    const ask = (own: object) =>
      call("audra", "/policies/explain", { principal: { id: "eve", roles: ["approver"] }, action: "sign", ...own });
    const resource = { requestedBy: "eve", effects: 1, risk: "low" };
    expect((await ask({ resource })).json).toMatchObject({
      ruling: { kind: "refused", policies: ["requester_never_signs"] },
      deciding: [{ id: "requester_never_signs" }],
    });
    expect((await ask({ resource: { ...resource, requestedBy: "bob" } })).json.ruling.kind).toBe("permitted");
    expect((await ask({ action: "fly" })).status).toBe(400);
    const elsewhere = { principal: { tenant: "globex", id: "eve", roles: [] } };
    expect((await ask(elsewhere)).status).toBe(400);
  });
});

describe("document sources", () => {
  it("are told to those whom a label of theirs is open to", async () => {
    const put = (name: string, scope: string) =>
      house.owner.query(
        `insert into countersign.source (tenant, name, collections, scopes, promise_ms, state, fresh_as_of, lag_ms, documents)
         values ('acme', $1, '{handbook}', array[$2], 60000, 'complete', clock_timestamp() - interval '1 hour', 1500, 7)`,
        [name, scope],
      );
    await put("open", "tenant:all");
    await put("owners", "role:owner");
    const names = async (as: Name) => (await call(as, "/knowledge/sources")).json.items.map(({ name }: { name: string }) => name);
    expect(await names("ben")).toEqual(["open"]);
    expect(await names("cleo")).toEqual(["open", "owners"]);
    expect(await names("gus")).toEqual([]);
    const [open] = (await call("ben", "/knowledge/sources")).json.items;
    expect(open).toMatchObject({ documents: 7, lagMs: 1_500, isBehind: true, progress: null, lastCompleteAt: null });
  });
});

describe("routing", () => {
  it("is counted by the day of asking and the capability, and confidence is held against what became of it", async () => {
    await call("ada", "/decisions", { capability: "say_nothing", inputs: { text: "why?" } });
    const signed = await waiting("ada", "a note to keep");
    await call("bea", `/reviews/${await waiting("ada", "a note to refuse")}/reject`, { reason: "no" });
    const { json } = await call("ben", `/routing?capability=keep_notes&before=${day(Date.now() + 86_400_000)}`);
    const { rows } = await house.owner.query(
      `select route, body::json ->> 'confidencePpm' as ppm from countersign.entry where decision_id = $1 and kind = 'decided'`,
      [signed],
    );
    expect(json.lines).toEqual([{ day: day(Date.now()), capability: "keep_notes", route: rows[0].route, decisions: 2 }]);
    expect(json.isPart).toBe(false);
    // One of the two was judged: a person rejected it.
    const bin = Math.min(9, Math.floor(Number(rows[0].ppm) / 100_000)) * 100_000;
    const judged = rows[0].ppm === null ? [] : [{ fromPpm: bin, decisions: 1, agreed: 0, meanPpm: Number(rows[0].ppm) }];
    expect(json.reliability).toEqual(judged);
    const elsewhere = await call("ben", "/routing?from=2020-01-01&before=2020-01-02");
    expect(elsewhere.json).toMatchObject({ lines: [], countedFrom: null, reliability: [] });
    for (const query of ["from=2020-01-01", "from=2026-01-02&before=2026-01-01", "from=today"])
      expect([query, (await call("ben", `/routing?${query}`)).status]).toEqual([query, 400]);
  });
});
