import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { CountersignError } from "../contract/errors.ts";
import { backgroundLog, logFault } from "./log-fault.ts";

let lines: string[];
beforeEach(() => {
  lines = [];
  vi.spyOn(console, "error").mockImplementation((line: string) => void lines.push(line));
});
afterEach(() => vi.restoreAllMocks());

const said = () => lines.map((line) => JSON.parse(line));
const secret = "Jane Doe, DE89 3704 0044";

/** Errors whose words quote what somebody sent. */
const quoting: readonly [string, () => unknown][] = [
  ["JSON.parse", () => thrownBy(() => JSON.parse(`${secret} {`))],
  ["a number of a row", () => Object.assign(new Error(`invalid input syntax: "${secret}"`), { code: "22P02", detail: secret })],
  ["a message that looks like a stack", () => new Error(`x\n    at ${secret} (/a.ts:1:1)\n    at /a/${"b"}.ts:1:1 ${secret}`)],
  ["a cause", () => new CountersignError("internal", "a fault", { cause: new Error(secret) })],
  ["a name", () => Object.assign(new Error("x"), { name: secret })],
  ["a code", () => Object.assign(new Error("x"), { code: secret })],
  ["a text that was thrown", () => secret],
];

describe("the log of faults", () => {
  test.each(quoting)("never holds what %s quotes, of a request or in the background", (_what, make) => {
    logFault({ id: "f-1", path: "/v1/asks", cause: make() });
    backgroundLog("work")(make());
    expect(lines).toHaveLength(2);
    expect(lines.join("\n")).not.toContain("Jane");
    expect(lines.join("\n")).not.toContain("a.ts:1:1");
  });

  test("holds the name, the code and the place of any other error", () => {
    const [, [, row]] = quoting as [unknown, [string, () => unknown]]; // the list above has it second
    logFault({ id: "f-1", path: "/v1/asks", cause: row() });
    expect(said()).toMatchObject([
      { level: "error", id: "f-1", path: "/v1/asks", name: "Error", code: "22P02", at: expect.any(String) },
    ]);
    expect(said()[0].frames[0]).toMatch(/log-fault\.test\.ts:\d+:\d+/);
  });

  test("holds the words of an error of ours", () => {
    backgroundLog("work")(new CountersignError("ledger_broken", "the last sealed entry of `acme` is gone"));
    expect(said()).toMatchObject([
      { background: "work", times: 1, code: "ledger_broken", message: "the last sealed entry of `acme` is gone" },
    ]);
  });
});

describe("the log of what runs in the background", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test("says a fault at once, and the same again once a minute with how often it came", () => {
    const log = backgroundLog("work");
    const again = () => {
      for (let i = 0; i < 240; i += 1) log(fault());
    };
    again();
    expect(said().map(({ times }) => times)).toEqual([1]);
    vi.advanceTimersByTime(60_000);
    expect(said().map(({ times }) => times)).toEqual([1, 239]);
    again();
    vi.advanceTimersByTime(60_000);
    expect(said().map(({ times }) => times)).toEqual([1, 239, 240]);
    vi.advanceTimersByTime(600_000);
    log(fault());
    expect(said().map(({ times }) => times)).toEqual([1, 239, 240, 1]);
  });

  test("says another fault at once too, and does not grow with faults that never repeat", () => {
    const log = backgroundLog("work");
    log(fault());
    log(new CountersignError("ledger_broken", "another"));
    expect(lines).toHaveLength(2);
    for (let i = 0; i < 5_000; i += 1) log(new CountersignError("internal", `fault ${i}`));
    expect(lines.length).toBeLessThan(300);
    expect(vi.getTimerCount()).toBeLessThan(300);
  });
});

function fault(): CountersignError {
  return new CountersignError("database_unavailable", "the database cannot be reached");
}

function thrownBy(work: () => unknown): unknown {
  try {
    return work();
  } catch (thrown) {
    return thrown;
  }
}
