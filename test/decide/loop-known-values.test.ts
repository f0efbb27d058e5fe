import { expect, it } from "vitest";
import type { Model } from "../../src/contract/model.ts";
import type { KnownValue } from "../../src/contract/privacy.ts";
import { fixedContext } from "../../src/testing/index.ts";
import { decide, lamp, steps } from "./loop-run.ts";
import { burnt, ends, workshop } from "./loop-samples.ts";

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
