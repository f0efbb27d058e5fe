import { describe, expect, it } from "vitest";
import { calculationsNamed } from "./calculation.ts";
import { systemText } from "./system-text.ts";

const instructions = "You close tickets.\n";
const example = { inputs: { text: "It works again" }, given: "ticket tkt-1, open", decision: { close: true, note: "solved" } };

describe("systemText", () => {
  it("says what to do, when to decline, and how it was done before", () => {
    expect(
      systemText({ instructions, refuses: "The ticket is not solved.", examples: [example, { ...example, given: "" }] }),
    ).toBe(
      [
        "You close tickets.",
        "",
        "When to decline: The ticket is not solved.",
        "",
        "Worked examples, each with what was given for it alone:",
        '1. {"text":"It works again"}, given ticket tkt-1, open -> {"close":true,"note":"solved"}',
        '2. {"text":"It works again"} -> {"close":true,"note":"solved"}',
      ].join("\n"),
    );
  });

  it("tells which calculations there are and how they are named", () => {
    const text = systemText({
      instructions,
      refuses: null,
      examples: [],
      calculations: calculationsNamed("rest_percent", "mean"),
    });
    expect(text).toMatch(/^You close tickets\.\n\nNever calculate\. .*\{\{sum\(lines\.amount\) \| money\}\}/);
    expect(text.split("\n").slice(-2)).toEqual([
      "- rest_percent(percent: quantity in percent): What is left of a hundred percent.",
      "- mean(all: any number of quantity): The sum of all numbers through how many there are.",
    ]);
  });

  it("leaves out what is not there", () => {
    expect(systemText({ instructions, refuses: null, examples: [] })).toBe("You close tickets.");
  });

  it("is the same text whatever the order in which a decision was written", () => {
    const turned = { ...example, decision: { note: "solved", close: true } };
    expect(systemText({ instructions, refuses: null, examples: [turned] })).toBe(
      systemText({ instructions, refuses: null, examples: [example] }),
    );
  });
});
