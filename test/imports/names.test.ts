import { globSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const places = ["src", "console/src", "test", "scripts", "benchmarks/overhead", "examples"];

/** Lower-case words joined by `-`, then what kind of file it is. */
function isKebabCase(path: string): boolean {
  return /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9-]+)*\.[a-z]+$/.test(basename(path));
}

describe("file names", () => {
  it("are kebab-case", () => {
    const files = globSync(`{${places.join(",")}}/**/*.{ts,tsx,css,sql}`, { cwd: root });
    expect(files.length).toBeGreaterThan(300);
    expect(files.filter((path) => !isKebabCase(path))).toEqual([]);
  });

  it.each(["closeGroup.ts", "Close-group.ts", "close_group.ts"])("may not be `%s`", (name) => {
    expect(isKebabCase(name)).toBe(false);
  });
});
