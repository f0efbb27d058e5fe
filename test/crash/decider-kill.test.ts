import { afterAll, beforeAll, expect, it } from "vitest";
import { payloadKeys } from "../../src/ledger/payload.ts";
import { createSweeper, sweepIntents } from "../../src/ledger/sweep.ts";
import { openDatabase } from "../../src/store/database.ts";
import { query, until } from "../postgres/embedded/server.ts";
import { countStrays, endOf, findFaults, readBegun } from "./decider-book.ts";
import { type CrashHouse, openCrashHouse } from "./decider-house.ts";
import { type Job, killPoints, type PlannedDecision, planDecision, planKills, rootKey } from "./decider-plan.ts";
import { type Report, runDecider } from "./decider-process.ts";

const keys = payloadKeys(rootKey);
const atOnce = 2;
/** It takes a few minutes on two idle cores; a busy machine is no fault. */
const minutesOfPatience = 40;
let house: CrashHouse;

beforeAll(async () => {
  house = await openCrashHouse();
});
afterAll(() => house?.close());

it("writes durably", async () => {
  const [settings] = await query(house.adminUrl, "select current_setting('fsync') f, current_setting('synchronous_commit') s");
  expect(settings).toEqual({ f: "on", s: "on" });
});

it("closes every decision of a decider that nobody kills", async () => {
  const report = await runDecider({ job: quietJob(["lend", "answer", "babble", "lend"]), house });
  const begun = await readBegun(house.adminUrl);
  expect(findFaults([report], begun)).toEqual([]);
  expect(report.job.decisions.map(({ decisionId }) => begun.get(decisionId)).map((found) => found && endOf(found))).toEqual([
    "decided",
    "decided",
    "stopped",
    "decided",
  ]);
});

it("gives every decision one end, whatever point its decider is killed at, 500 times", {
  timeout: minutesOfPatience * 60_000,
}, async () => {
  const jobs = planKills(20_260_302);
  const database = openDatabase({ url: house.sweepingUrl, role: "deciding", connections: 2 });
  const sweepErrors: unknown[] = [];
  const sweeper = createSweeper({ database, keys, everyMs: 1_000, onError: (thrown) => sweepErrors.push(thrown) });
  const reports = await runAll(jobs);
  await house.settle();
  await sweeper.stop();
  await database.close();

  const begun = await readBegun(house.adminUrl);
  console.log(summary(reports, begun));
  expect(findFaults(reports, begun)).toEqual([]);
  expect(await countStrays(house.adminUrl)).toEqual({ entries: 0, payloads: 0, spends: 0 });
  expect(sweepErrors).toEqual([]);
  expect(reports.filter(({ signal }) => signal === "SIGKILL")).toHaveLength(500);
  expect(Object.fromEntries(countedBy(reports.map(({ killedAt }) => killedAt)))).toEqual(
    Object.fromEntries([...killPoints].map(([point, { kills }]) => [point, kills])),
  );
  expect(await house.ledgerFaults()).toEqual([]);
});

it("tells a decider that was frozen for too long that its decisions were ended without it", async () => {
  const job = { ...quietJob(["lend", "answer", "answer", "lend"]), leaseMs: 300, pausesAt: "prepare_proposal" } as const;
  const frozen = job.decisions.map(({ decisionId }) => decisionId);
  const database = openDatabase({ url: house.sweepingUrl, role: "deciding", connections: 2 });
  const waiting = new Set<string>();
  const report = await runDecider({
    job,
    house,
    listener: (said, child) => {
      if (said.what !== "waiting" || waiting.add(said.decisionId).size < frozen.length) return;
      child.kill("SIGSTOP");
      const ended = new Set<string>();
      const sweep = async (): Promise<boolean> => {
        for (const id of await sweepIntents({ database, keys })) ended.add(id);
        return frozen.every((id) => ended.has(id));
      };
      void until(sweep).then(() => {
        child.stdin.write("go on\n");
        child.kill("SIGCONT");
      });
    },
  });
  await database.close();
  const begun = await readBegun(house.adminUrl);
  expect(findFaults([report], begun)).toEqual([]);
  const refused = report.said.filter((said) => said.what === "refused");
  expect(refused.map(({ decisionId, code }) => [decisionId, code]).sort()).toEqual(
    frozen.map((id) => [id, "decision_abandoned"]).sort(),
  );
  expect(frozen.map((id) => begun.get(id)).map((found) => found && endOf(found))).toEqual(frozen.map(() => "abandoned"));
  expect(await house.ledgerFaults()).toEqual([]);
});

function quietJob(deeds: readonly PlannedDecision["does"][]): Job {
  const decisions = deeds.map((does, place) =>
    planDecision({ tenant: place % 2 === 0 ? "acme" : "globex", does, modelTurns: place * 10 }),
  );
  return { decisions, leaseMs: 5_000, isWarm: false, kill: null, pausesAt: null };
}

async function runAll(jobs: readonly Job[]): Promise<readonly Report[]> {
  const waiting = [...jobs];
  const reports: Report[] = [];
  const lane = async (): Promise<void> => {
    for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) {
      const report = await runDecider({ job, house });
      reports.push(report);
      // One that was not killed where it should be is a fault; the rest would take minutes to say it again.
      if (report.killedAt !== report.job.kill?.point) waiting.length = 0;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return reports;
}

function summary(reports: readonly Report[], begun: Awaited<ReturnType<typeof readBegun>>): string {
  const byPoint = countedBy(reports.map(({ killedAt }) => killedAt));
  const outcomes = reports.flatMap(({ job }) => job.decisions).map(({ decisionId }) => begun.get(decisionId));
  const words = countedBy(outcomes.map((found) => (found === undefined ? "never begun" : endOf(found))));
  const list = (counts: ReadonlyMap<unknown, number>): string =>
    [...counts].map(([word, count]) => `${word} ${count}`).join(", ");
  return `${reports.length} kills (${list(byPoint)}); ${outcomes.length} decisions (${list(words)})`;
}

function countedBy<Word>(words: readonly Word[]): ReadonlyMap<Word, number> {
  const counts = new Map<Word, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}
