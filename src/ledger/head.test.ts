import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { isCountersignError } from "../contract/errors.ts";
import type { ChainHead } from "../contract/ports.ts";
import { createHeadKeeper } from "./head.ts";

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "countersign-heads-"));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

function head(seq: number, tenant = "acme"): ChainHead {
  return { tenant, seq, hash: seq.toString(16).padStart(64, "0") };
}

/** A fault in the background fails the run. */
const onError = (thrown: unknown): never => {
  throw thrown;
};

/** A keeper whose clock stands still unless it is moved. */
function keeper() {
  const time = { ms: 10_000 };
  return { time, ...createHeadKeeper({ directory, onError, clock: { now: () => time.ms, monotonic: () => time.ms } }) };
}

describe("the head keeper", () => {
  test("knows nothing of a tenant before its first head, also without the folder", async () => {
    const { read } = createHeadKeeper({ directory: join(directory, "not-there"), onError });
    expect(await read("acme")).toBeNull();
  });

  test("has the first head on disk when keep has resolved, and another keeper reads it", async () => {
    await keeper().keep(head(3));
    expect(await keeper().read("acme")).toEqual(head(3));
  });

  test("writes at most once a second, and the last head at stop", async () => {
    const { keep, read, stop, time } = keeper();
    await keep(head(1));
    for (const seq of [2, 3, 4]) await keep(head(seq));
    expect(await read("acme")).toEqual(head(1));
    time.ms += 1_000;
    await keep(head(5));
    expect(await read("acme")).toEqual(head(5));
    await keep(head(6));
    await stop();
    expect(await read("acme")).toEqual(head(6));
    expect(await readdir(directory)).toHaveLength(1);
  });

  test("keeps a delayed head without a further call", async () => {
    const { keep, read, stop } = createHeadKeeper({ directory, onError, everyMs: 20 });
    await keep(head(1));
    await keep(head(2));
    await expect.poll(() => read("acme")).toEqual(head(2));
    await stop();
  });

  test("tells of a delayed write that failed, and makes up for it", async () => {
    const faults: unknown[] = [];
    const folder = join(directory, "heads");
    const { keep, read, stop } = createHeadKeeper({ directory: folder, everyMs: 400, onError: (thrown) => faults.push(thrown) });
    await keep(head(1));
    await rm(folder, { recursive: true });
    await writeFile(folder, "in the way");
    await keep(head(2));
    await expect.poll(() => faults, { timeout: 10_000 }).toMatchObject([{ code: "EEXIST" }]);
    await rm(folder);
    await stop();
    expect(await read("acme")).toEqual(head(2));
  });

  test.each([
    ["a lower seq", head(2)],
    ["another hash at the same seq", { ...head(3), hash: "f".repeat(64) }],
  ])("refuses %s, also after a restart", async (_, older) => {
    const { keep } = keeper();
    await keep(head(3));
    const isBroken = expect.toSatisfy((thrown: unknown) => isCountersignError(thrown, "ledger_broken"));
    await expect(keep(older)).rejects.toEqual(isBroken);
    await expect(keeper().keep(older)).rejects.toEqual(isBroken);
    expect(await keeper().read("acme")).toEqual(head(3));
  });

  test("is not turned back by a second process that is behind", async () => {
    const [first, second] = [keeper(), keeper()];
    await first.keep(head(1));
    await second.keep(head(2));
    await second.keep(head(4));
    await second.stop();
    // The first one does not know of 4 and writes 3 afterwards.
    await first.keep(head(3));
    await first.stop();
    expect(await keeper().read("acme")).toEqual(head(4));
  });

  test("keeps tenants apart whose names begin alike", async () => {
    const { keep, read } = keeper();
    await keep(head(5, "acme.eu"));
    await keep(head(2, "acme"));
    expect([await read("acme"), await read("acme.eu")]).toEqual([head(2, "acme"), head(5, "acme.eu")]);
  });

  test("refuses a file that is not a head", async () => {
    await keeper().keep(head(1));
    const [name = ""] = await readdir(directory);
    expect(await readFile(join(directory, name), "utf8")).toContain('"version":1');
    await writeFile(join(directory, name), "{");
    await expect(keeper().read("acme")).rejects.toThrow(/not readable/);
  });
});
