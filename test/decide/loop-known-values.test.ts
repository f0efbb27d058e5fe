import { expect, it } from "vitest";
import type { Model } from "../../src/contract/model.ts";
import type { KnownValue } from "../../src/contract/privacy.ts";
import { fixedContext, proposeForTest, testPrincipal } from "../../src/testing/index.ts";
import { decide, inputs, lamp, steps, traceOf } from "./loop-run.ts";
import { burnt, ends, findFault, workshop } from "./loop-samples.ts";

it("tells the boundary from the next request on whose rows a loop has read", async () => {
  const row = { id: "pr-1", state: "burnt", customer_name: "Szilvia Brandthaler", owner: { phone: "0048 7731 59" }, note: "x" };
  const [lamps] = workshop.records?.["lamps.ofProjector"] ?? [];
  if (lamps === undefined) throw new Error("the sample has lamps");
  const context = fixedContext({ ...workshop, records: { ...workshop.records, "lamps.ofProjector": [{ ...lamps, row }] } });
  const script = steps(lamp, ends(burnt));
  const known: (readonly KnownValue[])[] = [];
  const model: Model = {
    call: (request) => {
      known.push(request.known?.values ?? []);
      return script.model.call(request);
    },
  };
  expect((await decide(script, { deps: { context, model } })).kind).toBe("decided");
  expect(known).toHaveLength(2);
  expect(known[0]).toEqual([]);
  expect(known[1]).toEqual([
    { value: "Szilvia Brandthaler", class: "person" },
    { value: "0048 7731 59", class: "phone" },
  ]);
});

it("refuses a read that brings more people than a decision remembers, and shows the model nothing of it", async () => {
  const names = Array.from({ length: 1_001 }, (_, place) => `Szilvia Brandthaler ${place}`);
  const row = { id: "pr-1", state: "burnt", owners: { customer_name: names } };
  const [lamps] = workshop.records?.["lamps.ofProjector"] ?? [];
  if (lamps === undefined) throw new Error("the sample has lamps");
  const context = fixedContext({ ...workshop, records: { ...workshop.records, "lamps.ofProjector": [{ ...lamps, row }] } });
  const script = steps(lamp, ends(burnt));
  const asked: string[] = [];
  const model: Model = {
    call: (request) => {
      asked.push(JSON.stringify(request.prompt));
      return script.model.call(request);
    },
  };
  const record = await decide(script, { deps: { context, model } });
  expect(traceOf(record)[0]).toMatchObject({ tool: "lamps", outcome: "failed", fault: "record_unavailable", found: [] });
  expect(asked).toHaveLength(2);
  expect(asked.join()).not.toContain("Szilvia");
});

it("stops a decision before it begins where the account alone holds more", async () => {
  const many = { mail: Array.from({ length: 1_001 }, (_, place) => `ada${place}@moll.example`) };
  const script = steps(lamp, ends(burnt));
  const request = { principal: { ...testPrincipal, attributes: many } };
  const record = await proposeForTest({ capability: findFault({}, {}), inputs, request, deps: { model: script.model } });
  expect(record).toMatchObject({ kind: "stopped", stop: { reason: "record_unavailable", node: "entry" }, calls: [] });
});
