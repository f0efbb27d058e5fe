import { describe, expect, test } from "vitest";
import { type LaneOptions, openLane } from "./group.ts";

interface Wire {
  readonly groups: (readonly string[])[];
  /** Answers the oldest group that is on the wire. */
  readonly commit: () => void;
  readonly fail: (thrown: unknown) => void;
}

function laneOver(options: Partial<LaneOptions<string, string>> = {}) {
  const groups: (readonly string[])[] = [];
  const open: { resolve: (answers: string[]) => void; reject: (thrown: unknown) => void; items: readonly string[] }[] = [];
  const lane = openLane<string, string>({
    write: (items) => {
      groups.push(items);
      return new Promise((resolve, reject) => void open.push({ resolve, reject, items }));
    },
    sizeOf: (item) => item.length,
    keyOf: (item) => item,
    isItemFault: (thrown) => thrown === "item",
    maxItems: 256,
    maxBytes: 1_000_000,
    maxGroups: 1,
    ...options,
  });
  const wire: Wire = {
    groups,
    commit: () => {
      const group = open.shift();
      group?.resolve(group.items.map((item) => `${item}!`));
    },
    fail: (thrown) => open.shift()?.reject(thrown),
  };
  return { lane, wire };
}

const turn = () => new Promise((next) => setImmediate(next));

describe("a lane", () => {
  test("sends a lone item at once, and what comes meanwhile as one group after it", async () => {
    const { lane, wire } = laneOver();
    const first = lane.submit("a");
    await turn();
    const rest = ["b", "c", "d"].map((item) => lane.submit(item));
    await turn();
    expect(wire.groups).toEqual([["a"]]);
    wire.commit();
    expect(await first).toBe("a!");
    await expect.poll(() => wire.groups).toEqual([["a"], ["b", "c", "d"]]);
    wire.commit();
    expect(await Promise.all(rest)).toEqual(["b!", "c!", "d!"]);
  });

  test("keeps within its limits of items and bytes, and in order", async () => {
    const { lane, wire } = laneOver({ maxItems: 3, maxBytes: 10, maxGroups: 9 });
    const all = ["1", "2", "3", "4444", "55555", "666666666666", "7"].map((item) => lane.submit(item));
    await turn();
    expect(wire.groups).toEqual([["1", "2", "3"], ["4444", "55555"], ["666666666666"], ["7"]]);
    for (const _ of wire.groups) wire.commit();
    expect(await Promise.all(all)).toHaveLength(7);
  });

  test("never puts two items of one key into one group", async () => {
    const { lane, wire } = laneOver();
    const all = ["a", "b", "a"].map((item) => lane.submit(item));
    await turn();
    expect(wire.groups).toEqual([["a", "b"]]);
    wire.commit();
    await Promise.all(all.slice(0, 2));
    await expect.poll(() => wire.groups[1]).toEqual(["a"]);
    wire.commit();
    await all[2];
  });

  test("writes each item alone when one of them was refused, so that only that one fails", async () => {
    const { lane, wire } = laneOver();
    const all = ["a", "bad", "c"].map((item) => lane.submit(item));
    const settled = Promise.allSettled(all);
    await turn();
    wire.fail("item");
    for (const item of ["a", "bad", "c"]) {
      await expect.poll(() => wire.groups.at(-1)).toEqual([item]);
      if (item === "bad") wire.fail("item");
      else wire.commit();
    }
    expect(await settled).toEqual([
      { status: "fulfilled", value: "a!" },
      { status: "rejected", reason: "item" },
      { status: "fulfilled", value: "c!" },
    ]);
  });

  test("fails the whole group, once, when the database is gone, and goes on with the next", async () => {
    const { lane, wire } = laneOver();
    const settled = Promise.allSettled(["a", "b"].map((item) => lane.submit(item)));
    await turn();
    wire.fail("gone");
    expect((await settled).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    const next = lane.submit("c");
    await expect.poll(() => wire.groups.at(-1)).toEqual(["c"]);
    wire.commit();
    expect(await next).toBe("c!");
  });

  test("is drained when the last group has been answered, and not before", async () => {
    const { lane, wire } = laneOver();
    const last = lane.submit("a");
    let isDrained = false;
    const drained = lane.drain().then(() => {
      isDrained = true;
    });
    await turn();
    expect(isDrained).toBe(false);
    wire.commit();
    await Promise.all([last, drained]);
    await lane.drain();
  });
});
