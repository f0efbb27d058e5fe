import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import project from "./project.ts";

/** Every package and file that can be reached from a file of this project, by its static imports. */
async function reachable(file: URL, seen = new Set<string>()): Promise<Set<string>> {
  if (seen.has(file.href)) return seen;
  seen.add(file.href);
  const text = await readFile(file, "utf8");
  for (const [, name = ""] of text.matchAll(/^(?:import|export)\b[^;]*?\bfrom "([^"]+)";/gms)) {
    if (name.startsWith(".")) await reachable(new URL(name, file), seen);
    else seen.add(name);
  }
  return seen;
}

const packagesOf = (names: Set<string>) => [...names].filter((name) => !name.startsWith("file:")).sort();

describe("the project", () => {
  it("is pure, and its hands are not", async () => {
    expect(packagesOf(await reachable(new URL("project.ts", import.meta.url)))).toEqual(["countersign", "zod"]);
    expect(packagesOf(await reachable(new URL("hands.ts", import.meta.url)))).toContain("pg");
  });

  it("has no model on any path", () => {
    expect(project.capabilities.map(({ deciding, judge }) => [deciding.kind, judge])).toEqual([
      ["rule", null],
      ["rule", null],
    ]);
    expect(project.intakeModel).toBeNull();
  });

  it("lets no adjustment pass alone, whatever its amount", () => {
    const adjustment = project.effects.find(({ name }) => name === "post_adjustment");
    const riskOf = (differenceMinor: number) => adjustment?.risk({ differenceMinor });
    expect([1, -1, 1_000_000, -1_000_001].map(riskOf)).toEqual(["medium", "medium", "medium", "high"]);
  });

  it.each([
    ["reconcile line 4 of norda-2026-11-27.csv", "reconcile_row"],
    ["what is wrong in pelican-2026-11-27.json?", "report_feed"],
    ["what is wrong?", undefined],
  ])("sorts `%s` by written rules alone: %s", (text, capability) => {
    expect(project.intake.find(({ matches }) => matches(text))?.capability).toBe(capability);
  });
});
