import { spawn } from "node:child_process";
import { afterEach, describe, expect, test } from "vitest";
import type { CountersignError } from "../contract/errors.ts";
import { type Kept, keepAlive, type Patience } from "./keep-alive.ts";

const patience: Patience = {
  readyWithinMs: 10_000,
  stopWithinMs: 5_000,
  firstPauseMs: 20,
  longestPauseMs: 60,
  steadyMs: 60_000,
  mostInARow: 5,
};
const works = "process.send({ ready: null }); setInterval(() => {}, 1000); process.on('disconnect', () => process.exit())";
const dies = "process.exit(3)";

/** Real processes: each launch runs the next program, the last one again and again. */
function programs(...sources: readonly string[]) {
  let launches = 0;
  const launch = () => {
    const source = sources[Math.min(launches, sources.length - 1)] ?? "";
    launches += 1;
    return spawn(process.execPath, ["--eval", source], { stdio: ["ignore", "ignore", "ignore", "ipc"] });
  };
  return { launch, launches: () => launches };
}

const kept: Kept[] = [];
afterEach(() => Promise.all(kept.splice(0).map((one) => one.stop())));

/** Keeps programs alive; `givenUp` resolves with the error when they are given up, `said` is what was said. */
async function keep(launch: () => ReturnType<typeof spawn>, own: Partial<Patience> = {}) {
  const said: string[] = [];
  let giveUp: (error: CountersignError) => void = () => {};
  const givenUp = new Promise<CountersignError>((resolve) => {
    giveUp = resolve;
  });
  const say = (line: string) => void said.push(line);
  const one = await keepAlive({ name: "p", launch, patience: { ...patience, ...own }, say, onPid: () => {}, onGivenUp: giveUp });
  kept.push(one);
  return { one, said, givenUp };
}

function kill(one: Kept): void {
  const pid = one.pid();
  if (pid === undefined) throw new Error("it does not run");
  process.kill(pid, "SIGKILL");
}

describe("a process that is kept alive", () => {
  test("is started again when it is killed", async () => {
    const { launch, launches } = programs(works);
    const { one, said } = await keep(launch);
    const first = one.pid();
    kill(one);
    await expect
      .poll(() => said, { timeout: 10_000 })
      .toEqual(["`p` ended with SIGKILL; starting it again (1 of 5)", "`p` works again"]);
    expect(one.pid()).not.toBe(first);
    expect(launches()).toBe(2);
  });

  test("is given up when it dies at once again and again, with growing pauses in between", async () => {
    const { launch, launches } = programs(works, dies);
    const { one, said, givenUp } = await keep(launch);
    kill(one);
    const error = await givenUp;
    expect(error).toMatchObject({
      code: "service_unavailable",
      message: expect.stringContaining("`p` ended with 3, 6 times in a row"),
    });
    expect(launches()).toBe(6);
    const pauses = said.flatMap((line) => /starting it again(?: in (\d+) ms)? \(/.exec(line)?.slice(1) ?? []);
    expect(pauses).toEqual([undefined, "20", "40", "60", "60"]);
  });

  test("counts anew once it has lived for a while", async () => {
    const { launch, launches } = programs(works);
    const { one, said } = await keep(launch, { steadyMs: 0, mostInARow: 1 });
    for (const times of [2, 3, 4]) {
      kill(one);
      await expect.poll(() => said.filter((line) => line.endsWith("works again")).length, { timeout: 10_000 }).toBe(times - 1);
      expect(launches()).toBe(times);
    }
  });

  test("is killed and counted when it hangs before it is ready", async () => {
    const { launch } = programs(works, "setInterval(() => {}, 1000)");
    const { one, givenUp } = await keep(launch, { readyWithinMs: 2_000, mostInARow: 1 });
    kill(one);
    expect((await givenUp).message).toContain("SIGKILL");
  });

  test("is not started again while it is being stopped", async () => {
    const { launch, launches } = programs(works);
    const { one } = await keep(launch);
    await one.stop();
    expect(launches()).toBe(1);
  });

  test("tells its own error when it cannot start, and an error of ours when it only ends", async () => {
    const told = "process.send({ error: { code: 'secret_missing', message: 'no X' } }); setInterval(() => {}, 1000)";
    await expect(keep(programs(told).launch)).rejects.toMatchObject({ code: "secret_missing", message: "no X" });
    await expect(keep(programs(dies).launch)).rejects.toMatchObject({ code: "service_unavailable" });
    await expect(keep(programs("process.send({ error: { code: 'toString', message: '' } })").launch)).rejects.toMatchObject({
      code: "service_unavailable",
    });
  });
});
