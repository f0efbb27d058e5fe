import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { readHouseTable } from "../imports/house-table.ts";

const page = await readFile(new URL("../../ARCHITECTURE.md", import.meta.url), "utf8");
const { table, reach } = readHouseTable().houseTable;

describe("ARCHITECTURE.md", () => {
  it.each(Object.entries(table))("has the row of `%s` as the rules hold it", (unit, { may, reason }) => {
    const imports = may.length === 0 ? "nothing" : may.map((name) => `\`${name}\``).join(", ");
    expect(page).toContain(`| \`${unit}\` | ${imports} | ${reason} |`);
  });

  it.each(Object.entries(reach))("names the rule %s with its reason", (name, { reason }) => {
    expect(page).toContain(`| \`${name}\` | ${reason} |`);
  });

  it("names no row that the rules do not have", () => {
    const rows = [...page.matchAll(/^\| `([^`]+)` \| (?:nothing|`)/gm)].map((match) => match[1]);
    expect(rows.filter((row) => row !== undefined && !(row in table))).toEqual([]);
  });

  it("walks a request through files that are there", () => {
    const walk = page.slice(page.indexOf("## One request"), page.indexOf("## Three processes"));
    const files = [...walk.matchAll(/`([a-z/-]+\.ts)`/g)].map((match) => `src/${match[1]}`);
    expect(files.length).toBeGreaterThan(10);
    expect(files.filter((file) => !existsSync(new URL(`../../${file}`, import.meta.url)))).toEqual([]);
  });
});
