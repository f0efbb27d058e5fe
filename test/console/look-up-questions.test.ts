import { describe, expect, it } from "vitest";
import * as facts from "../../console/src/pages/facts/question.ts";
import * as search from "../../console/src/pages/search/question.ts";
import { instantOf, minuteText } from "../../console/src/words/instants.ts";

const now = Date.parse("2026-12-01T10:00:30Z");

describe("a search as it is typed", () => {
  const read = (address: Record<string, string>) => search.searchOf(search.typedOf(address), now);

  it("asks with what was typed and with nothing else", () => {
    expect(read({ q: "worn out laptop" }).asked).toEqual({ query: "worn out laptop", limit: 6 });
    expect(
      read({ q: "laptop", in: "documents", with: "team = it, language=en", at: "2026-11-29T14:38", limit: "20" }).asked,
    ).toEqual({
      query: "laptop",
      collection: "documents",
      metadata: { team: "it", language: "en" },
      at: Date.parse("2026-11-29T14:38Z"),
      limit: 20,
    });
  });

  it("keeps a value that holds an equals sign whole", () => {
    expect(read({ q: "laptop", with: "formula = a=b" }).asked?.metadata).toEqual({ formula: "a=b" });
  });

  it("stands in the address as it was typed", () => {
    const address = { q: "laptop", in: "documents", with: "team = it", at: "2026-11-29T14:38", limit: "20" };
    expect(search.addressOf(search.typedOf(address))).toEqual({ ...address, open: undefined });
  });

  it.each([
    ["no words", { q: "  " }],
    ["a filter without a value", { q: "laptop", with: "team" }],
    ["two values of one name", { q: "laptop", with: "team = it, team = hr" }],
    ["a value without a name", { q: "laptop", with: "= it" }],
    ["a time to come", { q: "laptop", at: "2026-12-01T10:01" }],
    ["no time", { q: "laptop", at: "yesterday" }],
    ["too many", { q: "laptop", limit: "101" }],
    ["half a passage", { q: "laptop", limit: "1.5" }],
  ])("asks nothing for %s", (_, address) => {
    expect(read(address).asked).toBeNull();
  });
});

describe("a question about facts as it is typed", () => {
  const read = (address: Record<string, string>, usualAt = "2026-12-01T10:00") =>
    facts.questionOf(facts.typedOf(address, usualAt), now);

  it("asks of the time that the form shows, of all predicates where none is named", () => {
    expect(read({ subject: " employee:e-1 " }).asked).toEqual({
      subject: "employee:e-1",
      predicates: "all",
      at: Date.parse("2026-12-01T10:00Z"),
      limit: 100,
    });
  });

  it("asks of predicates, as known at a time, along relations", () => {
    const asked = read({
      subject: "team:a",
      predicates: "team, it_lead,",
      at: "2027-01-01T00:00",
      known: "2026-01-01T00:00",
      steps: "3",
    });
    expect(asked.asked).toEqual({
      subject: "team:a",
      predicates: ["team", "it_lead"],
      at: Date.parse("2027-01-01T00:00Z"),
      asKnownAt: Date.parse("2026-01-01T00:00Z"),
      steps: 3,
      limit: 100,
    });
  });

  it.each([
    ["no subject", { subject: "" }],
    ["no time", { subject: "team:a", at: "" }],
    ["what will be known", { subject: "team:a", known: "2026-12-02T00:00" }],
    ["seven steps", { subject: "team:a", steps: "7" }],
  ])("asks nothing for %s", (_, address) => {
    expect(read(address).asked).toBeNull();
  });
});

describe("a day and time in a field", () => {
  it("is read as UTC, and written to the minute", () => {
    expect(instantOf("2026-12-01T10:00")).toBe(Date.parse("2026-12-01T10:00Z"));
    expect(minuteText(now)).toBe("2026-12-01T10:00");
  });

  it("is no time where a day has no such hour", () => {
    expect(instantOf("2026-12-01T25:00")).toBeNull();
    expect(instantOf("2026-12-01")).toBeNull();
  });
});
