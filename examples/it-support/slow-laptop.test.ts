import { everything } from "countersign";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { DecisionRecord } from "../../src/contract/decision.ts";
import type { LoopStep } from "../../src/contract/tool.ts";
import { graph } from "../../src/decide/graph.ts";
import { intakeFor } from "../../src/decide/intake.ts";
import { propose } from "../../src/decide/run.ts";
import { openDecidingHelpdesk } from "../../test/setup/deciding-helpdesk.ts";
import { slowLaptop } from "./capabilities/slow-laptop.ts";
import { tenant } from "./people.ts";
import project from "./project.ts";
import { sentences } from "./sentences.ts";

let deciding: Awaited<ReturnType<typeof openDecidingHelpdesk>>;
beforeAll(async () => {
  deciding = await openDecidingHelpdesk({ tenant });
});
afterAll(async () => deciding?.close());

/** Who holds which laptop: Mira, Teo, Ilse, Jonas. Nobody but an IT lead sees another one's. */
const mira = "emp-104";
const teo = "emp-105";
const ilse = "emp-106";
const jonas = "emp-201";

function ask(name: keyof typeof sentences, id: string, capability = slowLaptop): Promise<DecisionRecord> {
  const principal = { tenant, id, roles: ["employee"], attributes: {}, onBehalfOf: null, allow: everything };
  const inputs = { text: sentences[name] };
  const request = {
    decisionId: "d",
    entryId: "e",
    principal,
    capability: capability.name,
    inputs,
    idempotencyKey: null,
    cause: null,
  };
  return propose({ graph, request, deps: { ...deciding.deps, capability } });
}

function traceOf(record: DecisionRecord): readonly LoopStep[] {
  return (record.bodies["loop"] ?? []) as unknown as readonly LoopStep[]; // written by the loop
}

const stepsOf = (record: DecisionRecord) => traceOf(record).map(({ tool, outcome }) => `${tool ?? "answer"} ${outcome}`);

describe("why a laptop is slow", () => {
  it.each([
    ["slowByHeat", mira, "heat", ["diagnostics read", "history read", "policy read", "answer final"]],
    ["slowByDisk", jonas, "disk_full", ["diagnostics read", "answer final"]],
    ["slowByBattery", teo, "battery", ["diagnostics read", "history read", "policy read", "answer final"]],
  ] as const)("%s is found in an order that what was measured gives", async (name, who, label, steps) => {
    const record = await ask(name, who);
    expect(record).toMatchObject({ kind: "decided", route: "auto", rule: "no_effects", verified: true, label });
    expect(stepsOf(record)).toEqual(steps);
    expect(record.proposal?.claims).toHaveLength(label === "heat" ? 3 : label === "battery" ? 2 : 1);
    expect(record.proposal?.droppedClaims).toEqual([]);
  });

  it("says values as they stand in the records, each with its source", async () => {
    const { proposal } = await ask("slowByHeat", mira);
    expect(proposal?.claims.map(({ text }) => text)).toEqual([
      "The laptop lowers its own speed at 96 degrees.",
      expect.stringMatching(/^Its fan was last cleaned on \d{4}-\d{2}-\d{2}\.$/),
      "A fan is cleaned every 24 months at the latest, at the depot.",
    ]);
    expect(proposal?.claims.at(-1)?.citation).toBe("Slow computers 1.0, Heat");
  });

  it("is refused where nothing that was measured explains it", async () => {
    expect(await ask("slowUnknown", ilse)).toMatchObject({
      kind: "decided",
      label: "unknown",
      proposal: { claims: [], refusal: "What was measured does not explain it." },
    });
  });

  it("asks again for arguments beyond their limit, and shows the error to that retry alone", async () => {
    const record = await ask("slowByBattery", teo);
    expect(record.calls.map(({ step, attempt, outcome }) => [step, attempt, outcome])).toEqual([
      [1, 1, "fits"],
      [2, 1, "misfits"],
      [2, 2, "fits"],
      [3, 1, "fits"],
      [4, 1, "fits"],
    ]);
  });

  it("is rejected where the cause that was said is not what was measured", async () => {
    const record = await ask("slowWrongCause", mira);
    expect(record).toMatchObject({ route: "reject", rule: "not_verified" });
    expect(record.bodies["checks"]).toContainEqual(
      expect.objectContaining({ name: "cause_measured", passed: false, evidence: "measured: heat; said: disk_full" }),
    );
  });

  it.each([
    ["slowTooSoon", "loop_not_enough", ["answer final"]],
    ["slowNeverEnds", "loop_cap_hit", [...Array<string>(5).fill("history read"), "history unread"]],
    ["slowRepeats", "loop_no_progress", ["diagnostics read", "history read", "diagnostics unread"]],
  ] as const)("%s ends with a person, by %s, and keeps what was looked at", async (name, rule, steps) => {
    const record = await ask(name, mira);
    expect(record).toMatchObject({ kind: "stopped", route: "hitl_required", rule, stop: { reason: "loop_unfinished" } });
    expect(stepsOf(record)).toEqual(steps);
  });

  it("fails closed at once where a tool is asked for that is not on the list", async () => {
    const record = await ask("slowOffList", mira);
    expect(record).toMatchObject({ route: "reject", rule: "tool_off_list", stop: { reason: "tool_off_list" } });
    expect(stepsOf(record)).toEqual(["diagnostics read", "delete_files off_list"]);
    expect(record.calls).toHaveLength(2);
  });

  it("sees the asker's own devices alone, whatever the model asks for", async () => {
    const record = await ask("slowByHeat", teo);
    expect(traceOf(record)[0]).toMatchObject({
      tool: "diagnostics",
      arguments: { device: "dev-2004" },
      outcome: "read",
      found: [],
    });
    expect(record.kind === "decided" ? record.route : record.stop?.reason).toBe("loop_unfinished");
  });

  it("is what intake picks for such a question", async () => {
    for (const name of ["slowByHeat", "slowNeverEnds", "slowOffList"] as const) {
      const text = sentences[name];
      const picked = await ask(name, mira, intakeFor({ project, permitted: project.capabilities, text }));
      expect(picked.label).toBe("slow_laptop");
    }
  });
});
