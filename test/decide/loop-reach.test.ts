import { describe, expect, it } from "vitest";
import { createTools } from "../../src/decide/tools.ts";
import { fixedContext } from "../../src/testing/index.ts";
import { shippedPolicy } from "../setup/policy.ts";
import { days, decide, inputs, lamp, steps, traceOf } from "./loop-run.ts";
import { asks, burnt, ends, findFault, workshop } from "./loop-samples.ts";
import { envelope } from "./samples.ts";
import { scripted } from "./scripted.ts";

describe("a loop reaches the tools of its list and nothing else", () => {
  const offList = [
    asks("orders", { projector: "pr-1" }),
    JSON.stringify({ next: { tool: "lend_projector" } }),
    JSON.stringify({ next: { tool: "lend_projector", final: burnt } }),
  ];

  it.each(offList)("ends at once, asked for no second time, on %s", async (reply) => {
    const script = steps(lamp, reply);
    const context = fixedContext(workshop);
    const record = await decide(script, { deps: { context } });
    expect(record).toMatchObject({ kind: "stopped", route: "reject", rule: "tool_off_list", stop: { reason: "tool_off_list" } });
    expect(script.sent).toHaveLength(2);
    expect(traceOf(record).at(-1)).toMatchObject({ step: 2, outcome: "off_list", found: [] });
    expect(context.asked.map((need) => need.name)).toEqual(["projector", "lamps_1"]);
  });

  it("is refused at the port as well, for a capability without a loop too", async () => {
    const context = fixedContext(workshop);
    const tools = createTools({ permit: shippedPolicy, context });
    const call = { arguments: { projector: "pr-1" }, step: 1, inputs, envelope };
    const narrow = findFault({}, { tools: [tool("lamps")] });
    expect(await tools.call({ ...call, capability: narrow, tool: "log" })).toEqual({ kind: "off_list" });
    const rule = { deciding: { kind: "rule", version: "1", rule: () => ({}) } } as const;
    expect(await tools.call({ ...call, capability: rule, tool: "lamps" })).toEqual({ kind: "off_list" });
    expect(await tools.find(rule)).toEqual([]);
    expect(context.asked).toEqual([]);
    expect(await tools.call({ ...call, capability: narrow, tool: "lamps" })).toMatchObject({ kind: "found" });
  });

  it("checks arguments at the port as well, and names the need itself", async () => {
    const context = fixedContext(workshop);
    const tools = createTools({ permit: shippedPolicy, context });
    const call = { capability: findFault(), tool: "lamps", step: 4, inputs, envelope };
    expect(await tools.call({ ...call, arguments: { projector: "' or 1=1" } })).toMatchObject({ kind: "misfits" });
    await tools.call({ ...call, arguments: { projector: "pr-1" } });
    expect(context.asked.map(({ name }) => name)).toEqual(["lamps_4"]);
  });

  it("asks again for arguments that do not fit, then fails closed", async () => {
    const wide = asks("log", { projector: "pr-1", days: 31 });
    const mended = scripted([
      { purpose: "step", step: 1, when: /./, replies: [wide, days(30)] },
      {
        purpose: "step",
        step: 2,
        when: /./,
        replies: [ends({ ...burnt, source: "log.ofProjector:e-9", says: "It is the fan." })],
      },
    ]);
    expect((await decide(mended)).kind).toBe("decided");
    const stubborn = steps(lamp, wide);
    const record = await decide(stubborn);
    expect(record).toMatchObject({
      route: "reject",
      rule: "non_conforming_output",
      stop: { detail: expect.stringContaining("/next/arguments/days") },
    });
    expect(stubborn.sent).toHaveLength(4);
    expect(traceOf(record).map(({ outcome }) => outcome)).toEqual(["read", "no_reply"]);
  });

  it("leaves a reply that never fits to a person where the capability says so", async () => {
    const record = await decide(steps(lamp, "no JSON"), { own: { onNonConforming: "person" } });
    expect(record).toMatchObject({ kind: "stopped", route: "hitl_required", rule: "non_conforming_output" });
  });
});

function tool(name: string) {
  const { deciding } = findFault();
  const found = deciding.kind === "loop" ? deciding.tools.find((one) => one.name === name) : undefined;
  if (found === undefined) throw new Error(`no tool is named ${name}`);
  return found;
}
