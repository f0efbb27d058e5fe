import { describe, expect, it } from "vitest";
import { checkReferenceTime, instantOf, localText, windowOf } from "./instant.ts";

const iso = (text: string, zone: string | null) => new Date(instantOf(text, zone)).toISOString();
const invalid = expect.objectContaining({ code: "reference_time_invalid" });

describe("a written date", () => {
  it.each([
    ["2026-06-01", "Europe/Berlin", "2026-05-31T22:00:00.000Z"],
    ["2026-06-01", "Asia/Tokyo", "2026-05-31T15:00:00.000Z"],
    ["2026-06-01", "UTC", "2026-06-01T00:00:00.000Z"],
    ["2026-06", "America/New_York", "2026-06-01T04:00:00.000Z"],
    ["2026", "America/New_York", "2026-01-01T05:00:00.000Z"],
    ["0044", "UTC", "0044-01-01T00:00:00.000Z"],
    ["1850-01-01", "Europe/Berlin", "1849-12-31T23:06:32.000Z"],
    ["2026-06-01T10:00", "Europe/Berlin", "2026-06-01T08:00:00.000Z"],
    ["2026-06-01T10:00:30.25", "Europe/Berlin", "2026-06-01T08:00:30.250Z"],
    ["1969-12-31T23:59:59.999", "UTC", "1969-12-31T23:59:59.999Z"],
    ["2026-06-01T10:00+05:30", "Europe/Berlin", "2026-06-01T04:30:00.000Z"],
    ["2026-06-01T10:00Z", null, "2026-06-01T10:00:00.000Z"],
    // The day begins at one o'clock, since the clocks skip midnight.
    ["2018-11-04", "America/Sao_Paulo", "2018-11-04T03:00:00.000Z"],
    // Midnight is shown once, an hour before it the clocks go back.
    ["2018-02-18", "America/Sao_Paulo", "2018-02-18T03:00:00.000Z"],
  ])("%s in %s begins at %s", (text, zone, instant) => {
    expect(iso(text, zone)).toBe(instant);
  });

  it("needs a zone, or an offset", () => {
    for (const text of ["2026", "2026-06-01", "2026-06-01T10:00"]) expect(() => instantOf(text, null)).toThrow(invalid);
  });

  it.each([
    ["a time that the clocks skip", "2026-03-29T02:30", "Europe/Berlin"],
    ["a time that the clocks show twice", "2026-10-25T02:30", "Europe/Berlin"],
    ["a day that the clocks skip", "2011-12-30", "Pacific/Apia"],
    ["a day that no calendar has", "2026-02-29", "UTC"],
    ["a month that no calendar has", "2026-13", "UTC"],
    ["the 24th hour", "2026-06-01T24:00", "UTC"],
    ["an offset that no clock has", "2026-06-01T10:00+23:00", "UTC"],
    ["the year 0", "0000-01-01", "UTC"],
    ["a day that begins before the year 1", "0001-01-01", "Europe/Berlin"],
    ["a day that ends after the year 9999", "9999-12-31", "America/New_York"],
    ["no date", "yesterday", "UTC"],
    ["a date in the wrong order", "01.06.2026", "UTC"],
    ["a text that only begins like one", "2026-06-01; drop table", "UTC"],
    ["no zone of this world", "2026-06-01", "Mars/Phobos"],
  ])("is refused: %s", (_, text, zone) => {
    expect(() => instantOf(text, zone)).toThrow(invalid);
  });

  it("names one of two equal wall times by its offset", () => {
    expect([iso("2026-10-25T02:30+02:00", null), iso("2026-10-25T02:30+01:00", null)]).toEqual([
      "2026-10-25T00:30:00.000Z",
      "2026-10-25T01:30:00.000Z",
    ]);
  });
});

describe("a window", () => {
  const hours = (from: string, to: string) => {
    const window = windowOf({ from, to, zone: "Europe/Berlin", toIsIncluded: true });
    return ((window.to ?? 0) - window.from) / 3_600_000;
  };

  it("ends where the year, month or day that is included ends", () => {
    const end = (to: string) => new Date(windowOf({ from: "1999", to, zone: "UTC", toIsIncluded: true }).to ?? 0).toISOString();
    expect(["2003", "2003-12", "2003-02", "2003-12-31"].map(end)).toEqual([
      "2004-01-01T00:00:00.000Z",
      "2004-01-01T00:00:00.000Z",
      "2003-03-01T00:00:00.000Z",
      "2004-01-01T00:00:00.000Z",
    ]);
  });

  it("is 23 or 25 hours of a day on which the clocks are put on or back", () => {
    expect([hours("2026-03-29", "2026-03-29"), hours("2026-10-25", "2026-10-25"), hours("2026-06-01", "2026-06-01")]).toEqual([
      23, 25, 24,
    ]);
  });

  it("ends before a day that is not included, and never where no end is written", () => {
    const zone = "UTC";
    expect(windowOf({ from: "2026-01-01", to: "2026-01-02", zone, toIsIncluded: false })).toEqual({
      from: Date.UTC(2026, 0, 1),
      to: Date.UTC(2026, 0, 2),
    });
    expect(windowOf({ from: "2026-01-01", to: null, zone, toIsIncluded: false }).to).toBeNull();
  });

  it("is refused where it holds no time", () => {
    for (const [from, to] of [
      ["2003", "1999"],
      ["2026-01-01", "2026-01-01"],
      ["2026-01-01T10:00Z", "2026-01-01T10:00Z"],
    ] as const)
      expect(() => windowOf({ from, to, zone: "UTC", toIsIncluded: false })).toThrow(invalid);
    expect(() => windowOf({ from: "2026", to: "2026-01-01T10:00Z", zone: "UTC", toIsIncluded: true })).toThrow(invalid);
  });
});

describe("a reference time", () => {
  const clock = Date.UTC(2026, 5, 1);

  it("may lie in the past, now, or some decades ahead", () => {
    for (const at of [clock, Date.UTC(1700, 0, 1), -1, 0, Date.UTC(2126, 0, 1)])
      expect(checkReferenceTime({ at, clock })).toBe(at);
  });

  it.each([undefined, null])("is missing: %s", (at) => {
    expect(() => checkReferenceTime({ at, clock })).toThrow(expect.objectContaining({ code: "reference_time_missing" }));
  });

  it.each([
    ...[Number.NaN, Number.POSITIVE_INFINITY, 1.5, "2026-06-01", new Date(clock), true, {}, 1n],
    // Microseconds for milliseconds; a hundred years and a day; before the year 1.
    ...[clock * 1000, Date.UTC(2126, 7, 1), -62_135_596_800_001],
  ])("is refused: %s", (at) => {
    expect(() => checkReferenceTime({ at, clock })).toThrow(invalid);
  });

  it("is refused where the clock is none", () => {
    expect(() => checkReferenceTime({ at: clock, clock: Number.NaN })).toThrow(invalid);
  });
});

describe("an instant in words", () => {
  it("is what the zone's clocks show, with the offset", () => {
    expect([
      localText(Date.UTC(2026, 5, 1), "Europe/Berlin"),
      localText(Date.UTC(2026, 0, 1), "America/New_York"),
      localText(Date.UTC(2026, 0, 1) + 5, "UTC"),
      localText(Date.UTC(1849, 11, 31, 23, 6, 32), "Europe/Berlin"),
      localText(-1, "UTC"),
    ]).toEqual([
      "2026-06-01T02:00:00+02:00",
      "2025-12-31T19:00:00-05:00",
      "2026-01-01T00:00:00Z",
      "1850-01-01T00:00:00+00:53:28",
      "1969-12-31T23:59:59Z",
    ]);
  });

  it("is read back as the same instant", () => {
    for (const at of [Date.UTC(2026, 9, 25, 0, 30), Date.UTC(2026, 9, 25, 1, 30), Date.UTC(1066, 9, 14)])
      expect(instantOf(localText(at, "Europe/Berlin").replace(/(\d\d:\d\d:\d\d)[+-]00:53:28$/, "$1"), "Europe/Berlin")).toBe(at);
  });
});
