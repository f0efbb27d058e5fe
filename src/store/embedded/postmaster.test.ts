import { expect, it } from "vitest";
import { parsePostmasterFile } from "./postmaster.ts";

const whole = "4080\n/data\n1780099200\n5433\n\n127.0.0.1\n   123456         3\nready   \n";

it("reads pid, port and readiness of a running server", () => {
  expect(parsePostmasterFile(whole)).toEqual({ pid: 4080, port: 5433, isReady: true });
});

it.each(["starting", "stopping", "standby "])("does not call a server ready that is %s", (state) => {
  expect(parsePostmasterFile(whole.replace("ready   ", state))).toEqual({ pid: 4080, port: 5433, isReady: false });
});

it("takes every beginning of the file for a server that is not ready yet, or for none", () => {
  for (let length = 0; length < whole.indexOf("ready"); length += 1) {
    expect(parsePostmasterFile(whole.slice(0, length)).isReady).toBe(false);
  }
  expect(parsePostmasterFile("")).toEqual({ pid: undefined, port: undefined, isReady: false });
});

it.each(["-5\n", "0\n", "no number\n"])("finds no server in %j", (text) => {
  expect(parsePostmasterFile(text).pid).toBe(undefined);
});
