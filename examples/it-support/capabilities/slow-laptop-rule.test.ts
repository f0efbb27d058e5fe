import { describe, expect, it } from "vitest";
import { readDocuments } from "../sandbox/documents.ts";
import { limitsOfSlowness, measuredCauses } from "./slow-laptop-rule.ts";

const fine = {
  device: "dev-1",
  disk_free_percent: 10,
  memory_used_percent: 90,
  is_throttled: false,
  battery_health_percent: 60,
};

describe("what makes a laptop slow", () => {
  it.each([
    [{}, []],
    [{ disk_free_percent: 9 }, ["disk_full"]],
    [{ memory_used_percent: 91 }, ["memory"]],
    [{ battery_health_percent: 59 }, ["battery"]],
    [{ is_throttled: true }, ["heat"]],
    [{ is_throttled: true, disk_free_percent: 0 }, ["disk_full", "heat"]],
  ])("of %j it sees %j", (own, causes) => {
    expect(measuredCauses({ ...fine, ...own })).toEqual(causes);
  });

  it("has the numbers of the document on slow computers", async () => {
    const document = (await readDocuments()).find(({ id }) => id === "slow-computers");
    const text = document?.passages.map((passage) => passage.text).join("\n") ?? "";
    const { diskFreeBelow, memoryUsedAbove, batteryHealthBelow } = limitsOfSlowness;
    expect(text).toContain(`less than ${diskFreeBelow} percent of free disk space`);
    expect(text).toContain(`more than ${memoryUsedAbove} percent of the memory`);
    expect(text).toContain(`less than ${batteryHealthBelow} percent of its capacity`);
  });
});
