import { describe, expect, it } from "vitest";
import { createBuckets } from "./buckets.ts";

describe("token buckets", () => {
  it("give what is saved up at once, and then so many a second, each name for itself", () => {
    const time = { ms: 0 };
    const buckets = createBuckets({ perSecond: 2, burst: 3 }, () => time.ms);
    expect([1, 2, 3].map(() => buckets.take("a"))).toEqual([0, 0, 0]);
    expect(buckets.take("a")).toBe(500);
    expect(buckets.wait("a")).toBe(500);
    expect(buckets.wait("b")).toBe(0);
    time.ms = 500;
    expect(buckets.take("a")).toBe(0);
    expect(buckets.take("a")).toBe(500);
    time.ms = 60_000;
    expect([1, 2, 3].map(() => buckets.take("a"))).toEqual([0, 0, 0]);
    expect(buckets.take("a")).toBeGreaterThan(0);
  });

  it("are bounded in number, however many names come, and keep those that are in use", () => {
    const buckets = createBuckets({ perSecond: 0.001, burst: 1 }, () => 0);
    expect(buckets.take("steady")).toBe(0);
    for (let n = 0; n < 30_000; n += 1) {
      buckets.take(`once-${n}`);
      if (n % 5_000 === 0) expect(buckets.take("steady")).toBeGreaterThan(0);
    }
    // The earliest of those that came once are forgotten, the latest are not.
    expect(buckets.wait("once-0")).toBe(0);
    expect(buckets.wait("once-29999")).toBeGreaterThan(0);
    expect(buckets.wait("steady")).toBeGreaterThan(0);
  });
});
