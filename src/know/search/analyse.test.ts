import { describe, expect, it } from "vitest";
import { analyse, longestTerm } from "./analyse.ts";

describe("the terms of a text", () => {
  it.each([
    ["ndots:5", ["ndots:5", "ndot", "5"]],
    ["TICKET-4471.", ["ticket-4471", "ticket", "4471"]],
    ["Modifier.IDF", ["modifier.idf", "modifi", "idf"]],
    ["CVE-2024-3094,", ["cve-2024-3094", "cve", "2024", "3094"]],
    ["intel_idle.max_cstate=1", ["intel_idle.max_cstate", "intel_idle", "max_cstate", "intel", "idl", "max", "cstate"], ["1"]],
    ["C++ C# C", ["c++", "c"], ["c#", "c"], ["c"]],
    ["München Munchen mu\u0308nchen", ["munchen"], ["munchen"], ["munchen"]],
    ["Straße STRASSE", ["strass"], ["strass"]],
    ["getWithRetry", ["getwithretri", "get", "with", "retri"]],
    ["PDFReader PDF", ["pdfreader", "pdf", "reader"], ["pdf"]],
    ["src/search/rank.ts", ["src/search/rank.ts", "src", "search", "rank.ts", "rank", "ts"]],
    ["std::unique_ptr", ["std::unique_ptr", "std", "unique_ptr", "uniqu", "ptr"]],
    ["v2.31.4", ["v2.31.4", "v2", "31", "4"]],
    ["went goes going go", ["go"], ["go"], ["go"], ["go"]],
    ["Caroline's laptops don’t re\u00adboot", ["carolin"], ["laptop"], ["reboot"]],
    ["ＬＡＰＴＯＰ ﬁle", ["laptop"], ["file"]],
  ])("of %j", (text, ...tokens) => {
    expect(analyse(text)).toEqual(tokens);
  });

  it("of other scripts are their words, or pairs of characters where they have no spaces", () => {
    expect(analyse("東京都 ガラス")).toEqual([["東京"], ["京都"], ["ガラ"], ["ラス"]]);
    expect(analyse("сервер СКЛАДА")).toEqual([["сервер"], ["склада"]]);
    expect(analyse("서버 이름")).toEqual([["서버"], ["이름"]]);
    expect(analyse("हिन्दी שלום مرحبا")).toEqual([["हिन्दी"], ["שלום"], ["مرحبا"]]);
    expect(analyse("PostgreSQL東京18")).toEqual(
      [["postgresql", "postgr", "sql"], ["東京"], ["18"]].map((terms) => expect.arrayContaining(terms.slice(0, 1))),
    );
  });

  it("leave out words that say nothing, unless they are written in capitals", () => {
    expect(analyse("what is it, and who are they?")).toEqual([]);
    expect(analyse("the IT of the US")).toEqual([["it"], ["us"]]);
  });

  it("are none of what holds no letter and no digit", () => {
    for (const text of ["", "   ", "?!", "()|&", "+++ ### ---", "\u202e\u200b", "🧨🧨"]) expect(analyse(text)).toEqual([]);
  });

  it("are never longer than they may be, and never end in half a character", () => {
    const long = [..."a".repeat(300), " ", ..."𝒳𐐷".repeat(80), " ", ..."x.".repeat(200)].join("");
    for (const term of analyse(long).flat()) {
      expect(term.length).toBeLessThanOrEqual(longestTerm);
      expect(term.isWellFormed()).toBe(true);
    }
  });

  const hostile = [
    "a",
    "a.",
    "aB",
    "a'",
    "東",
    "a+",
    "+",
    "a_",
    "é",
    "e\u0301",
    "a:",
    "://",
    "laptop ",
    "Aa",
    "1a",
    "\u00ad",
    "ﷺ",
  ];
  it.each(hostile)("take time in step with the length of the text: %j", (piece) => {
    // A way that grows with the square of the length would take minutes.
    expect(analyse(piece.repeat(Math.ceil(100_000 / piece.length))).length).toBeGreaterThanOrEqual(0);
  });
});
