import { readFile } from "node:fs/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { feedsFolder } from "../sandbox/install.ts";
import { feedFaults, largestMinor } from "./feed-row.ts";
import { custodianOf, mappings, readFeed } from "./mappings.ts";
import { norda, readGermanAmount, readGermanDay } from "./norda.ts";
import { pelican, readIsoDay, readSided } from "./pelican.ts";

const minor = fc.integer({ min: -largestMinor, max: largestMinor }).filter((amount) => amount !== 0);
const day = fc
  .date({ min: new Date("1990-01-01"), max: new Date("2090-12-31"), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));

/** As Norda writes it. */
function german(amount: number): string {
  const digits = String(Math.abs(amount)).padStart(3, "0");
  const whole = digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, ".");
  return `${amount < 0 ? "-" : ""}${whole},${digits.slice(-2)}`;
}

const header = "Buchungstag;Referenz;Text;Betrag;Waehrung";

describe("the mapping of Norda", () => {
  it("reads back every amount and every day that Norda can write", () => {
    fc.assert(
      fc.property(minor, day, (amount, written) => {
        expect(readGermanAmount(german(amount))).toEqual({ value: amount });
        expect(readGermanDay(written.split("-").reverse().join("."))).toEqual({ value: written });
      }),
    );
  });

  it("reads of an amount what stands there or nothing: taking a sign away never gives another amount", () => {
    const loosely = fc.stringMatching(/^-?[0-9.,]{1,14}$/);
    fc.assert(
      fc.property(loosely, (written) => {
        const read = readGermanAmount(written);
        if (!("value" in read)) return;
        const [whole = "", cents = ""] = written.split(",");
        expect(cents).toMatch(/^\d{2}$/);
        expect(Math.abs(read.value)).toBe(Number(whole.replace(/[-.]/g, "")) * 100 + Number(cents));
        expect(read.value < 0).toBe(written.startsWith("-"));
      }),
    );
  });

  it.each(["15.500", "15,5", "1.55,00", "15500", "1,550.00", "+3,00", "3,00-", "0,00", "1e3,00", " 1,00 1,00", "٣,٠٠"])(
    "takes `%s` for a fault",
    (written) => {
      expect(readGermanAmount(written)).toHaveProperty("fault");
    },
  );

  it.each(["31.02.2026", "29.02.2025", "00.01.2026", "1.1.2026", "11/27/2026", "2026-11-27", "27.13.2026"])(
    "knows no day `%s`",
    (written) => {
      expect(readGermanDay(written)).toMatchObject({ fault: "date_impossible" });
    },
  );

  it("gives each line of whatever text one row, read or with a fault of the list, and never throws", () => {
    const cell = fc.oneof(
      fc.string({ maxLength: 12 }),
      fc.constantFrom('"', ";", '"";"', "27.11.2026", "NB-100", "1,00", "EUR", ""),
    );
    const line = fc.array(cell, { maxLength: 7 }).map((cells) => cells.join(";").replace(/[\r\n]/g, ""));
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 8 }), (lines) => {
        const rows = norda.read(`${[header, ...lines].join("\n")}\n`);
        expect(rows.map((row) => row.line)).toEqual(lines.map((_line, place) => place + 2));
        for (const row of rows) {
          expect(row.mapping).toBe(norda.version);
          if (row.kind === "faulty") expect(feedFaults).toContain(row.fault);
          else expect(Number.isSafeInteger(row.amountMinor)).toBe(true);
        }
      }),
    );
  });

  it("reads cells in quotation marks, a mark of byte order and line ends of both kinds", () => {
    const file = `\uFEFF${header}\r\n27.11.2026;NB-10001;"a; ""b""";-1,00;EUR\r\n`;
    expect(norda.read(file)).toMatchObject([{ kind: "mapped", text: 'a; "b"', amountMinor: -100 }]);
  });

  it("reads nothing of a file whose columns it does not know", () => {
    expect(norda.read("Datum;Betrag\n27.11.2026;1,00\n")).toMatchObject([{ kind: "faulty", line: 1, fault: "feed_unreadable" }]);
    expect(norda.read("")).toMatchObject([{ fault: "feed_unreadable" }]);
  });
});

describe("the mapping of Pelican", () => {
  it("reads back every amount on its side, and every day", () => {
    fc.assert(
      fc.property(minor, day, (amount, written) => {
        expect(readSided(Math.abs(amount), amount < 0 ? "debit" : "credit")).toEqual({ value: amount });
        expect(readIsoDay(written)).toEqual({ value: written });
      }),
    );
  });

  it.each<[unknown, unknown, string]>([
    ["15.500", "credit", "amount_not_whole"],
    [15.5, "credit", "amount_not_whole"],
    [1e300, "credit", "amount_too_large"],
    [2 ** 53, "credit", "amount_too_large"],
    [null, "credit", "amount_not_whole"],
    [0, "credit", "amount_zero"],
    [-100, "debit", "sign_contradicts"],
    [100, "left", "field_missing"],
  ])("takes the amount %j on side %j for a fault", (amount, side, fault) => {
    expect(readSided(amount, side)).toMatchObject({ fault });
  });

  it.each(["2026-02-31", "27.11.2026", "2026-11-27T00:00:00Z", 20_261_127, ""])("knows no day %j", (written) => {
    expect(readIsoDay(written)).toMatchObject({ fault: "date_impossible" });
  });

  it("gives each member of whatever list one row, and never throws", () => {
    const member = fc.oneof(
      fc.jsonValue(),
      fc.record({
        id: fc.constantFrom("PT-501", "", 5),
        bookedOn: fc.constantFrom("2026-11-27", "x"),
        amountMinor: fc.oneof(fc.integer(), fc.double(), fc.string()),
        side: fc.constantFrom("debit", "credit", "both"),
        currency: fc.constantFrom("GBP", "XXX"),
        text: fc.string(),
      }),
    );
    fc.assert(
      fc.property(fc.array(member, { maxLength: 6 }), (movements) => {
        const rows = pelican.read(JSON.stringify({ custodian: "pelican", movements }));
        expect(rows.map(({ line }) => line)).toEqual(movements.map((_one, place) => place + 1));
        for (const row of rows) if (row.kind === "faulty") expect(feedFaults).toContain(row.fault);
      }),
    );
  });

  it("reads nothing of what is no feed of its own", () => {
    for (const file of ["", "{", "[]", '{"custodian":"norda","movements":[]}', '{"custodian":"pelican"}']) {
      expect(pelican.read(file)).toMatchObject([{ kind: "faulty", fault: "feed_unreadable" }]);
    }
  });
});

describe("a feed", () => {
  const read = async (file: string) => {
    const custodian = custodianOf(file);
    if (custodian === null) throw new Error("no custodian");
    return readFeed(custodian, await readFile(`${feedsFolder}acme/${file}`, "utf8"));
  };

  it("names every line that cannot be taken as it stands", async () => {
    const named = async (file: string) =>
      (await read(file)).flatMap((row) => {
        if (row.kind === "faulty") return [`${row.line} ${row.fault}`];
        if (row.repeatsLine !== null) return [`${row.line} repeats ${row.repeatsLine}`];
        return row.sharesReference ? [`${row.line} shares ${row.reference}`] : [];
      });
    expect(await named("norda-2026-11-27.csv")).toEqual([
      ...[
        "7 amount_ambiguous",
        "8 field_missing",
        "9 shares NB-10008",
        "10 shares NB-10008",
        "12 repeats 11",
        "13 date_impossible",
      ],
      ...["16 columns_differ", "20 currency_unknown", "21 field_missing", "22 line_empty", "23 quote_open"],
    ]);
    expect(await named("pelican-2026-11-27.json")).toEqual([
      ...["4 amount_not_whole", "6 sign_contradicts", "8 date_impossible", "9 field_missing", "10 amount_not_whole"],
      ...["11 shares PT-511", "12 shares PT-511", "13 columns_differ"],
    ]);
  });

  it("carries the version of its mapping and the number of its lines on every row", async () => {
    for (const file of ["norda-2026-11-27.csv", "pelican-2026-11-27.json"]) {
      const rows = await read(file);
      const custodian = custodianOf(file) ?? "norda";
      for (const row of rows) expect(row).toMatchObject({ mapping: mappings[custodian].version, ofLines: rows.length });
    }
  });

  it.each(["../norda-2026-11-27.csv", "norda-2026-11-27.csv/..", "kestrel-2026-11-27.csv", "norda.csv"])(
    "has no name like `%s`",
    (file) => {
      expect(custodianOf(file)).toBeNull();
    },
  );
});
