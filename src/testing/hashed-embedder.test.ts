import { describe, expect, it } from "vitest";
import { embedderRules } from "./embedder-conformance.ts";
import { hashedEmbedder } from "./hashed-embedder.ts";

describe("the hashed embedder", () => {
  it.each(embedderRules)("$name", async ({ broken }) => {
    expect(await broken(hashedEmbedder())).toBeNull();
    expect(await broken(hashedEmbedder({ dimensions: 32 }))).toBeNull();
  });

  it("says that it is none", () => {
    expect(hashedEmbedder().isFake).toBe(true);
  });

  it("puts what is spelt alike nearer than what is not", async () => {
    const embedder = hashedEmbedder();
    const [query, near, far] = await embedder.embedDocuments(["replacing laptops", "the laptop is replaced", "canteen hours"]);
    const product = (one: Float32Array = new Float32Array()) =>
      one.reduce((sum, value, at) => sum + value * (query?.[at] ?? 0), 0);
    expect(product(near)).toBeGreaterThan(product(far) + 0.1);
  });
});

describe("the rules of embedders", () => {
  const good = hashedEmbedder({ dimensions: 64 });
  it.each([
    ["norm 1", { embedQuery: async () => new Float32Array(64).fill(1) }],
    ["in their order", { embedDocuments: async (texts: readonly string[]) => (await good.embedDocuments(texts)).toReversed() }],
    ["names itself", { name: "No Name" }],
    ["the same vector", { embedQuery: async () => good.embedQuery("always this") }],
    ["odd", { embedDocuments: async (texts: readonly string[]) => (await good.embedDocuments(texts)).slice(0, 4) }],
  ])("fail an embedder without %s", async (_, flaw) => {
    const results = await Promise.all(embedderRules.map(({ broken }) => broken({ ...good, ...flaw })));
    expect(results.filter((one) => one !== null)).not.toHaveLength(0);
  });
});
