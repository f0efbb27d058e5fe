import { afterEach, describe, expect, it } from "vitest";
import { cruise, line } from "./cruise.ts";
import { cleanTree, type Files, plantTree } from "./fixture-tree.ts";
import { readHouseTable, unitOf } from "./house-table.ts";
import { seeds } from "./seeds.ts";

const folders = ["src", "test", "examples", "console"];
const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

async function refusalsOf(files: Files): Promise<string[]> {
  const tree = plantTree(files);
  cleanups.push(tree.remove);
  return (await cruise(tree.path, folders)).refusals.map(line);
}

describe("import rules", () => {
  it("passes the clean tree, in which every row of the table has a file", async () => {
    expect(await refusalsOf({})).toEqual([]);
    expect(new Set(Object.keys(cleanTree).map(unitOf))).toEqual(new Set([...readHouseTable().houseTable.units, null]));
  });

  it.each(seeds)("refuses exactly: $it", async ({ files, refused }) => {
    expect(await refusalsOf(files)).toEqual([...refused].sort());
  });

  it("has a seed for every rule", () => {
    const seeded = new Set(seeds.flatMap(({ refused }) => refused.map((refusal) => refusal.split(": ")[0])));
    const unseeded = readHouseTable().forbidden.filter(({ name }) => !name.startsWith("table/") && !seeded.has(name));
    // zod may be imported anywhere in src, and so may the types of @standard-schema/spec: these two rules can refuse nothing.
    expect(unseeded.map(({ name }) => name)).toEqual(["package/zod", "package/@standard-schema/spec"]);
  });

  it("never lets a row of the table open a way that a rule over the whole graph closes", () => {
    const { reach } = readHouseTable().houseTable;
    const open = Object.entries(reach).flatMap(([rule, { from, to }]) =>
      from.flatMap((start) => {
        const reached = allowedFrom(start);
        return to.filter((end) => reached.has(end)).map((end) => `${rule}: ${start} -> ${end}`);
      }),
    );
    expect(open).toEqual([]);
    expect(allowedFrom("cli")).toContain("act");
  });

  it("refuses every pair of rows that the table does not name, and no other", async () => {
    const { pairs, files } = everyPair();
    const { units, table } = readHouseTable().houseTable;
    const refusals = (await refusalsOf(files)).filter((refusal) => refusal.startsWith("table/"));
    const seen = new Set(refusals);
    expect(pairs.length).toBe(units.length * (units.length - 1));
    for (const { from, to, refusal } of pairs) {
      const allowed = (table[from]?.may ?? []).some((place) => covers(place, to)) || to === "testing";
      expect({ from, to, refused: seen.has(refusal) }).toEqual({ from, to, refused: !allowed });
    }
  });
});

function allowedFrom(start: string): ReadonlySet<string> {
  const { table } = readHouseTable().houseTable;
  const reached = new Set<string>();
  const waiting = [start];
  for (let unit = waiting.pop(); unit !== undefined; unit = waiting.pop()) {
    const next = (table[unit]?.may ?? []).filter((place) => !reached.has(place));
    for (const place of next) reached.add(place);
    waiting.push(...next);
  }
  return reached;
}

function everyPair() {
  const { units } = readHouseTable().houseTable;
  const fileOf = (unit: string) => Object.keys(cleanTree).find((path) => unitOf(path) === unit) ?? "";
  const files: Record<string, string> = {};
  const pairs: { from: string; to: string; refusal: string }[] = [];
  for (const from of units) {
    const path = fileOf(from);
    const targets = units.filter((to) => to !== from).map((to) => ({ to, target: fileOf(to) }));
    const up = "../".repeat(path.split("/").length - 1);
    files[path] = targets.map(({ target }) => `import "${up}${target}";\n`).join("");
    for (const { to, target } of targets) pairs.push({ from, to, refusal: `table/${from}: ${path} -> ${target}` });
  }
  return { pairs, files };
}

// Written out by hand, so that a place whose pattern covers too much is seen here.
function covers(place: string, unit: string): boolean {
  if (place === "guard") return unit.startsWith("guard/");
  // The file that stands for each kind of knowledge here is one of facts.
  if (["know without ingest", "know without search and ingest", "know reads", "know/facts"].includes(place))
    return unit === "know/*";
  return place === unit;
}
