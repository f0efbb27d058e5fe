import { describe, expect, it } from "vitest";
import { findStructured } from "./find-structured.ts";

const phonesIn = (text: string): string[] =>
  findStructured(text)
    .filter((finding) => finding.class === "phone")
    .map(({ start, end }) => text.slice(start, end));

describe("telephone numbers", () => {
  it.each([
    "+447700900677",
    "+44 (0)20 7946 0958",
    "+44 20 7946 0958",
    "+1-903-555-0108x769",
    "(+49) 30 901820",
    "0041 44 668 18 00",
    "001-518-555-0154",
    "(898) 555-0121",
    "(898)555-0121x0135",
    "930.555.0143 ext. 12",
    "1-800-555-0199",
    "212 555 0187",
    "(71) 4233-6306",
    "020 7946 0958",
    "01.84.17.61.18",
    "0171/1234567",
    "0490 75 40 81",
    "03-6258 7191",
    "07700900123",
    "+91 98765 43210",
    "+86 138 0013 8000",
    "+61 2 5550 1234",
    "057 013-2736, poste 459",
  ])("finds %s without a word beside it", (number) => {
    const text = number === "07700900123" ? `mobile ${number}` : `so ${number}, then`;
    expect(phonesIn(text)).toEqual([number]);
  });

  it.each([
    ["call me at 467 3395", "467 3395"],
    ["ring 82 94 67", "82 94 67"],
    ["call 00389 2 265 5222", "00389 2 265 5222"],
    ["Tel.: 78 651 450", "78 651 450"],
    ["Rufnummer 71-33-52-22", "71-33-52-22"],
    ["fax 9498777106", "9498777106"],
    ["mon portable : 612 34 56 78 90", "612 34 56 78 90"],
    ["655 437 108 office", "655 437 108"],
    ["082 490 1693-Fax", "082 490 1693"],
    ['{"phone_number":"4155550123"}', "4155550123"],
    ["(call 555 123 4567)", "555 123 4567"],
    ["phone +44 20 7946\n0958", "+44 20 7946\n0958"],
    ["Tel07700900123", "07700900123"],
    ["call ５５５-１２３-４５６７", "５５５-１２３-４５６７"],
    ["call 555‐123–4567", "555‐123–4567"],
  ])("finds the number in: %s", (text, number) => {
    expect(phonesIn(text)).toEqual([number]);
  });

  it("keeps two numbers on two lines, or beside one another, apart", () => {
    expect(phonesIn("Mobile: 0490 39 07 81\nDesk: +44 20 7946 0958")).toEqual(["0490 39 07 81", "+44 20 7946 0958"]);
    expect(phonesIn("ZIP 51065\n212-555-0187\n212-555-0188")).toEqual(["212-555-0187", "212-555-0188"]);
    expect(phonesIn("+49 30 901820\n12 more")).toEqual(["+49 30 901820"]);
    expect(phonesIn("+44 20 7946\n1234567 orders")).toEqual(["+44 20 7946"]);
    expect(phonesIn("+14155550123,+442079460958")).toEqual(["+14155550123", "+442079460958"]);
  });

  it.each([
    ["+44 (0)20 7946 0958", "0044 20 7946 0958", "+442079460958", "gb"],
    ["(212) 555-0187", "+1 212.555.0187", "+12125550187", "us"],
    ["+49 (0) 30 901820", "+4930901820", "+4930901820", "de"],
    ["+46 (0)179 459 33 11", "+46 179 459 33 11", "+461794593311", null],
  ])("takes %s and %s for one number", (one, other, canonical, jurisdiction) => {
    const found = findStructured(`${one} or ${other}`);
    expect(found).toMatchObject([
      { canonical, jurisdiction },
      { canonical, jurisdiction },
    ]);
  });

  it("tells an extension apart", () => {
    expect(findStructured("+1 212 555 0187 x12").map(({ canonical }) => canonical)).toEqual(["+12125550187;ext=12"]);
  });

  it.each([
    "order 12345678",
    "order 555-123-4567",
    "ticket TICKET-4471-2201",
    "ORD-555-123-4567",
    "2024-06-10 12:45:18",
    "on 01.02.2020 and 10-12-2021",
    "from 1999-2004",
    "call on 10.06.2024",
    "call between 1999-2004",
    "3.1415926535",
    "1,234,567.89",
    "12 345 678 items",
    "$5551234567",
    "ISBN 978-3-16-148410-0",
    "9b2e4111-1111-1111-1111-1111222233ab",
    "12345678-1234-1234-1234-123456789012",
    "1 2 3 4 5 6 7 8 9 10",
    "viewBox 0 0 1024 1024",
    "10:20:30 to 11:20:30",
    "v1.22.333.4444",
    "100%, 2000000%",
    "call the people who counted 829467",
    "call sum(1) 10.5 20.5",
  ])("leaves %s", (text) => {
    expect(phonesIn(text)).toEqual([]);
  });
});
