import { describe, expect, it } from "vitest";
import { findOversized } from "./sizes.ts";
import { readSources } from "./sources.ts";

const statements = (count: number) => "  call(`ä`);\n".repeat(count);

describe("sizes", () => {
  it("hold for every file and function of src and of the console", () => {
    expect(readSources(["src", "console/src"]).flatMap(findOversized)).toEqual([]);
  });

  it("refuse a file of 301 lines and pass one of 300", () => {
    expect(findOversized({ path: "a.ts", text: "a();\n".repeat(300) })).toEqual([]);
    expect(findOversized({ path: "a.ts", text: "a();\n".repeat(301) })).toEqual(["a.ts has 301 lines"]);
  });

  it.each([
    ["function", (body: string) => `function a() {\n${body}}\n`],
    ["arrow", (body: string) => `const a = async () => {\n${body}};\n`],
    ["method", (body: string) => `class A { b() {\n${body}} }\n`],
    ["object's method", (body: string) => `const a = { b() {\n${body}} };\n`],
    ["constructor", (body: string) => `class A { constructor() {\n${body}} }\n`],
  ])("refuse a %s of 71 lines and pass one of 70", (_kind, wrap) => {
    const head = "#!/usr/bin/env node\n// ä comment\n";
    expect(findOversized({ path: "a.ts", text: head + wrap(statements(68)) })).toEqual([]);
    expect(findOversized({ path: "a.ts", text: head + wrap(statements(69)) })).toEqual(["a.ts:3 is a function of 71 lines"]);
  });

  it("let `describe` hold as many tests as a file may, and hold each test to the limit", () => {
    const tests = (body: string) => `describe("a", () => {\n${body}});\n`;
    expect(findOversized({ path: "a.test.ts", text: tests(statements(200)) })).toEqual([]);
    expect(findOversized({ path: "a.test.ts", text: tests(`it("b", () => {\n${statements(69)}});\n`) })).toEqual([
      "a.test.ts:2 is a function of 71 lines",
    ]);
  });
});
