import { describe, expect, it } from "vitest";
import type { Provider } from "../contract/model.ts";
import { fixedClock } from "../testing/fixed.ts";
import { lineFor, openLines } from "./lines.ts";

const clock = fixedClock(0);
const unbounded = { clock, hasBoundary: false };

describe("the registered providers", () => {
  it("hold none that belongs behind a boundary where there is none, also a script that is put there", () => {
    const real = { ...provider("served"), isScripted: false };
    for (const one of [real, { ...provider("served"), boundary: "on" as const }])
      expect(() => openLines([one], unbounded)).toThrow(/`served` would be sent text as it is/);
    expect(openLines([{ ...real, boundary: "off" }], unbounded).get("served")?.isBounded).toBe(false);
  });

  it("are behind the boundary unless they are scripts or say that it is off, and elsewhere unless they say where", () => {
    const real = { ...provider("real"), isScripted: false };
    const all = [
      real,
      { ...real, name: "off", boundary: "off" as const },
      provider("script"),
      { ...real, name: "eu", region: "eu" },
    ];
    const lines = openLines(all, { clock, hasBoundary: true });
    const told = [...lines].map(([name, { isBounded, region }]) => [name, isBounded, region]);
    expect(told).toEqual([
      ["real", true, "elsewhere"],
      ["off", false, "elsewhere"],
      ["script", false, "elsewhere"],
      ["eu", true, "eu"],
    ]);
  });

  it("stay as they were registered, whatever becomes of what was handed over", () => {
    const real = { ...provider("real"), isScripted: false };
    const lines = openLines([real], { clock, hasBoundary: true });
    Object.assign(real, { isScripted: true, boundary: "off" });
    expect(lines.get("real")?.isBounded).toBe(true);
  });

  it("hold no two of one name", () => {
    expect(() => openLines([provider("a"), provider("a")], unbounded)).toThrow(/`a` is registered twice/);
  });

  it("are found by name, and what is not there is named beside what is", () => {
    const lines = openLines([provider("a"), provider("b")], unbounded);
    const model = { id: "m-1", effort: "none", temperature: null } as const;
    expect(lineFor(lines, { ...model, provider: "b" }).provider.name).toBe("b");
    expect(() => lineFor(lines, { ...model, provider: "c" })).toThrow(/`c`, and no provider is registered .* `a`, `b`$/);
  });
});

function provider(name: string): Provider {
  return { name, isScripted: true, complete: () => Promise.reject(new Error("never asked here")) };
}
