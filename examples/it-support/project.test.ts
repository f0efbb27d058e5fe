import { readFile } from "node:fs/promises";
import { effectDraft } from "countersign";
import { describe, expect, it } from "vitest";
import { createTicket, orderRef, orderReplacement, ticketRef } from "./effects.ts";
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
  it("is pure: nothing but `countersign` and `zod` is reachable from it", async () => {
    const names = await reachable(new URL("project.ts", import.meta.url));
    expect(packagesOf(names)).toEqual(["countersign", "zod"]);
    expect(names.size).toBeGreaterThan(10);
  });

  it("would see what is not pure: the hands reach `pg`", async () => {
    expect(packagesOf(await reachable(new URL("hands.ts", import.meta.url)))).toContain("pg");
  });

  it("is open to each of the demo's people", () => {
    for (const person of Object.values(people)) {
      for (const capability of project.capabilities) {
        expect(person.roles.some((role) => capability.openTo.includes(role))).toBe(true);
      }
    }
  });

  it("names replacements by device and count, so that a later one is another one", () => {
    expect(ticketRef({ device: "dev-1", replacements: 0 })).not.toBe(ticketRef({ device: "dev-1", replacements: 1 }));
    expect(orderRef({ device: "dev-1", replacements: 0 })).not.toBe(orderRef({ device: "dev-2", replacements: 0 }));
  });

  it("asks policy alone for accessories only", () => {
    const params = { device: "dev-1", replacements: 0, ticket: ticketRef({ device: "dev-1", replacements: 0 }), model: "m" };
    const riskOf = (category: "mouse" | "keyboard" | "headset" | "laptop" | "phone" | "monitor") =>
      orderReplacement.risk({ ...params, category });
    expect([riskOf("mouse"), riskOf("keyboard"), riskOf("headset")]).toEqual(["low", "low", "low"]);
    expect([riskOf("laptop"), riskOf("phone"), riskOf("monitor")]).toEqual(["medium", "medium", "medium"]);
  });

  it("orders only for a device that is in use and was not replaced in between", () => {
    const params = {
      device: "dev-1",
      category: "mouse" as const,
      replacements: 1,
      ticket: "ticket:replacement:dev-1:1",
      model: "m",
    };
    const [requirement] = orderReplacement.requires;
    expect(requirement?.holds(params, { device_state: "in_use", replacements: 1 })).toBe(true);
    expect(requirement?.holds(params, { device_state: "in_use", replacements: 2 })).toBe(false);
    expect(requirement?.holds(params, { device_state: "in_repair", replacements: 1 })).toBe(false);
    expect(requirement?.holds(params, null)).toBe(false);
  });

  it("says for every param of its effects what it is for and where it may come from", async () => {
    const params = {
      requester: "emp-1",
      device: "dev-1",
      category: "mouse" as const,
      replacements: 0,
      kind: "replacement" as const,
      reason: "lost" as const,
      note: "n",
    };
    const draft = effectDraft(createTicket, { params, sources: {} });
    expect(Object.keys(createTicket.paramRules).sort()).toEqual(Object.keys(params).sort());
    expect(draft.effect.key(draft.params)).toBe("ticket:replacement:dev-1:0");
    expect(Object.keys(orderReplacement.paramRules).sort()).toEqual(["category", "device", "model", "replacements", "ticket"]);
  });
});
