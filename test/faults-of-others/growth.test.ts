import { describe, expect, it } from "vitest";
import type { DecisionRecord } from "../../src/contract/decision.ts";
import { canonicalJson } from "../../src/contract/json.ts";
import { limits } from "../../src/contract/limits.ts";
import { fixedContext, testTime } from "../../src/testing/index.ts";
import { decide, steps, traceOf } from "../decide/loop-run.ts";
import { asks, workshop } from "../decide/loop-samples.ts";
import type { Scripted } from "../decide/scripted.ts";

// What a loop reads again and again must not pile up: neither in what is kept nor in what is sent.
const turns = 50;
const lampOf = (turn: number) => asks("lamps", { projector: `pr-${turn}` });

/** A workshop whose every lamp has this much to say. */
const workshopOf = (size: number) => {
  const row = { id: "pr-1", message: "x".repeat(size) };
  const lamps = [{ id: "lamps.ofProjector:pr-1", row, labels: { id: "system", message: "third" } as const, readAt: testTime }];
  return fixedContext({ ...workshop, records: { ...workshop.records, "lamps.ofProjector": lamps } });
};

async function looped(size: number, maxSteps: number): Promise<{ record: DecisionRecord; script: Scripted }> {
  const script = steps(...Array.from({ length: turns }, (_, turn) => lampOf(turn + 1)));
  const record = await decide(script, { looped: { maxSteps, caps }, deps: { context: workshopOf(size) } });
  return { record, script };
}

const caps = { ms: 60_000, tokens: 10_000_000, costMicros: 1_000_000 };
const keptBytes = ({ bodies }: DecisionRecord) => Buffer.byteLength(canonicalJson(bodies));
const sentBytes = ({ sent }: Scripted) => sent.map((request) => Buffer.byteLength(JSON.stringify(request)));

describe("tool results over many turns", () => {
  it("of 512 KB each are neither kept nor sent on, and the turns are capped", async () => {
    const { record, script } = await looped(512 * 1024, limits.loopSteps);
    expect(script.sent).toHaveLength(limits.loopSteps);
    const read = traceOf(record).filter(({ outcome }) => outcome !== "unread");
    expect(read.map(({ outcome, fault }) => [outcome, fault])).toEqual(read.map(() => ["failed", "too_large"]));
    expect(keptBytes(record)).toBeLessThan(64 * 1024);
    expect(Math.max(...sentBytes(script))).toBeLessThan(64 * 1024);
  });

  it("that are as large as they may be grow with the number of turns and no faster, in what is kept and in each prompt", async () => {
    const size = limits.observationText - 1_000;
    const runs: Awaited<ReturnType<typeof looped>>[] = [];
    for (const maxSteps of [2, 3, 4, 5, 6]) runs.push(await looped(size, maxSteps));
    // Each further turn keeps one observation more: what the turns before it read is not kept again with it.
    const kept = runs.map(({ record }) => keptBytes(record));
    for (const grown of differences(kept)) expect(grown).toBeLessThan(3 * size);
    const [last] = runs.slice(-1);
    const prompts = last === undefined ? [] : sentBytes(last.script);
    expect(prompts).toHaveLength(limits.loopSteps);
    for (const grown of differences(prompts)) {
      expect(grown).toBeGreaterThan(size);
      expect(grown).toBeLessThan(1.2 * size);
    }
    expect(Math.max(...kept)).toBeLessThan(limits.payloadBytes / 8);
  });

  it("cannot be asked for beyond the cap, whatever a capability says", async () => {
    await expect(looped(10, turns)).rejects.toMatchObject({ code: "definition_invalid" });
  });
});

function differences(values: readonly number[]): number[] {
  return values.slice(1).map((value, place) => value - (values[place] ?? 0));
}
