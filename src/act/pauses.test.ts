import { expect, it } from "vitest";
import { createPauses } from "./pauses.ts";

it("leaves a decision alone for ever longer, up to two seconds, and no other", () => {
  let now = 1_000;
  const pauses = createPauses({ monotonic: () => now });
  const lengths: number[] = [];
  for (let round = 0; round < 7; round += 1) {
    pauses.pause("a");
    const from = now;
    while (pauses.isPaused("a")) now += 50;
    lengths.push(now - from);
  }
  expect(lengths).toEqual([100, 200, 400, 800, 1_600, 2_000, 2_000]);
  expect(pauses.isPaused("b")).toBe(false);
});

it("ends every pause when something was completed, and begins anew", () => {
  let now = 1_000;
  const pauses = createPauses({ monotonic: () => now });
  pauses.pause("a");
  now += 150;
  pauses.pause("a");
  pauses.pause("b");
  pauses.end();
  expect([pauses.isPaused("a"), pauses.isPaused("b")]).toEqual([false, false]);
  pauses.pause("a");
  now += 100;
  expect(pauses.isPaused("a")).toBe(false);
});
