import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";

const module = JSON.stringify(new URL("./process-life.ts", import.meta.url).href);
const errors = JSON.stringify(new URL("../contract/errors.ts", import.meta.url).href);
const slow = { timeout: 30_000 };

/** A real process that runs `source` after `before`; it would live on for as long as its timer does. */
function child(source: string, before = ""): ChildProcess {
  const whole = `${before}
    const { runProcess } = await import(${module});
    const { CountersignError } = await import(${errors});
    const timer = setInterval(() => {}, 1000);
    await runProcess(async () => { ${source} }).catch((thrown) => { process.exitCode = 2; });`;
  return spawn(process.execPath, ["--input-type=module", "--eval", whole], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
}

const opens = "return { url: 'http://x', close: async () => clearInterval(timer) };";

test("tells its parent its address, and ends with it", slow, async () => {
  const one = child(opens);
  expect((await once(one, "message"))[0]).toEqual({ ready: "http://x" });
  one.disconnect();
  expect(await once(one, "exit")).toEqual([0, null]);
});

test.each(["SIGTERM", "SIGINT"] as const)("closes on %s", slow, async (signal) => {
  const one = child(opens);
  await once(one, "message");
  one.kill(signal);
  expect(await once(one, "exit")).toEqual([0, null]);
});

test("ends when its parent went while it was still being loaded", slow, async () => {
  const one = child(opens, "while (process.connected) await new Promise((resolve) => setTimeout(resolve, 5));");
  one.disconnect();
  expect(await once(one, "exit")).toEqual([0, null]);
});

test("tells its parent the error that it could not start for, and ends although something was opened", slow, async () => {
  const one = child("throw new CountersignError('secret_missing', 'no X');");
  expect((await once(one, "message"))[0]).toEqual({ error: { code: "secret_missing", message: "no X" } });
  expect(await once(one, "exit")).toEqual([2, null]);
});

test("ends although it cannot close", slow, async () => {
  const one = child("return { url: null, close: () => new Promise(() => {}) };");
  await once(one, "message");
  one.kill("SIGTERM");
  expect(await once(one, "exit")).toEqual([1, null]);
});
