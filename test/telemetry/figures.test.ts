import { describe, expect, it } from "vitest";
import { createFigures } from "../../src/telemetry/figures.ts";
import { labelValues } from "../../src/telemetry/label-values.ts";
import { bucketsS, metricList } from "../../src/telemetry/metric-list.ts";

const values = labelValues({
  capabilities: ["replace_device"],
  sources: ['say "hello"\\now\nthen'],
  models: [{ provider: "local", id: "small-1" }],
});

describe("figures", () => {
  it("count a histogram's buckets from below, with sum and count", () => {
    const figures = createFigures(values);
    for (const seconds of [0.0005, 0.02, 0.02, 70]) figures.observe("countersign.node.duration", { node: "entry" }, seconds);
    const lines = figures.text().split("\n");
    const of = (bound: string) =>
      lines.find((line) => line.startsWith(`countersign_node_duration_seconds_bucket{node="entry",stop="",le="${bound}"}`));
    expect(of("0.001")).toMatch(/ 1$/);
    expect(of("0.01")).toMatch(/ 1$/);
    expect(of("0.025")).toMatch(/ 3$/);
    expect(of("60")).toMatch(/ 3$/);
    expect(of("+Inf")).toMatch(/ 4$/);
    expect(lines).toContain('countersign_node_duration_seconds_count{node="entry",stop=""} 4');
    expect(lines).toContain('countersign_node_duration_seconds_sum{node="entry",stop=""} 70.0405');
    expect(lines.filter((line) => line.startsWith("# TYPE countersign_node"))).toEqual([
      "# TYPE countersign_node_duration_seconds histogram",
    ]);
  });

  it("put `other` for whatever is of no list, however much comes, so that the number of series is bounded", () => {
    const figures = createFigures(values);
    for (let place = 0; place < 5_000; place += 1)
      figures.add("countersign.spend", { capability: `ada-lovelace-${place}@example.com` }, 2);
    figures.add("countersign.spend", { capability: "replace_device" }, 3);
    expect(figures.text()).not.toContain("ada");
    const lines = figures
      .text()
      .split("\n")
      .filter((line) => line.startsWith("countersign_spend"));
    expect(lines).toEqual([
      'countersign_spend_micros_total{capability="other"} 10000',
      'countersign_spend_micros_total{capability="replace_device"} 3',
    ]);
  });

  it("drop what is no number or runs backwards, and escape what a name may hold", () => {
    const figures = createFigures(values);
    figures.add("countersign.spend", { capability: "replace_device" }, Number.NaN);
    figures.add("countersign.spend", { capability: "replace_device" }, -5);
    figures.observe("countersign.node.duration", { node: "entry" }, Number.POSITIVE_INFINITY);
    expect(figures.text()).not.toMatch(/NaN|-5|_count.*[1-9]/);
    figures.put("countersign.index.lag", [{ labels: { source: 'say "hello"\\now\nthen' }, value: 3 }]);
    expect(figures.text()).toContain('countersign_index_lag_seconds{source="say \\"hello\\"\\\\now\\nthen"} 3');
    figures.put("countersign.index.lag", []);
    expect(figures.gauge("countersign.index.lag")).toEqual([]);
  });

  it("have a list of values for each label, and bounds that rise", () => {
    const labels = Object.values(metricList).flatMap((one) => [...one.labels]);
    expect(Object.keys(values)).toEqual(expect.arrayContaining(labels));
    expect([...bucketsS].sort((a, b) => a - b)).toEqual([...bucketsS]);
  });
});
