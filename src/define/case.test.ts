import { describe, expect, it } from "vitest";
import { z } from "zod";
import { CountersignError } from "../contract/errors.ts";
import { defineCapability } from "./capability.ts";
import { defineCase } from "./case.ts";
import { defineProject } from "./project.ts";

const data = z.strictObject({ device: z.string() });
const lend = {
  kind: "decide",
  capability: "lend_device",
  inputs: () => ({}),
  to: ["wait", "refused"],
  next: () => ({ to: "wait" }),
} as const;
const wait = { kind: "wait", events: ["returned"], to: ["back"], next: () => ({ to: "back" }) } as const;
const back = { kind: "end", outcome: "returned" } as const;
const refused = { kind: "end", outcome: "refused", isFailure: true } as const;
const steps = { lend, wait, back, refused };
const basic = {
  name: "loan",
  version: "1",
  owner: "service-desk",
  description: "Lend a device and get it back.",
  openTo: ["employee"],
  input: data,
  data,
  begin: ({ input }: { input: z.infer<typeof data> }) => input,
  events: { returned: { body: z.strictObject({}), by: ["service-desk"] } },
  start: "lend",
  steps,
};
/** What is wrong is not what the types let through, so it is made past them. */
const define = (change: object) => defineCase({ ...basic, ...change } as unknown as Parameters<typeof defineCase>[0]);
const said = (make: () => unknown): string => {
  try {
    make();
    return "nothing";
  } catch (thrown) {
    return thrown instanceof CountersignError && thrown.code === "definition_invalid" ? thrown.message : String(thrown);
  }
};

describe("defineCase", () => {
  it("gives a frozen case whose defaults fail closed", () => {
    const one = define({ openTo: [] });
    expect(one).toMatchObject({ name: "loan", openTo: [], deadlineMs: null, migrate: [], isRetired: false });
    expect(Object.isFrozen(one)).toBe(true);
    const steps = { lend: { ...lend, to: ["back"] }, back };
    const short = { ...basic, events: {}, steps } as unknown as Parameters<typeof defineCase>[0];
    expect(defineCase(short).events).toEqual({});
  });

  it.each<[string, object, RegExp]>([
    ["a name that is no id", { name: "Loan!" }, /form of an id/],
    ["no version", { version: "" }, /version/],
    ["no owner", { owner: " " }, /owner/],
    ["half a millisecond to end in", { deadlineMs: 0.5 }, /deadline/],
    ["a start that is no step", { start: "nowhere" }, /starts with `nowhere`/],
    ["a way to no step", { steps: { ...steps, wait: { ...wait, to: ["nowhere"] } } }, /leads to `nowhere`/],
    ["a step that leads nowhere", { steps: { ...steps, wait: { ...wait, to: [] } } }, /leads nowhere/],
    ["a step that no way leads to", { steps: { ...steps, lend: { ...lend, to: ["wait"] } } }, /`refused`, which no way leads to/],
    [
      "a step from which no end is reached",
      {
        steps: {
          ...steps,
          wait: { ...wait, to: ["again"] },
          again: { ...wait, to: ["wait"] },
          lend: { ...lend, to: ["wait", "back", "refused"] },
        },
      },
      /`(?:wait|again)`, from which no way leads to an end/,
    ],
    ["a step whose name is none", { steps: { ...steps, "A B": back } }, /form of a name/],
    ["an end without a word", { steps: { ...steps, back: { ...back, outcome: "" } } }, /no single word/],
    ["a wait for nothing", { steps: { ...steps, wait: { ...wait, events: [] } } }, /no event and no time/],
    [
      "a wait for an event that is none",
      { steps: { ...steps, wait: { ...wait, events: ["lost"] } } },
      /`lost`, which is no event/,
    ],
    ["a step with no time to end in", { steps: { ...steps, wait: { ...wait, deadlineMs: 0 } } }, /deadline/],
    ["a step with an empty owner", { steps: { ...steps, wait: { ...wait, owner: "" } } }, /empty owner/],
    ["a step that reads one that does not decide", { steps: { ...steps, wait: { ...wait, reads: ["back"] } } }, /reads `back`/],
    ["a capability that is no name", { steps: { ...steps, lend: { ...lend, capability: "" } } }, /names no capability/],
    ["branches of no case", { steps: { ...steps, wait: { kind: "all", cases: [], to: ["back"] } } }, /names no case/],
    ["an event by nobody", { events: { returned: { body: data, by: [] } } }, /no role may tell/],
    ["an event of the runtime's", { events: { ...basic.events, retry: { body: data, by: ["x"] } } }, /named `retry`/],
    ["a migration from itself", { migrate: [{ from: "1", step: (moved: unknown) => moved }] }, /from itself/],
    ["two migrations from one version", { version: "2", migrate: [{ from: "1" }, { from: "1" }] }, /twice/],
    ["a retired version that takes others over", { version: "2", isRetired: true, migrate: [{ from: "1" }] }, /retired/],
  ])("refuses %s", (_what, change, reason) => {
    expect(said(() => define(change))).toMatch(reason);
  });
});

describe("the cases of a project", () => {
  const capability = defineCapability({
    ...{ name: "lend_device", version: "1", owner: "o", description: "Lend.", openTo: [], input: data, decision: data },
    ...{ needs: () => [], checks: [], propose: () => ({ summary: "-" }) },
    deciding: { kind: "rule", version: "1", rule: () => ({}) },
  });
  const project = (...cases: ReturnType<typeof define>[]) => defineProject({ name: "loans", capabilities: [capability], cases });
  const planOf = (of: string) => ({ kind: "plan", case: of, input: () => ({}), to: ["back"], next: () => null });
  const planning = (name: string, of: string) => define({ name, start: "plan", steps: { plan: planOf(of), back } });

  it("are several versions of one name, of which one is started", () => {
    const cases = [define({ version: "2" }), define({ isRetired: true })];
    expect(project(...cases).cases).toEqual(cases);
    expect(defineProject({ name: "loans", capabilities: [] }).cases).toEqual([]);
  });

  it.each<[string, () => unknown, RegExp]>([
    ["one version twice", () => project(define({}), define({ isRetired: true })), /two cases are named `loan`/],
    ["two versions to start", () => project(define({}), define({ version: "2" })), /two versions of the case `loan`/],
    [
      "a capability that is not there",
      () => project(define({ steps: { ...steps, lend: { ...lend, capability: "x" } } })),
      /unknown capability `x`/,
    ],
    ["a plan that is not there", () => project(planning("a", "b")), /unknown case `b`/],
    ["a plan that is retired", () => project(planning("a", "loan"), define({ isRetired: true })), /unknown case `loan`/],
    [
      "cases that start each other",
      () => project(planning("a", "b"), planning("b", "c"), planning("c", "a")),
      /`a` starts itself/,
    ],
  ])("are refused with %s", (_what, make, reason) => {
    expect(said(make)).toMatch(reason);
  });
});
