import type { Spans } from "../contract/ports.ts";

/** One send of an effect or the separate look after it, as a span: which effect and what came of it, nothing of what was sent or seen. */
export function inEffectSpan<T extends Came>(
  { spans, effect, look }: { spans: Spans | null; effect: string; look: "send" | "after" },
  work: () => Promise<T>,
): Promise<T> {
  if (spans === null) return work();
  const attributes = { "countersign.effect": effect, "countersign.look": look };
  return spans.within({ name: `effect ${effect}`, attributes }, async (note) => {
    const came = await work();
    note({ "countersign.outcome": came.kind === "seen" ? came.judged.verdict : came.kind });
    return came;
  });
}

/** What came of it, as far as a span tells it. */
type Came =
  | { readonly kind: "accepted" | "unsent" | "unknown" | "unreadable" }
  | { readonly kind: "seen"; readonly judged: { readonly verdict: string } };
