import { describe, expect, it } from "vitest";
import { definitionLines } from "./mcp-lines.ts";

const accepted = { name: "search", description: "Searches tickets.\nBy words.", inputSchema: { type: "object", properties: {} } };

describe("what differs between two definitions", () => {
  it("is nothing where they are the same", () => {
    expect(definitionLines(accepted, { ...accepted })).toEqual([]);
  });

  it("is told a member at a time, line by line", () => {
    const shown = { ...accepted, description: "Searches tickets.\nBy words and by date.", annotations: { readOnlyHint: true } };
    expect(definitionLines(accepted, shown)).toEqual([
      "  description:",
      "      Searches tickets.",
      "    - By words.",
      "    + By words and by date.",
      "  annotations:",
      "    + {",
      '    +   "readOnlyHint": true',
      "    + }",
    ]);
  });

  it("leaves out what stays the same far from what does not", () => {
    const lines = (last: string) => [...Array.from({ length: 20 }, (_, place) => `line ${place}`), last].join("\n");
    expect(definitionLines({ ...accepted, description: lines("a") }, { ...accepted, description: lines("b") })).toEqual([
      "  description:",
      "      ...",
      "      line 18",
      "      line 19",
      "    - a",
      "    + b",
    ]);
  });

  it("shows all of a definition of which nothing was accepted", () => {
    expect(definitionLines(null, { name: "search", inputSchema: {} })).toEqual([
      "  name:",
      "    + search",
      "  inputSchema:",
      "    + {}",
    ]);
  });

  it.each([
    ["an escape of a terminal", "a\u001b[2Kb", "a\\u{1b}[2Kb"],
    ["a carriage return", "a\rb", "a\\u{d}b"],
    ["text that is turned around", "a\u202eb", "a\\u{202e}b"],
    ["text of no width", "a\u200bb", "a\\u{200b}b"],
    ["letters of the tags block", `a${String.fromCodePoint(0xe0041)}b`, "a\\u{e0041}b"],
    ["a choice of variation", "a\ufe01b", "a\\u{fe01}b"],
    ["a separator of lines", "a\u2028b", "a\\u{2028}b"],
  ])("writes out %s", (_, text, shown) => {
    expect(definitionLines(accepted, { ...accepted, description: text })).toContain(`    + ${shown}`);
    expect(definitionLines(accepted, { ...accepted, inputSchema: { [text]: text } }).join("\n")).not.toContain(text);
  });
});
