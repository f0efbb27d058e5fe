import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { people } from "./people.ts";
import project from "./project.ts";

/** Every package and file that can be reached from a file of this project, by its static imports. */
async function reachable(file: URL, seen = new Set<string>()): Promise<Set<string>> {
  if (seen.has(file.href)) return seen;
  seen.add(file.href);
  const text = await readFile(file, "utf8");
  for (const [, name = ""] of text.matchAll(/^(?:import|export)\b[^;]*?\bfrom "([^"]+)";/gms)) {
    if (name.startsWith(".")) await reachable(new URL(name, file), seen);
    else seen.add(name);
  }
  return seen;
}

const packagesOf = (names: Set<string>) => [...names].filter((name) => !name.startsWith("file:")).sort();

describe("the project", () => {
  it("is pure, and its hands are not", async () => {
    expect(packagesOf(await reachable(new URL("project.ts", import.meta.url)))).toEqual(["countersign", "zod"]);
    expect(packagesOf(await reachable(new URL("hands.ts", import.meta.url)))).toContain("pg");
  });

  it("lets the support refund, and customers no more than ask where their order is", () => {
    const openTo = (roles: readonly string[]) =>
      project.capabilities.filter(({ openTo: own }) => own.some((role) => roles.includes(role))).map(({ name }) => name);
    expect(openTo(people.agent.roles)).toEqual(["refund_order", "order_status"]);
    expect(openTo(people.customer.roles)).toEqual(["order_status"]);
    expect(openTo(people.finance.roles)).toEqual([]);
  });

  it.each([
    ["Please refund ord-1002, it is broken", "refund_order"],
    ["Where is my refund for ord-1002?", "refund_order"],
    ["Where is ord-1015?", "order_status"],
    ["ord-1015 is late", "order_status"],
    ["Good morning", undefined],
  ])("sorts `%s` by written rules alone: %s", (text, capability) => {
    expect(project.intakeModel).toBeNull();
    expect(project.intake.find(({ matches }) => matches(text))?.capability).toBe(capability);
  });
});
