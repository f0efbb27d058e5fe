import { expect, it } from "vitest";
import { modelsOf } from "../../src/define/models-of.ts";
import decide from "./decide.ts";
import { model } from "./model.ts";
import project from "./project.ts";
import sandbox from "./sandbox.ts";

it("asks the local model for everything, by an id that its server would be given", () => {
  const named = modelsOf(project);
  expect(named.length).toBeGreaterThanOrEqual(3);
  for (const one of named) expect(one.model).toEqual(model);
  expect(decide.providers.map(({ name, refusalOf }) => [name, refusalOf?.(model)])).toEqual([["local", null]]);
});

it("opens no slice for a model that nobody has watched", () => {
  expect(sandbox.slices).toEqual([]);
});
