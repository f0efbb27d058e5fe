import { describe, expect, test } from "vitest";
import { fitsType, literalValue, timesIn, timesTyped } from "./request-words.ts";

describe("a span of the request", () => {
  test.each([
    ["pay 10.00 to Bob", "10", 0],
    ["pay 10 to Bob", "10", 1],
    ["pay 1,000 to Bob", "1", 0],
    ["ask Alice,Bob", "Bob", 1],
    ["mail a@b.com.example now", "a@b.com", 0],
    ["mail a@b.com.", "a@b.com", 1],
    ["mail xa@b.com", "a@b.com", 0],
    ["Bob's inbox", "Bob", 1],
    ["see www.a.com/path", "www.a.com", 0],
    ["see (www.a.com)", "www.a.com", 1],
    ["to 'general' and general", "general", 2],
    ["a Müller b", "M", 0],
    ["code 𝟙2", "2", 0],
    ["delete file 13, not 131", "13", 1],
    ["x", "", 0],
  ])("in %j, %j stands %i times", (request, text, times) => {
    expect(timesIn(request, text)).toBe(times);
  });

  test("a number counts in any of its decimal forms, never as part of a longer one", () => {
    expect(timesTyped("send 10.00 today", 10, "number")).toBe(1);
    expect(timesTyped("send 10.005 today", 10, "number")).toBe(0);
    expect(timesTyped("send 110 today", 10, "integer")).toBe(0);
  });
});

describe("a type", () => {
  test.each([
    ["a@b.com", "email", true],
    ["a@b.com, c@d.com", "email", false],
    ["a@b.com\nBcc: c@d.com", "email", false],
    ["www.a.com", "url", true],
    ["javascript:alert(1)", "url", false],
    ["GB29NWBK60161331926819", "iban", true],
    ["GB29 NWBK", "iban", false],
    ["2024-05-16 10:00", "time", true],
    ["tomorrow", "time", false],
    [7, "id", true],
    ["7", "integer", false],
    [Number.NaN, "number", false],
  ] as const)("%j as %s: %s", (value, type, fits) => {
    expect(fitsType(value, type)).toBe(fits);
  });

  test("a literal is converted to a number by its type alone", () => {
    expect(literalValue("10.00", "number")).toBe(10);
    expect(literalValue("10.00", "text")).toBe("10.00");
    expect(literalValue("15.500,00", "number")).toBeUndefined();
    expect(literalValue("0x10", "integer")).toBeUndefined();
  });
});
