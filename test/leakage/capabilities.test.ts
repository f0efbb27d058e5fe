import { readdir } from "node:fs/promises";
import { inspect } from "node:util";
import { trace } from "@opentelemetry/api";
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import local from "../../examples/it-support-local/project.ts";
import reconciliation from "../../examples/reconciliation/project.ts";
import type { Capability } from "../../src/contract/capability.ts";
import { dataClasses } from "../../src/contract/privacy.ts";
import { isCompensation } from "../../src/define/compensation.ts";
import type { Project } from "../../src/define/project.ts";
import { canaries, canaryBatches, canaryText, leaksIn } from "./canaries.ts";
import { type LeakageHouse, openLeakageHouse } from "./house.ts";
import { requests } from "./requests.ts";

// What never leaves the process: a capturing provider, registered as a real one is, stands behind every capability of every example that
// asks a model; requests are full of personal data of every class; all that would be sent, logged, traced or dumped is searched.
describe("the canaries", () => {
  it("are of every class", () => {
    expect(new Set(canaries.map((one) => one.class))).toEqual(new Set(dataClasses));
  });

  it("are found where they stand, in every spelling that is looked for", () => {
    expect(leaksIn(canaryText)).toEqual(canaries.map((one) => one.class));
    expect(leaksIn("card 4539148803436467, mail szilvia.brandthaler%2Bdesk%40corvane-mail.example.com")).toEqual([
      "email",
      "card",
    ]);
    expect(leaksIn("nothing of the kind")).toEqual([]);
  });
});

describe.each(Object.keys(requests))("the example %s", (example) => {
  let house: LeakageHouse;
  const exporter = new InMemorySpanExporter();
  const printed: unknown[] = [];

  beforeAll(async () => {
    trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }));
    for (const way of ["log", "error", "warn", "info", "debug"] as const)
      vi.spyOn(console, way).mockImplementation((...said) => void printed.push(said));
    house = await openLeakageHouse(example);
    await house.askAll();
  }, 300_000);
  afterAll(async () => {
    vi.restoreAllMocks();
    trace.disable();
    await house?.close();
  });

  it("asked a model through each of its capabilities that do", () => {
    const asked = new Set(house.sent.map(({ capability }) => capability));
    expect([...asked].sort()).toEqual(askingOf(house.project).sort());
  });

  it("sends nothing of any class, whichever capability asks and whatever it asks for", () => {
    const leaks = house.sent.flatMap(({ capability, request }) =>
      leaksIn(dumped(request)).map((of) => `${capability} sends ${of}`),
    );
    expect([...new Set(leaks)]).toEqual([]);
  });

  it("sends its own prompts all the same: what is no personal data is there", () => {
    for (const { request } of house.sent) expect(dumped(request).length).toBeGreaterThan(300);
    expect(house.sent.map(({ request }) => dumped(request)).join("\n")).toContain(house.marker);
  });

  it("prints and traces nothing of it", () => {
    expect(exporter.getFinishedSpans().length).toBeGreaterThan(0);
    expect(leaksIn(dumped(exporter.getFinishedSpans()))).toEqual([]);
    expect(leaksIn(dumped(printed))).toEqual([]);
    expect(leaksIn(dumped(house.faults))).toEqual([]);
  });

  it("holds nothing of it in anything that can be dumped", () => {
    expect(leaksIn(dumped(house.reachable))).toEqual([]);
  });

  it("keeps it in encrypted payloads alone: no row shows it", async () => {
    expect(leaksIn(await house.everyRow())).toEqual([]);
  });

  it("tells in each entry which rules held, and in all of them that each class was replaced", async () => {
    const facts = (await house.facts()).filter(({ sends }) => sends > 0);
    expect(facts.length).toBeGreaterThan(canaryBatches.length - 1);
    for (const { boundary, privacy } of facts) {
      expect(boundary).toBe("on");
      expect(privacy?.policy).toMatch(/^[0-9a-f]{64}$/);
    }
    const replaced = new Set(facts.flatMap(({ privacy }) => Object.keys(privacy?.replaced ?? {})));
    // The organisation is a word of the dictionary.
    expect(canaries.map((one) => one.class).filter((of) => of !== "organisation" && !replaced.has(of))).toEqual([]);
  });
});

it("covers every example: the others ask no model, or have the same capabilities over another model", async () => {
  const folders = await readdir(new URL("../../examples/", import.meta.url));
  expect(folders.filter((folder) => !(folder in requests)).sort()).toEqual(["it-support-local", "reconciliation"]);
  expect(askingOf(reconciliation)).toEqual([]);
  expect(askingOf(local).sort()).toEqual(askingOf(requests["it-support"]?.project ?? reconciliation).sort());
});

/** The capabilities of a project that ask a model for anything, and intake where a model does it. */
function askingOf({ capabilities, intakeModel }: Project): string[] {
  const asks = ({ deciding, judge, retrieval }: Capability) =>
    deciding.kind !== "rule" || judge !== null || retrieval !== undefined;
  const names = capabilities.filter((one) => !isCompensation(one) && asks(one)).map(({ name }) => name);
  return intakeModel === null ? names : [...names, "intake"];
}

function dumped(value: unknown): string {
  return typeof value === "string"
    ? value
    : inspect(value, {
        depth: 40,
        showHidden: true,
        maxArrayLength: null,
        maxStringLength: null,
        breakLength: Infinity,
      });
}
