import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { errorCodes } from "../../src/contract/errors.ts";

const page = await readFile(new URL("../../docs/errors.md", import.meta.url), "utf8");
const sections = new Map(
  page
    .split(/^## /m)
    .slice(1)
    .map((section) => [section.slice(0, section.indexOf("\n")).trim(), section]),
);

describe("docs/errors.md", () => {
  it("has one section for each code of the closed list, in its order", () => {
    expect([...sections.keys()]).toEqual(Object.keys(errorCodes));
  });

  it.each(Object.entries(errorCodes))("says of %s its HTTP status, its exit code and what to do", (code, { status, exit }) => {
    const [, meaning = "", next = ""] = (sections.get(code) ?? "").split("\n\n");
    expect(meaning).toContain(`HTTP ${status}, exit code ${exit}.`);
    expect(next.trim().length).toBeGreaterThan(20);
  });
});
