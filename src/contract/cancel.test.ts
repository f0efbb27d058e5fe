import { describe, expect, it } from "vitest";
import { makeCancel, neverCancelled } from "./cancel.ts";

describe("a cancel", () => {
  it("tells every listener once when it is fired, and a late one at once", () => {
    const { cancel, fire } = makeCancel();
    const told: string[] = [];
    cancel.onCancel(() => told.push("early"));
    expect([cancel.isCancelled(), told]).toEqual([false, []]);
    fire();
    fire();
    cancel.onCancel(() => told.push("late"));
    expect([cancel.isCancelled(), told]).toEqual([true, ["early", "late"]]);
  });

  it.each(["the child", "the parent"] as const)("with a parent is ended by either, and tells once: %s first", (first) => {
    const parent = makeCancel();
    const child = makeCancel(parent.cancel);
    let told = 0;
    child.cancel.onCancel(() => {
      told += 1;
    });
    const inOrder = first === "the child" ? [child, parent] : [parent, child];
    inOrder[0]?.fire();
    expect([child.cancel.isCancelled(), told]).toEqual([true, 1]);
    expect(parent.cancel.isCancelled()).toBe(first === "the parent");
    inOrder[1]?.fire();
    expect(told).toBe(1);
  });

  it("tells a listener that comes after its parent has ended", () => {
    const parent = makeCancel();
    const { cancel } = makeCancel(parent.cancel);
    parent.fire();
    let isTold = false;
    cancel.onCancel(() => {
      isTold = true;
    });
    expect([cancel.isCancelled(), isTold]).toEqual([true, true]);
    expect(neverCancelled.isCancelled()).toBe(false);
  });
});
