import { expect, it } from "vitest";
import { createPauses } from "./pauses.ts";

it("leaves a decision alone for ever longer, up to two seconds, and no other", () => {
  let now = 1_000;
  const pauses = createPauses({ monotonic: () => now });
  const lengths: number[] = [];
  for (let round = 0; round < 7; round += 1) {
    pauses.pause("acme", "a");
    const from = now;
    while (pauses.of("acme").includes("a")) now += 50;
    lengths.push(now - from);
  }
  expect(lengths).toEqual([100, 200, 400, 800, 1_600, 2_000, 2_000]);
  expect(pauses.of("acme")).toEqual([]);
});

it("ends every pause of a tenant when something of it was completed, and begins anew", () => {
  let now = 1_000;
  const pauses = createPauses({ monotonic: () => now });
  pauses.pause("acme", "a");
  now += 150;
  pauses.pause("acme", "a");
  pauses.pause("acme", "b");
  pauses.pause("globex", "c");
  pauses.end("acme");
  expect(["acme", "globex"].map(pauses.of)).toEqual([[], ["c"]]);
  pauses.pause("acme", "a");
  now += 100;
  expect(pauses.of("acme")).toEqual([]);
});
