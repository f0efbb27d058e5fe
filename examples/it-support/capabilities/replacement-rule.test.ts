import { describe, expect, it } from "vitest";
import { readDocuments } from "../sandbox/documents.ts";
import { allowReplacement, type DeviceRow, monthsBetween, wornOutMonths } from "./replacement-rule.ts";

const at = Date.parse("2026-11-30T12:00:00Z");
const mouse: DeviceRow = {
  id: "dev-1",
  asset_tag: "MS-0001",
  category: "mouse",
  model: "Pinto M1",
  bought_on: "2026-10-01",
  state: "in_use",
  depot: "city",
  replacements: 0,
  replacement_model: "Pinto M2",
};
const laptop: DeviceRow = { ...mouse, category: "laptop" };
const endsOn = (day: string) => ({ device: "dev-1", provider: "p", ends_on: day });

describe("the rule of replacement", () => {
  it("replaces a defective accessory at any age", () => {
    expect(allowReplacement({ device: mouse, reason: "defective", warranty: null, at })).toMatchObject({ allowed: true });
  });

  it.each(Object.entries(wornOutMonths))("replaces a worn-out %s from month %i on, and not a day before", (category, months) => {
    const at = Date.parse("2026-11-15T12:00:00Z");
    const device = { ...mouse, category: category as keyof typeof wornOutMonths }; // a key of the table
    const bought = new Date(Date.UTC(2026, 10 - months, 15)).toISOString().slice(0, 10);
    const dayLater = new Date(Date.UTC(2026, 10 - months, 16)).toISOString().slice(0, 10);
    expect(allowReplacement({ device: { ...device, bought_on: bought }, reason: "worn_out", warranty: null, at }).rule).toBe(
      "old_enough",
    );
    expect(allowReplacement({ device: { ...device, bought_on: dayLater }, reason: "worn_out", warranty: null, at }).rule).toBe(
      "too_young",
    );
  });

  it("repairs a defective laptop up to the last day of its warranty, and replaces it afterwards", () => {
    const rule = (day: string) => allowReplacement({ device: laptop, reason: "defective", warranty: endsOn(day), at }).rule;
    expect(rule("2026-11-30")).toBe("under_warranty");
    expect(rule("2026-11-29")).toBe("after_warranty");
    expect(allowReplacement({ device: laptop, reason: "defective", warranty: null, at }).rule).toBe("no_warranty");
  });

  it("sends a lost laptop to the security desk and treats a lost accessory by its age", () => {
    expect(allowReplacement({ device: laptop, reason: "lost", warranty: null, at }).rule).toBe("lost_device");
    expect(allowReplacement({ device: mouse, reason: "lost", warranty: null, at }).rule).toBe("too_young");
    expect(allowReplacement({ device: { ...mouse, bought_on: "2020-01-01" }, reason: "lost", warranty: null, at }).allowed).toBe(
      true,
    );
  });

  it.each(["in_repair", "replacement_ordered", "retired"])("refuses a device that is %s", (state) => {
    expect(allowReplacement({ device: { ...mouse, state }, reason: "defective", warranty: null, at }).rule).toBe("not_in_use");
  });

  it.each([
    ["2026-10-31", "2026-11-30", 1],
    ["2026-10-30", "2026-11-30", 1],
    ["2026-11-01", "2026-11-30", 0],
    ["2024-02-29", "2025-02-28", 12],
    ["2024-02-29", "2025-02-27", 11],
    ["2025-12-15", "2026-01-14", 0],
  ])("counts the months from %s to %s as %i", (day, now, months) => {
    expect(monthsBetween(day, Date.parse(`${now}T00:00:00Z`))).toBe(months);
  });

  it("uses the ages that the device policy in force states", async () => {
    const policy = (await readDocuments()).find(({ id, status }) => id === "device-policy" && status === "current");
    const text = policy?.passages.map((passage) => passage.text).join(" ") ?? "";
    const stated = (pattern: RegExp) => Number(pattern.exec(text)?.[1]);
    const accessory = stated(/worn out is replaced once it is (\d+) months old\. A lost one/);
    expect(wornOutMonths).toEqual({
      mouse: accessory,
      keyboard: accessory,
      headset: accessory,
      laptop: stated(/A laptop that is worn out is replaced once it is (\d+) months/),
      phone: stated(/a phone once it is (\d+) months/),
      monitor: stated(/a monitor once it is (\d+) months/),
    });
  });
});
