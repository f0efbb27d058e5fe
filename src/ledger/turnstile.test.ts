import { expect, test } from "vitest";
import { createTurnstile } from "./turnstile.ts";

test("lets in as many as there is room for, the others in their order, and drops nobody", async () => {
  const { pass } = createTurnstile(2);
  const began: number[] = [];
  const ends: (() => void)[] = [];
  const all = [0, 1, 2, 3, 4].map((i) =>
    pass(async () => {
      began.push(i);
      await new Promise<void>((end) => void ends.push(end));
      if (i === 1) throw new Error("fails");
      return i;
    }),
  );
  const settled = Promise.allSettled(all);
  for (let done = 0; done < 5; done += 1) {
    await expect.poll(() => began.length).toBe(Math.min(5, done + 2));
    ends[done]?.();
  }
  expect(began).toEqual([0, 1, 2, 3, 4]);
  expect((await settled).map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled", "fulfilled", "fulfilled"]);
});
