import { describe, expect, it } from "vitest";
import type { Provider } from "../contract/model.ts";
import { fixedClock } from "../testing/fixed.ts";
import { lineFor, openLines } from "./lines.ts";

const clock = fixedClock(0);

describe("the registered providers", () => {
  it("hold none that is not scripted unless it is registered with the boundary off", () => {
    const real = { ...provider("served"), isScripted: false };
    expect(() => openLines([real], clock)).toThrow(/`served` would be sent text as it is/);
    expect(openLines([{ ...real, boundary: "off" }], clock).size).toBe(1);
  });

  it("hold no two of one name", () => {
    expect(() => openLines([provider("a"), provider("a")], clock)).toThrow(/`a` is registered twice/);
  });

  it("are found by name, and what is not there is named beside what is", () => {
    const lines = openLines([provider("a"), provider("b")], clock);
    const model = { id: "m-1", effort: "none", temperature: null } as const;
    expect(lineFor(lines, { ...model, provider: "b" }).provider.name).toBe("b");
    expect(() => lineFor(lines, { ...model, provider: "c" })).toThrow(/`c`, and no provider is registered .* `a`, `b`$/);
  });
});

function provider(name: string): Provider {
  return { name, isScripted: true, complete: () => Promise.reject(new Error("never asked here")) };
}
