import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const times = new URL("../../src/server/desk/pages/times.ts", import.meta.url);
const code = `
  const { time } = await import(${JSON.stringify(times.href)});
  const at = Date.UTC(2026, 0, 31, 23, 30, 5);
  console.log(JSON.stringify([String(time(at, at + 1000)), String(time(at, at + 3_600_000))]));`;

it.each(["UTC", "Asia/Tokyo", "America/Los_Angeles"])(
  "times of pages are in UTC and say so, also on a server in %s",
  async (zone) => {
    const env = { ...process.env, TZ: zone };
    const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", code], { env });
    const title = 'datetime="2026-01-31T23:30:05.000Z" title="31 January 2026 at 23:30:05 UTC"';
    expect(JSON.parse(stdout)).toEqual([`<time ${title}>23:30:05 UTC</time>`, `<time ${title}>31 Jan 23:30:05 UTC</time>`]);
  },
);
