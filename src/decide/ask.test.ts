import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineCapability } from "../define/capability.ts";
import { pickedBy } from "./ask.ts";

const note = defineCapability({
  ...{ name: "note", version: "1", owner: "office", description: "Write a note.", openTo: ["employee"] },
  ...{ input: z.strictObject({}), decision: z.strictObject({}), needs: () => [], checks: [] },
  deciding: { kind: "rule", version: "1", rule: () => ({}) },
  propose: () => ({ summary: "A note" }),
});

describe("what intake picked", () => {
  it.each([
    ["followed where it was let through", "note", "auto", "note"],
    ["not followed where a check refused it", "note", "reject", undefined],
    ["not followed where it waits for a person", "note", "hitl_required", undefined],
    ["not followed where it stopped", "note", null, undefined],
    ["none where it is not open to the principal", "pay", "auto", undefined],
    ["none where nothing fits", "none", "auto", undefined],
  ] as const)("is %s", (_what, label, route, name) => {
    expect(pickedBy({ label, route }, [note])?.name).toBe(name);
  });
});
