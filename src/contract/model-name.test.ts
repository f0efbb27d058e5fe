import fc from "fast-check";
import { expect, it } from "vitest";
import { modelName, parseModelName, readModelName } from "./model-name.ts";

it("a booked name is read as it was written, whatever slashes the id has", () => {
  const provider = fc.stringMatching(/^[a-z0-9][a-z0-9_.-]{0,20}$/);
  const id = fc.string({ minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(provider, id, (of, one) => {
      expect(parseModelName(modelName({ provider: of, id: one }))).toEqual({ provider: of, id: one });
    }),
  );
  expect(parseModelName("local/hf.co/acme/tuned:7b")).toEqual({ provider: "local", id: "hf.co/acme/tuned:7b" });
});

it.each(["", "none", "unknown", "/m-1", "openai/", "/"])("what names no model is none: `%s`", (text) => {
  expect(parseModelName(text)).toBeNull();
  expect(() => readModelName(text)).toThrow("is written as `provider/id`");
});
