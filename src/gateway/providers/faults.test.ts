import { describe, expect, it } from "vitest";
import { faultOfEvent, faultOfStatus, retryAfterOf } from "./faults.ts";

const day = 24 * 60 * 60 * 1000;
const now = Date.UTC(2026, 0, 1, 12);

function pauseOf(headers: Record<string, string | undefined>): number | null {
  return retryAfterOf(new Headers(Object.entries(headers).map(([name, value]) => [name, String(value)])), now);
}

describe("how long a provider wants to be left alone", () => {
  it.each([
    [{ "retry-after": "7" }, 7_000],
    [{ "retry-after": "0" }, 0],
    [{ "retry-after": "1.5" }, 1_500],
    [{ "retry-after": "Thu, 01 Jan 2026 12:00:09 GMT" }, 9_000],
    [{ "retry-after": "Thu, 01 Jan 2026 11:00:00 GMT" }, 0],
    [{ "retry-after-ms": "250", "retry-after": "7" }, 250],
    [{ "retry-after-ms": "12.2" }, 13],
    [{ "retry-after-ms": "soon", "retry-after": "7" }, 7_000],
    [{ "retry-after": "999999" }, day],
    [{ "retry-after": "1000000" }, day],
    [{ "retry-after": "1000000000000" }, day],
    [{ "retry-after-ms": "10000000000" }, day],
  ])("reads %j", (headers, ms) => {
    expect(pauseOf(headers)).toBe(ms);
  });

  it.each([
    [{}],
    [{ "retry-after": "soon" }],
    [{ "retry-after": "-1" }],
    [{ "retry-after": "1e12" }],
    [{ "retry-after": "1".repeat(16) }],
    [{ "retry-after": "" }],
    [{ "retry-after": "2026-01-01" }],
  ])("reads nothing from %j", (headers) => {
    expect(pauseOf(headers)).toBeNull();
  });
});

describe("the fault of a status", () => {
  const faultAt = (status: number, body = "") => faultOfStatus({ status, headers: new Headers(), body, now }).fault;

  it.each([
    [301, "refused_request"],
    [400, "refused_request"],
    [401, "refused_key"],
    [402, "refused_key"],
    [403, "refused_key"],
    [404, "refused_request"],
    [408, "timed_out"],
    [409, "overloaded"],
    [413, "refused_request"],
    [422, "refused_request"],
    [429, "rate_limited"],
    [500, "overloaded"],
    [503, "overloaded"],
    [529, "overloaded"],
    [600, "unusable"],
  ])("%i is %s", (status, fault) => {
    expect(faultAt(status)).toBe(fault);
  });

  it("is one of the key where the account has nothing left, which no waiting mends", () => {
    expect(faultAt(429, '{"error":{"message":"…","type":"insufficient_quota","code":"insufficient_quota"}}')).toBe("refused_key");
  });

  it("repeats nothing of the body", () => {
    const body = '{"error":{"message":"the key sk-canary is wrong","type":"sk_canary"}}';
    expect(JSON.stringify(faultOfStatus({ status: 401, headers: new Headers(), body, now }))).not.toContain("canary");
  });
});

describe("the fault of an error inside a stream", () => {
  it.each([
    [{ type: "error", error: { type: "overloaded_error", message: "…" } }, "overloaded"],
    [{ error: { code: "rate_limit_exceeded" } }, "rate_limited"],
    ['{"type":"error","error":{"type":"authentication_error"}}', "refused_key"],
    [{ error: { type: "invalid_request_error", code: "context_length_exceeded" } }, "refused_request"],
  ])("of %j is %s", (error, fault) => {
    expect(faultOfEvent(error)?.fault).toBe(fault);
  });

  it.each([[{ type: "error", message: "overloaded_error" }], [undefined], ["x"], [null]])("is not known of %j", (error) => {
    expect(faultOfEvent(error)).toBeNull();
  });

  it("is not known of what cannot be written as JSON", () => {
    const cycle: Record<string, unknown> = {};
    cycle["type"] = cycle;
    expect(faultOfEvent(cycle)).toBeNull();
  });
});
