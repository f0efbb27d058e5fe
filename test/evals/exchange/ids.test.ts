import { describe, expect, it } from "vitest";
import { readLangfuse } from "../../../src/evals/exchange/read-langfuse.ts";
import { readPromptfoo } from "../../../src/evals/exchange/read-promptfoo.ts";

const defaults = { principal: "emp-104", roles: ["employee"], slice: "imported" };

describe("ids of cases", () => {
  const long = "What is the very long description of a thing that goes on and on";
  const slug = "what-is-the-very-long-description-of-a-thing-that-goes-o";

  it("are numbered where descriptions begin alike, and no case is lost; the place is told", () => {
    const assert = [{ type: "is-refusal" }];
    const tests = ["one", "two", "three"].map((end, place) => ({
      description: `${long} ${end}`,
      vars: { q: `q${place}` },
      assert,
    }));
    const named = { vars: { q: "named" }, metadata: { countersign: { id: `${slug}-2` } }, assert };
    const { cases, notes } = readPromptfoo(JSON.stringify({ tests: [...tests, named] }), defaults);
    expect(cases.map(({ id, request }) => [id, request])).toEqual([
      [slug, "q0"],
      [`${slug}-3`, "q1"],
      [`${slug}-4`, "q2"],
      [`${slug}-2`, "named"],
    ]);
    expect(notes).toEqual([
      { at: "tests/1", what: slug, fate: "changed", why: `another case has this id; it is \`${slug}-3\` here` },
      { at: "tests/2", what: slug, fate: "changed", why: `another case has this id; it is \`${slug}-4\` here` },
    ]);
  });

  it("that stand in the file twice leave the second out, with its place", () => {
    const one = { vars: { q: "a" }, assert: [{ type: "is-refusal" }], metadata: { countersign: { id: "mine" } } };
    const { cases, notes } = readPromptfoo(JSON.stringify({ tests: [one, one] }), defaults);
    expect(cases).toHaveLength(1);
    expect(notes).toMatchObject([{ at: "tests/1", what: "mine", fate: "left_out" }]);
  });

  it("are numbered for the items of a dataset too", () => {
    const items = ["a b", "a-b"].map((id) => ({ id, input: "x", expectedOutput: { refuses: true } }));
    const { cases } = readLangfuse(JSON.stringify(items), { form: "json", defaults });
    expect(cases.map(({ id }) => id)).toEqual(["a-b", "a-b-2"]);
  });
});
