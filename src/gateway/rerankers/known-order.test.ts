import { expect, it } from "vitest";
import type { Reranker } from "../../contract/reranker.ts";
import { checkKnownOrder, knownOrder } from "./known-order.ts";
import { openReranker } from "./open-reranker.ts";

/** Knows the right answers by heart; `sign` turns its scores round. */
function knowing({ sign = 1, forgets = null }: { sign?: number; forgets?: string | null } = {}): Reranker {
  const better = new Set(knownOrder.filter(({ query }) => query !== forgets).map((one) => one.better));
  return {
    name: "knowing",
    version: "1",
    isFake: true,
    score: async (_, texts) => texts.map((text) => sign * (better.has(text) ? 2 : 1)),
  };
}

it("passes a reranker that orders what everybody can order, code included", async () => {
  await expect(checkKnownOrder(knowing())).resolves.toBeUndefined();
  expect(knownOrder.length).toBeGreaterThanOrEqual(10);
  expect(knownOrder.filter(({ better }) => better.includes("```")).length).toBeGreaterThanOrEqual(3);
});

it.each([
  ["turns its scores round", knowing({ sign: -1 })],
  ["misorders one pair", knowing({ forgets: knownOrder[3]?.query ?? "" })],
  ["gives every text one score", { ...knowing(), score: async (_: string, texts: readonly string[]) => texts.map(() => 0.5) }],
  ["counts places", { ...knowing(), score: async (_: string, texts: readonly string[]) => texts.map((_text, at) => at) }],
  ["gives no numbers", { ...knowing(), score: async () => [] }],
])("refuses at the start one that %s", async (_, reranker) => {
  const source = { name: "knowing", secret: null, open: async () => reranker };
  await expect(openReranker(source, { secret: () => "" })).rejects.toMatchObject({ code: "configuration_invalid" });
});
