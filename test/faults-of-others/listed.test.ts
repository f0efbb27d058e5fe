import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { faults, type Held } from "./faults.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Says whether a test of that name stands in the file: its name is the first argument of a call. */
function isThere({ file, name }: Held): boolean {
  if (!existsSync(`${root}${file}`)) return false;
  const literal = JSON.stringify(name).replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`\\b(?:it|test)\\b[^;]*?\\(\\s*${literal}\\s*,`, "s").test(readFileSync(`${root}${file}`, "utf8"));
}

describe("the list of faults that others shipped", () => {
  it.each(faults.map((one) => [one.fault, one.held] as const))("has a test that is there for: %s", (_fault, held) => {
    if ("comesWith" in held) return expect(held.comesWith).not.toBe("");
    expect(held.length).toBeGreaterThan(0);
    expect(held.filter((one) => !isThere(one))).toEqual([]);
  });

  it("says each fault once, and leaves out two of them until what they concern is there", () => {
    expect(new Set(faults.map(({ fault }) => fault)).size).toBe(faults.length);
    expect(faults.filter(({ section }) => section === "approving and acting")).toHaveLength(20);
    expect(faults.filter(({ section }) => section === "state")).toHaveLength(4);
    expect(faults.filter(({ held }) => "comesWith" in held)).toHaveLength(2);
  });

  it("misses a test whose name is gone, a file that is, and a name that only stands in a comment or a list", () => {
    const file = "test/faults-of-others/listed.test.ts";
    expect(isThere({ file, name: "says each fault once, and leaves out two of them until what they concern is there" })).toBe(
      true,
    );
    expect(isThere({ file, name: ["says each fault", "never"].join(" ") })).toBe(false);
    expect(isThere({ file: "test/faults-of-others/gone.test.ts", name: "says each fault once" })).toBe(false);
    expect(isThere({ file: "test/faults-of-others/faults.ts", name: "is refused %s" })).toBe(false);
  });
});
