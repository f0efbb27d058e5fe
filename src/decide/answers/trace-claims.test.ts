import { describe, expect, it } from "vitest";
import type { ContextItem, RecordRow } from "../../contract/context.ts";
import type { Passage } from "../../contract/found-passages.ts";
import { traceClaims } from "./trace-claims.ts";

const passage: Passage = {
  ...{
    kind: "passage",
    id: "p-1",
    need: "policy",
    document: "policy",
    title: "Device policy",
    version: "3.1",
    section: "Replacement",
  },
  text:
    "A laptop is replaced after 3 years or 36 months, from 1 March 2026 on. The help desk in Leipzig is open from 07:00 to 17:30. " +
    "A fee of $ 1,250.50 is due within 30 days, or 2.5 percent of 4 million euros. Anna Berg approves; the VPN gateway is vpn-gw-02. " +
    "Write to desk@example.com. Two keys are handed out.",
  score: 0.9,
};
const record: RecordRow = {
  ...{ kind: "record", id: "r-1", need: "order", query: "orders.byId", readAt: 0 },
  row: { id: "ord-1015", status: "shipped", total: 4599, currency: "EUR", promised_on: "2026-03-04", pin: "9911" },
  labels: { id: "system", status: "system", total: "system", currency: "system", promised_on: "system", pin: "secret" },
  units: { total: { unit: { field: "currency" }, minor: true } },
};
const other: Passage = { ...passage, id: "p-2", text: "The office in Berlin opens at 09:00 and has 12 desks, after 5 years." };
const amounts: Passage = {
  ...{ ...passage, id: "p-3", title: "Amounts", version: "A" },
  text: "The fee is R$ 500, the debt 5 trillion dollars, the fund of 12 lakh, and a card is 20 dollars.",
};

describe("a claim that its source bears out", () => {
  it.each([
    "A laptop is replaced after three years.",
    "Replacement is possible once 36 months have passed.",
    "This holds from 2026-03-01 on.",
    "This holds since March 2026.",
    "It began on March 1, 2026, and on 01.03.2026 it was in force.",
    "In 2026 it changed.",
    "The desk opens at 7 am and closes at 5:30 p.m.",
    "The fee is $1250.50, due within thirty days.",
    "The fee is 1,250.5 USD.",
    "It is 2.5% of 4,000,000 EUR.",
    "The help desk is in Leipzig.",
    "Anna Berg approves it over the VPN.",
    "Connect to VPN-GW-02.",
    "Write to desk@example.com.",
    "2 keys are handed out.",
    "Employees may ask for it.",
    "Device Policy 3.1 says so.",
  ])("stays: %s", (text) => {
    expect(kindOf({ text, source: "p-1" })).toBe("claim");
  });

  it.each([
    "The total is 45.99 EUR.",
    "The total of ord-1015 is €45.99.",
    "It is promised for 4 March 2026.",
    "The order {{order.id}} is {{order.status}}.",
  ])("stays where a record says it: %s", (text) => {
    expect(kindOf({ text, source: "r-1" })).toBe("claim");
  });

  it("may rest on several sources, which are all cited", () => {
    const [traced] = trace([
      { text: "Leipzig has the help desk and Berlin the office.", source: "p-1", alsoFrom: ["p-2", "p-1"] },
    ]);
    expect(traced).toMatchObject({
      kind: "claim",
      claim: { source: "p-1", also: [{ source: "p-2", citation: "Device policy 3.1, Replacement" }] },
    });
  });
});

describe("a claim with something that its source does not say", () => {
  it.each([
    ["A laptop is replaced after 5 years.", "5 years"],
    ["A laptop is replaced after four years.", "four years"],
    ["A laptop is replaced after 36 days.", "36 days"],
    ["A laptop is replaced after ３７ months.", "37 months"],
    ["It holds from 2 March 2026 on.", "2 March 2026"],
    ["It holds since April 2026.", "April 2026"],
    ["It changed in 2025.", "2025"],
    ["The desk opens at 7 pm.", "7 pm"],
    ["The fee is €1,250.50.", "€1,250.50"],
    ["The fee is 1,250.50 million dollars.", "1,250.50 million dollars"],
    ["The help desk is in Berlin.", "Berlin"],
    ["Berlin has a desk too.", "Berlin"],
    ["Anna Bergmann approves it.", "Bergmann"],
    ["Connect to vpn-gw-0.", "vpn-gw-0"],
    ["Connect to vpn-gw-021.", "vpn-gw-021"],
    ["Write to other@example.com.", "other@example.com"],
    ["It is on the LAN.", "LAN"],
    ["It is 24/7 open.", "24/7"],
  ])("is dropped and named: %s", (text, stray) => {
    expect(trace([{ text, source: "p-1" }])).toEqual([
      { kind: "dropped", dropped: { text, reason: `\`${stray}\` does not stand in its source` } },
    ]);
  });

  it("is dropped where another passage says it, and not the one that is cited", () => {
    const text = "It opens at 09:00.";
    expect(kindOf({ text, source: "p-1" })).toBe("dropped");
    expect(kindOf({ text, source: "p-2" })).toBe("claim");
  });

  it("is dropped where only a secret field says it", () => {
    expect(kindOf({ text: "The number is 9911.", source: "r-1" })).toBe("dropped");
  });

  it("is dropped for a figure beside a binding", () => {
    expect(kindOf({ text: "The order {{order.id}} has 7 parcels.", source: "r-1" })).toBe("dropped");
  });

  it.each([
    { text: "A laptop is replaced.", source: "p-9" },
    { text: "A laptop is replaced.", source: "p-1", alsoFrom: ["p-9"] },
  ])("is dropped where a citation was not retrieved: %j", (claim) => {
    expect(trace([claim])).toMatchObject([{ kind: "dropped", dropped: { reason: "its source was not retrieved" } }]);
  });

  it("is dropped where its value does not stand in it", () => {
    const claim = { text: "The order is {{order.status}}.", source: "r-1", answers: "state" };
    expect(kindOf({ ...claim, value: "{{order.status}}" })).toBe("claim");
    expect(kindOf({ ...claim, value: "delivered" })).toBe("dropped");
    expect(kindOf({ ...claim, value: "{{order.pin}}" })).toBe("dropped");
  });
});

describe("a number that something beside it makes another amount", () => {
  it.each([
    "The fee is R$ 500.",
    "The debt is 5 trillion dollars.",
    "The fund is of 12 lakh.",
    "A card costs $20.",
    "A card costs 20 dollars.",
  ])("is borne out as it stands there: %s", (text) => {
    expect(kindOf({ text, source: "p-3" })).toBe("claim");
  });

  it.each([
    ["The fee is 500.", "500"],
    ["The fee is $500.", "$500"],
    ["The debt is 5 dollars.", "5 dollars"],
    ["The debt is 6 trillion dollars.", "6 trillion"],
    ["A card costs 20 trillion.", "20 trillion"],
    ["A card costs R$ 20.", "R$ 20"],
    ["The fund is of 12.", "12"],
  ])("bears out nothing else, and nothing else bears it out: %s", (text, stray) => {
    expect(trace([{ text, source: "p-3" }])).toEqual([
      { kind: "dropped", dropped: { text, reason: `\`${stray}\` does not stand in its source` } },
    ]);
  });
});

it("takes a text of hostile length apart in time", () => {
  const started = performance.now();
  for (const piece of ["1.", "a-", "12:", "A ", "1 January ", "(", "24/", "twenty-", "a_b.", "$ "])
    trace([{ text: piece.repeat(20_000), source: "p-1" }]);
  expect(performance.now() - started).toBeLessThan(20_000);
});

function trace(claims: Parameters<typeof traceClaims>[0]["claims"]) {
  const items: readonly ContextItem[] = [passage, record, other, amounts];
  return traceClaims({ claims, context: { items, digest: "" }, calculations: new Map() });
}

function kindOf(claim: Parameters<typeof trace>[0][number]): string | undefined {
  return trace([claim])[0]?.kind;
}
