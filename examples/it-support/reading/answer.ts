/** The scripted model's way with questions: it quotes the passages that it was shown, and points at records and facts. */
import { categoriesIn } from "./devices.ts";
import { type Quote, quotesFor } from "./quote.ts";
import { type Asked, passagesIn, requestOf, rowsIn, type ShownSource, sourcesOf } from "./sources.ts";

/** An answer from what stands in the prompt. */
export function readAnswer(asked: Asked): string {
  const question = requestOf(asked);
  const sources = sourcesOf(asked);
  const claims = [...ofFacts(sources), ...ofDevices(question, sources), ...quotesFor(question, passagesIn(sources))];
  return JSON.stringify({ claims: claims.slice(0, 6), confidence: claims.length === 0 ? 85 : 92 });
}

/** Who leads a team, as each fact that it was shown says; it cannot tell one that holds from one that does not. */
function ofFacts(sources: readonly ShownSource[]): readonly Quote[] {
  return sources.flatMap(({ id, predicate, true: window }) => {
    if (predicate !== "it_lead") return [];
    const isOver = String(window).includes("until before");
    const text = isOver
      ? "The IT lead was {{team.object}}, from {{team.from}} until before {{team.until}}."
      : "The IT lead is {{team.object}}, from {{team.from}} on.";
    return [{ text, source: id }];
  });
}

function ofDevices(question: string, sources: readonly ShownSource[]): readonly Quote[] {
  if (!/\b(my|do i have|mein)\b/i.test(question) || !/\b(which|what|is my|under|still|warr)/i.test(question)) return [];
  const categories = categoriesIn(question);
  const rows = rowsIn(sources, "devices.ofPerson").filter(({ row }) => categories.includes(String(row["category"])));
  return rows.length !== 1
    ? []
    : rows.map(({ id, row }) => ({
        text: `Your ${row["category"]} is a {{device.model}}, bought on {{device.bought_on}}.`,
        source: id,
      }));
}
