import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type FactHouse, openFactHouse } from "./fact-house.ts";

const utc = Date.UTC;
const day = 86_400_000;

let house: FactHouse;
beforeAll(async () => {
  house = await openFactHouse();
});
afterAll(() => house?.close());

/** Each test speaks of an employee of its own. */
const told = (subject: string, object: string, validFrom: string | number, validTo: string | number | null = null) => ({
  ...{ subject, object, validFrom, validTo },
});

describe("a window", () => {
  it("begins with its first instant and ends before its last", async () => {
    await house.write([told("w:1", "sales", utc(2024, 0, 1), utc(2025, 0, 1))]);
    const at = (ms: number) => house.objects({ subject: "w:1", at: ms });
    expect(await at(utc(2024, 0, 1) - 1)).toEqual([]);
    expect(await at(utc(2024, 0, 1))).toEqual(["sales"]);
    expect(await at(utc(2025, 0, 1) - 1)).toEqual(["sales"]);
    expect(await at(utc(2025, 0, 1))).toEqual([]);
  });

  it("without an end holds until further notice", async () => {
    await house.write([told("w:2", "sales", utc(2024, 0, 1))]);
    for (const at of [utc(2024, 0, 1), utc(2040, 0, 1), utc(2139, 0, 1)])
      expect(await house.objects({ subject: "w:2", at })).toEqual(["sales"]);
    const [fact] = await house.ask({ subject: "w:2", at: utc(2030, 0, 1) });
    expect(fact).toMatchObject({ validFrom: utc(2024, 0, 1), validTo: null, at: utc(2030, 0, 1) });
  });

  it("meets the next at one instant, at which the next holds alone", async () => {
    await house.write([told("w:3", "sales", utc(2024, 0, 1), utc(2025, 0, 1)), told("w:3", "stores", utc(2025, 0, 1))]);
    expect(await house.objects({ subject: "w:3", at: utc(2025, 0, 1) - 1 })).toEqual(["sales"]);
    const [fact, ...more] = await house.ask({ subject: "w:3", at: utc(2025, 0, 1) });
    expect([fact?.object, fact?.isInConflict, more]).toEqual(["stores", false, []]);
  });

  it("of one millisecond holds for that one, and one that holds no time is refused", async () => {
    await house.write([told("w:4", "sales", 1_000, 1_001)]);
    const found = await Promise.all([999, 1_000, 1_001].map((at) => house.objects({ subject: "w:4", at })));
    expect(found).toEqual([[], ["sales"], []]);
    for (const [from, to] of [
      [1_000, 1_000],
      [1_000, 999],
      ["2024-01-02", "2024-01-01"],
    ] as const)
      await expect(house.write([told("w:4", "stores", from, to)])).rejects.toMatchObject({ code: "reference_time_invalid" });
  });

  it("may lie before the epoch, in the first century, and end with the year 9999", async () => {
    await house.write([told("w:5", "legion", "0002-01-01", "0044-03-15"), told("w:5", "guild", "1066-10-14", "1450")]);
    const at = (ms: number) => house.objects({ subject: "w:5", at: ms });
    expect(await at(new Date("0002-06-01T00:00:00Z").getTime())).toEqual(["legion"]);
    expect(await at(utc(1066, 9, 13))).toEqual([]);
    expect(await at(utc(1449, 11, 31))).toEqual(["guild"]);
    expect(await at(utc(1450, 0, 2))).toEqual([]);
    await house.write([told("w:6", "ever", utc(2000, 0, 1), 253_402_300_800_000 - 1)]);
    expect(await house.objects({ subject: "w:6", at: clockAhead })).toEqual(["ever"]);
  });

  it("is kept to the millisecond, also where milliseconds no longer fit a fraction of seconds", async () => {
    const from = utc(2139, 5, 1, 10, 30, 15, 123);
    await house.write([told("w:7", "sales", from, from + 1)]);
    expect(await house.objects({ subject: "w:7", at: from })).toEqual(["sales"]);
    expect(await house.objects({ subject: "w:7", at: from + 1 })).toEqual([]);
  });
});

const clockAhead = utc(2139, 0, 1);

describe("several windows", () => {
  it("with a gap between leave the gap unknown, also where it is the same fact twice", async () => {
    await house.write([
      told("s:1", "sales", utc(2020, 0, 1), utc(2021, 0, 1)),
      told("s:1", "sales", utc(2023, 0, 1), utc(2024, 0, 1)),
    ]);
    const years = [2019, 2020, 2021, 2022, 2023, 2024];
    const found = await Promise.all(years.map((year) => house.objects({ subject: "s:1", at: utc(year, 5, 1) })));
    expect(found).toEqual([[], ["sales"], [], [], ["sales"], []]);
    // The other time is another fact, with a window of its own.
    const ids = await Promise.all(
      [2020, 2023].map(async (year) => (await house.ask({ subject: "s:1", at: utc(year, 5, 1) }))[0]?.id),
    );
    expect(new Set(ids).size).toBe(2);
  });

  it("that overlap are both found; of a predicate with one value that is a conflict, not a choice", async () => {
    await house.write([told("s:2", "sales", utc(2020, 0, 1), utc(2022, 0, 1)), told("s:2", "stores", utc(2021, 0, 1))]);
    const at = async (ms: number) =>
      (await house.ask({ subject: "s:2", at: ms })).map(({ object, isInConflict }) => [object, isInConflict]);
    expect(await at(utc(2020, 5, 1))).toEqual([["sales", false]]);
    expect(await at(utc(2021, 0, 1))).toEqual([
      ["stores", true],
      ["sales", true],
    ]);
    expect(await at(utc(2022, 0, 1))).toEqual([["stores", false]]);
  });

  it("that overlap with one value twice corroborate it", async () => {
    await house.write([told("s:3", "sales", utc(2020, 0, 1), utc(2022, 0, 1))]);
    await house.write([told("s:3", "sales", utc(2021, 0, 1))], { source: "payroll" });
    const facts = await house.ask({ subject: "s:3", at: utc(2021, 5, 1) });
    expect(facts.map(({ object, source, isInConflict }) => [object, source, isInConflict])).toEqual([
      ["sales", "payroll", false],
      ["sales", "hr", false],
    ]);
  });

  it("of a predicate with several values are true together", async () => {
    const uses = { predicate: "uses", validFrom: utc(2020, 0, 1), validTo: null };
    await house.write(["app:crm", "app:mail"].map((object) => ({ ...uses, subject: "s:4", object })));
    const facts = await house.ask({ subject: "s:4", at: utc(2021, 0, 1) });
    expect(facts.map(({ isInConflict }) => isInConflict)).toEqual([false, false]);
  });
});

describe("a later value", () => {
  it("does not apply before its time, and is said to exist", async () => {
    await house.write([told("l:1", "sales", utc(2020, 0, 1), utc(2022, 0, 1)), told("l:1", "stores", utc(2022, 0, 1))]);
    const before = await house.ask({ subject: "l:1", at: utc(2021, 0, 1) });
    expect(before.map(({ object, hasLater }) => [object, hasLater])).toEqual([["sales", true]]);
    const after = await house.ask({ subject: "l:1", at: utc(2023, 0, 1) });
    expect(after.map(({ object, hasLater }) => [object, hasLater])).toEqual([["stores", false]]);
  });

  it("that contradicts is found by time first, then by order: the newest value does not push out the asked one", async () => {
    const years = Array.from({ length: 30 }, (_, i) => told("l:2", `team-${i}`, utc(1990 + i, 0, 1), utc(1991 + i, 0, 1)));
    await house.write(years);
    expect(await house.objects({ subject: "l:2", at: utc(1990, 5, 1), limit: 1 })).toEqual(["team-0"]);
    expect(await house.objects({ subject: "l:2", at: utc(2019, 5, 1), limit: 1 })).toEqual(["team-29"]);
  });

  it("succeeds what held: from its start on it holds alone", async () => {
    await house.write([told("l:3", "sales", utc(2020, 0, 1))]);
    await house.succeed(told("l:3", "stores", utc(2022, 0, 1)));
    expect(await house.ask({ subject: "l:3", at: utc(2023, 0, 1) })).toMatchObject([{ object: "stores", isInConflict: false }]);
    expect(await house.ask({ subject: "l:3", at: utc(2021, 0, 1) })).toMatchObject([
      { object: "sales", validTo: utc(2022, 0, 1), hasLater: true },
    ]);
    // Said once more, nothing changes.
    await house.succeed(told("l:3", "stores", utc(2022, 0, 1)));
    expect(await house.objects({ subject: "l:3", at: utc(2023, 0, 1) })).toEqual(["stores"]);
  });

  it("takes the place of what begins at the same instant: of that nothing is known any more", async () => {
    const from = utc(2022, 0, 1);
    await house.write([told("l:6", "sales", utc(2020, 0, 1), from), told("l:6", "stores", from), told("l:6", "board", from)]);
    await house.succeed(told("l:6", "desk", from));
    const years = await Promise.all([2021, 2022, 2023].map((year) => house.ask({ subject: "l:6", at: utc(year, 0, 1) })));
    expect(years.map((facts) => facts.map(({ object, isInConflict }) => [object, isInConflict]))).toEqual([
      [["sales", false]],
      [["desk", false]],
      [["desk", false]],
    ]);
    // Another end of the same value is one too.
    await house.succeed(told("l:6", "desk", from, utc(2022, 6, 1)));
    expect(await house.objects({ subject: "l:6", at: utc(2023, 0, 1) })).toEqual([]);
  });

  it("stays where one is told backwards, which ends where it begins", async () => {
    await house.write([told("l:7", "sales", utc(2020, 0, 1), utc(2024, 0, 1)), told("l:7", "board", utc(2024, 0, 1))]);
    await house.succeed(told("l:7", "stores", utc(2022, 0, 1)));
    const found = async () =>
      (await Promise.all([2021, 2023, 2025].map((year) => house.ask({ subject: "l:7", at: utc(year, 0, 1) })))).map((facts) =>
        facts.map(({ object, validTo, isInConflict }) => [object, validTo, isInConflict]),
      );
    const expected = [[["sales", utc(2022, 0, 1), false]], [["stores", utc(2024, 0, 1), false]], [["board", null, false]]];
    expect(await found()).toEqual(expected);
    // All of it once more, in any order, changes nothing.
    for (const [object, year] of [
      ["board", 2024],
      ["sales", 2020],
      ["stores", 2022],
    ] as const)
      expect(await house.succeed(told("l:7", object, utc(year, 0, 1)))).toMatchObject({
        written: [],
        known: [expect.any(String)],
      });
    expect(await found()).toEqual(expected);
    // With an end of its own that reaches over the next one, it is not taken.
    await expect(house.succeed(told("l:7", "desk", utc(2023, 0, 1), utc(2025, 0, 1)))).rejects.toMatchObject({
      code: "bad_request",
    });
    await house.succeed(told("l:7", "desk", utc(2023, 0, 1), utc(2024, 0, 1)));
    expect(await house.objects({ subject: "l:7", at: utc(2023, 6, 1) })).toEqual(["desk"]);
  });

  it("succeeds nothing of a predicate with several values", async () => {
    const uses = { ...told("l:4", "app:crm", 0), predicate: "uses" };
    await expect(house.succeed(uses)).rejects.toMatchObject({ code: "definition_invalid" });
  });

  it("is only hinted at where it may be seen", async () => {
    await house.write([
      { ...told("l:5", "sales", utc(2020, 0, 1), utc(2022, 0, 1)) },
      { ...told("l:5", "board", utc(2022, 0, 1)), scopes: ["role:board"] },
    ]);
    const seen = async (scopes: string[]) => (await house.ask({ subject: "l:5", at: utc(2021, 0, 1), scopes }))[0]?.hasLater;
    expect([await seen(["tenant:all"]), await seen(["tenant:all", "role:board"])]).toEqual([false, true]);
  });
});

describe("dates of a source", () => {
  it("without a zone are read in the zone of the source, and instants are what they are", async () => {
    await house.write([told("z:1", "sales", "2026-06-01", "2026-07-01")]);
    await house.write([told("z:2", "sales", "2026-06-01", "2026-07-01")], { source: "payroll" });
    const [berlin] = await house.ask({ subject: "z:1", at: utc(2026, 5, 15) });
    const [newYork] = await house.ask({ subject: "z:2", at: utc(2026, 5, 15) });
    expect([berlin?.validFrom, berlin?.zone]).toEqual([utc(2026, 4, 31, 22), "Europe/Berlin"]);
    expect([newYork?.validFrom, newYork?.zone]).toEqual([utc(2026, 5, 1, 4), "America/New_York"]);
    // At this instant it is June in Berlin, and not yet in New York.
    const at = utc(2026, 5, 1);
    expect([await house.objects({ subject: "z:1", at }), await house.objects({ subject: "z:2", at })]).toEqual([["sales"], []]);
  });

  it("are days of 23 and 25 hours where the clocks are put on and back", async () => {
    await house.write([told("z:3", "spring", "2026-03-29", "2026-03-30"), told("z:3", "autumn", "2026-10-25", "2026-10-26")]);
    const spring = utc(2026, 2, 28, 23);
    const autumn = utc(2026, 9, 24, 22);
    const at = (ms: number) => house.objects({ subject: "z:3", at: ms });
    expect(await Promise.all([spring - 1, spring, spring + 23 * 3_600_000 - 1, spring + 23 * 3_600_000].map(at))).toEqual([
      [],
      ["spring"],
      ["spring"],
      [],
    ]);
    expect(await Promise.all([autumn - 1, autumn, autumn + 25 * 3_600_000 - 1, autumn + 25 * 3_600_000].map(at))).toEqual([
      [],
      ["autumn"],
      ["autumn"],
      [],
    ]);
  });

  it("that a source means to include hold to the end of the year, month or day", async () => {
    await house.write([{ ...told("z:4", "sales", "1999", "2003"), validToIsIncluded: true }]);
    const at = (ms: number) => house.objects({ subject: "z:4", at: ms });
    expect(await at(utc(2003, 11, 31, 22, 59))).toEqual(["sales"]);
    expect(await at(utc(2003, 11, 31, 23))).toEqual([]);
  });

  it.each(["2026-03-29T02:30", "2026-10-25T02:30", "2026-02-30", "soon", ""])(
    "are refused where they name no one instant: %s",
    async (date) => {
      await expect(house.write([told("z:5", "sales", date)])).rejects.toMatchObject({ code: "reference_time_invalid" });
      expect(await house.objects({ subject: "z:5", at: utc(2030, 0, 1) })).toEqual([]);
    },
  );

  it("may mix with instants", async () => {
    await house.write([
      told("z:6", "sales", utc(2026, 0, 1), "2026-06-01"),
      told("z:6", "stores", "2026-06-01", utc(2026 + 1, 0, 1) + day),
    ]);
    expect(await house.objects({ subject: "z:6", at: utc(2026, 4, 31, 22) - 1 })).toEqual(["sales"]);
    expect(await house.objects({ subject: "z:6", at: utc(2026, 4, 31, 22) })).toEqual(["stores"]);
  });
});

describe("the reference time", () => {
  it.each([undefined, null])("is never assumed: %s", async (at) => {
    await expect(house.ask({ at })).rejects.toMatchObject({ code: "reference_time_missing" });
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, "2026-06-01", 1.5, {}, new Date(0), utc(2026, 0, 1) * 1000, utc(2300, 0, 1)])(
    "is refused where it is none or absurdly far ahead: %s",
    async (at) => {
      await expect(house.ask({ at })).rejects.toMatchObject({ code: "reference_time_invalid" });
    },
  );
});
