type Row = readonly [
  id: string,
  reference: string | null,
  bookedOn: string,
  amountMinor: number,
  currency: "EUR" | "GBP" | "JPY",
];

/** What the books hold at the start, by custodian. The feeds of the same days lie in `feeds/`. Everything is made up. */
export const movements: Readonly<Record<"norda" | "pelican", readonly Row[]>> = {
  norda: [
    ["mov-2001", "NB-10001", "2026-11-27", -1_550_000, "EUR"],
    ["mov-2002", "NB-10002", "2026-11-26", 125_050, "EUR"],
    // Booked by hand, without the custodian's reference.
    ["mov-2003", null, "2026-11-26", 32_000, "EUR"],
    ["mov-2004", "NB-10004", "2026-11-27", 10_000, "EUR"],
    ["mov-2005", "NB-10005", "2026-11-27", 200_000, "EUR"],
    ["mov-2006", "NB-10006", "2026-11-27", 1_550_000, "EUR"],
    ["mov-2008", "NB-10008", "2026-11-27", 5_000, "EUR"],
    ["mov-2009", "NB-10009", "2026-11-27", -74_000, "EUR"],
    // Two that cannot be told apart.
    ["mov-2012", null, "2026-11-27", 50_000, "EUR"],
    ["mov-2013", null, "2026-11-26", 50_000, "EUR"],
    ["mov-2014", "NB-10014", "2026-11-27", 9_800, "JPY"],
    ["mov-2015", "NB-10015", "2026-11-10", 41_000, "EUR"],
    ["mov-2016", "NB-10016", "2026-11-27", 30_000, "EUR"],
  ],
  pelican: [
    ["mov-3001", "PT-501", "2026-11-27", -1_550_000, "GBP"],
    ["mov-3002", "PT-502", "2026-11-27", 88_125, "GBP"],
    ["mov-3003", null, "2026-11-25", 4_200, "GBP"],
    ["mov-3004", "PT-504", "2026-11-27", 1_550_000, "GBP"],
    ["mov-3005", "PT-505", "2026-11-27", 7_000, "GBP"],
    ["mov-3006", "PT-506", "2026-11-27", -2_500, "GBP"],
    ["mov-3007", "PT-507", "2026-11-27", 60_000, "EUR"],
    // The same reference number as at the other custodian, and another movement.
    ["mov-3010", "NB-10001", "2026-11-27", -1_550_000, "EUR"],
  ],
};
