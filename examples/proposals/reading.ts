/** The scripted model's way with proposals: it plans by the words of the request, and quotes the paragraphs that it was shown. It knows nothing else. */
import { quotesFor } from "../it-support/reading/quote.ts";
import { type Asked, passagesIn, requestOf, rowsIn, type ShownPassage, sourcesOf } from "../it-support/reading/sources.ts";

const asksPrice = /\b(price|cost|costs|quote|how much)\b/i;
const regions: readonly (readonly [string, RegExp])[] = [
  ["eu", /\b(eu|europe|european union)\b/i],
  ["us", /\b(us|usa|united states)\b/i],
];
/** What each thing that can be looked up is asked for by, and what it is then searched by. */
const topics: readonly (readonly [RegExp, "security" | "service", string])[] = [
  [/\b(where|stored|location|leave|support sessions)\b/i, "security", "where data stored"],
  [/\b(encrypt\w*|keys?)\b/i, "security", "encryption keys"],
  [/\b(backups?|restore)\b/i, "security", "backups"],
  [/\b(certif\w*|iso|soc)\b/i, "security", "certificates"],
  [/\b(insurance)\b/i, "security", "insurance"],
  [/\b(availab\w*|uptime)\b/i, "service", "availability"],
  [/\bmaintenance\b/i, "service", "maintenance announced"],
  [/\bsupport\b(?! sessions)/i, "service", "support hours"],
  [/\b(outage|respon\w*|incident)\b/i, "service", "response times outage"],
];

/** A plan from the request alone: a filter that the request does not name is left out, which refuses the sub-query. */
export function readPlan(asked: Asked): string {
  const text = requestOf(asked);
  const product = /\b(atlas|borealis)\b/i.exec(text)?.[1]?.toLowerCase();
  const region = regions.find(([, words]) => words.test(text))?.[0];
  const year = /\b(20\d\d)\b/.exec(text.replace(/rfp-\d{4}/gi, ""))?.[1];
  const filters = Object.fromEntries(Object.entries({ product, region, year }).filter(([, value]) => value !== undefined));
  const meant = topicsOf(text);
  return JSON.stringify({
    subQueries: (meant.length > 0 ? meant : [usual]).slice(0, 4).map(([, intent, query]) => ({ intent, query, filters })),
  });
}

type Topic = (typeof topics)[number];
/** Where nothing is recognised, as with a price alone. */
const usual: Topic = [/./, "security", "where data stored"];

function topicsOf(text: string): readonly Topic[] {
  return topics.filter(([words]) => words.test(text));
}

/** An answer from what stands in the prompt. It is eager to please: where a guarantee is asked for, it gives one. */
export function readProposal(asked: Asked): string {
  const text = requestOf(asked);
  const promise = /\bguarantee/i.test(text) ? "We guarantee: " : "";
  const claims = paragraphsFor(text, passagesIn(sourcesOf(asked))).flatMap(({ id, text: said }) =>
    sentencesIn(said).map((sentence) => ({ text: `${promise}${sentence}`, source: id, answers: partOf(id) })),
  );
  return JSON.stringify({ claims: [...claims.slice(0, 7), ...(asksPrice.test(text) ? priceFrom(asked) : [])], confidence: 93 });
}

/** The paragraph that says most of the question; of a question of several things one for each. */
function paragraphsFor(text: string, passages: readonly ShownPassage[]): readonly ShownPassage[] {
  const meant = topicsOf(text);
  if (meant.length === 0 && asksPrice.test(text)) return [];
  const queries = meant.map(([, , query]) => query);
  const [whole] = queries.length > 1 ? [] : quotesFor(withoutFilters(text), passages);
  const quotes = whole === undefined ? queries.flatMap((query) => quotesFor(query, passages).slice(0, 1)) : [whole];
  const sources = new Set(quotes.map(({ source }) => source));
  return passages.filter(({ id }) => sources.has(id));
}

function sentencesIn(text: string): readonly string[] {
  return text.replace(/\s+/g, " ").split(/(?<=[.!?]) /);
}

/** No figure of it is the model's: code renders and calculates all of them. */
function priceFrom(asked: Asked): readonly object[] {
  const sources = sourcesOf(asked);
  const [rfp] = rowsIn(sources, "rfps.byId");
  const [rate] = rowsIn(sources, "rates.forRfp");
  if (rfp === undefined || rate === undefined) return [];
  const total = "{{rate_card(rate.price_minor, rfp.seats, rfp.months, rate.discount_percent) | money}}";
  const text = `{{rfp.seats}} seats for {{rfp.months}} months cost ${total}.`;
  return [{ text, source: rfp.id, alsoFrom: [rate.id], answers: "price" }];
}

function partOf(source: string): "security" | "service" {
  return source.includes("service") ? "service" : "security";
}

/** Product, region and year stand in every paragraph; what is asked is the rest. */
function withoutFilters(text: string): string {
  return text.replace(/\b(rfp-\d{4}|atlas|borealis|eu|us|20\d\d)\b/gi, " ");
}
