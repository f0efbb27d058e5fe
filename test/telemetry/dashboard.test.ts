import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { type Metric, type MetricName, metricList, promLabel, promName } from "../../src/telemetry/metric-list.ts";

const read = (path: string) => readFile(new URL(`../../${path}`, import.meta.url), "utf8");
const dashboard = z
  .object({
    panels: z.array(z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string(), legendFormat: z.string() })) })),
  })
  .parse(JSON.parse(await read("docs/dashboards/countersign.json")));
const page = await read("docs/telemetry.md");

const names = Object.keys(metricList) as MetricName[];
/** Every sample that `/metrics` may hold, with its labels. */
const samples = new Map<string, readonly string[]>(
  names.flatMap((name): [string, readonly string[]][] => {
    const { kind, labels }: Metric = metricList[name];
    const own = labels.map(promLabel);
    const prom = promName(name);
    if (kind !== "histogram") return [[prom, own]];
    return [
      [`${prom}_bucket`, [...own, "le"]],
      [`${prom}_count`, own],
      [`${prom}_sum`, own],
    ];
  }),
);

const samplePattern = /\b(?:countersign|gen_ai)_[a-z_]+\b/g;
const isLabel = (word: string) => [...samples.values()].some((labels) => labels.includes(word));

describe("the dashboard", () => {
  const targets = dashboard.panels.flatMap(({ title, targets: of }) => of.map((target) => ({ title, ...target })));

  it.each(targets)("$title: asks for figures and labels that exist: $expr", ({ expr, legendFormat }) => {
    const asked = (expr.match(samplePattern) ?? []).filter((word) => !isLabel(word));
    expect(asked.length).toBeGreaterThan(0);
    for (const sample of asked) expect([...samples.keys()]).toContain(sample);
    const has = new Set(asked.flatMap((sample) => samples.get(sample) ?? []));
    const grouped = [...expr.matchAll(/\b(?:by|ignoring) \(([^)]*)\)/g)].flatMap(([, list = ""]) => list.split(/,\s*/));
    const selected = [...expr.matchAll(/[{,]([a-z_]+)=~?"/g)].map(([, label = ""]) => label);
    const shown = [...legendFormat.matchAll(/\{\{([a-z_]+)\}\}/g)].map(([, label = ""]) => label);
    for (const label of [...grouped, ...selected, ...shown]) expect([...has]).toContain(label);
  });

  it("shows every figure that there is", () => {
    const asked = targets.flatMap(({ expr }) => expr.match(samplePattern) ?? []);
    for (const name of names) expect(asked.some((sample) => sample.startsWith(promName(name)))).toBe(true);
  });
});

it("docs/telemetry.md has a row for every figure, with its labels", () => {
  const rows = page.split("\n").filter((line) => line.startsWith("| `"));
  for (const name of names) {
    const row = rows.find((line) => line.includes(`\`${promName(name)}\``));
    expect(row, promName(name)).toBeDefined();
    const { labels }: Metric = metricList[name];
    for (const label of labels.filter((one) => !one.startsWith("gen_ai"))) expect(row).toContain(`\`${promLabel(label)}\``);
  }
});
