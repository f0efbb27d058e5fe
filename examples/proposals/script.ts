/**
 * The replies of the demo's model, written by hand and keyed on the request. They are a script and say so wherever they show; some are wrong on
 * purpose, so that it shows what happens then.
 */
import type { ScriptLine } from "countersign/testing";

const planner = /^You plan what is looked up/;
const atlasEu = { product: "atlas", region: "eu", year: "2026" };
const atlasUs = { ...atlasEu, region: "us" };
const borealis = { ...atlasEu, product: "borealis" };
const security = (position: number, of = "atlas-security-eu:4.0") => `passage:${of}:${position}`;
const service = (position: number, of = "atlas-service-eu:2.1") => `passage:${of}:${position}`;

/** Where several lines match, the first one speaks. */
export const script: readonly ScriptLine[] = [
  // Plans that are not sent, in whole or in part.
  plan(/every region/, [["security", "backups", { product: "atlas", year: "2026" }]]),
  plan(/forgets a filter/, [
    ["security", "where data stored", atlasEu],
    ["service", "availability", { product: "atlas" }],
  ]),
  plan(/as it was for others/, [["security", "where data stored", atlasUs]]),
  // Good ones.
  plan(/rfp-2032.*backups/, [["security", "backups", atlasUs]]),
  plan(/rfp-2032/, [["service", "availability", atlasUs]]),
  plan(/rfp-2033/, [["security", "where data stored", borealis]]),
  plan(/unicorns/, [["security", "unicorn stables insurance", atlasEu]]),
  plan(/available.*where|where.*available/i, [
    ["security", "where data stored", atlasEu],
    ["service", "availability", atlasEu],
  ]),
  plan(/available|maintenance/i, [["service", "availability maintenance", atlasEu]]),
  plan(/support|outage|respon/i, [["service", "support hours response outage", atlasEu]]),
  plan(/certif/i, [["security", "certificates", atlasEu]]),
  plan(/encrypt|keys/i, [["security", "encryption keys", atlasEu]]),
  plan(/backup|restore/i, [["security", "backups", atlasEu]]),
  plan(/./, [["security", "where data stored", atlasEu]]),
  // Answers that are wrong: a figure, a name, a citation, a price of its own.
  answer(/exaggerate/, [["Atlas is available for 99.99 percent of each month.", service(1), "service"]]),
  answer(/in Zurich/, [["Customer data of Atlas is stored in Zurich.", security(1), "security"]]),
  answer(/half right/, [
    ["Backups are made every 6 hours.", security(3), "security"],
    ["Backups are kept for 90 days.", security(3), "security"],
  ]),
  answer(/cite freely/, [["Atlas is certified under ISO 27001.", "passage:atlas-brochure:1.0:1", "security"]]),
  answer(/just guess/, [["It costs 50,000 EUR.", "rfps.byId:rfp-2031", "price"]]),
  answer(/in your own words/, [["Our happy engineers love solving difficult puzzles together.", security(1), "security"]]),
  answer(/unicorns/, []),
  // Answers that are right.
  answer(/rfp-2032.*(price|cost)/i, [price("rfp-2032", "rate-03")]),
  answer(/rfp-2032.*backups/, [
    ["Backups are made every 12 hours and kept for 30 days.", security(3, "atlas-security-us:4.0"), "security"],
  ]),
  answer(/rfp-2032/, [["Atlas is available for 99.9 percent of each month.", service(1, "atlas-service-us:2.1"), "service"]]),
  answer(/rfp-2033.*(price|cost)/i, [price("rfp-2033", "rate-05")]),
  answer(/rfp-2033/, [
    ["Customer data of Borealis is stored in Stockholm alone.", security(1, "borealis-security-eu:1.3"), "security"],
  ]),
  answer(/price|cost|how much/i, [price("rfp-2031", "rate-02")]),
  answer(/available.*where|where.*available/i, [
    ["Customer data of Atlas is stored in Frankfurt and Dublin alone.", security(1), "security"],
    ["Atlas is available for 99.95% of each month.", service(1), "service"],
  ]),
  answer(/maintenance/, [["Planned maintenance is announced ten days ahead and lasts 2 hours at most.", service(1), "service"]]),
  answer(/available/, [["Atlas is available for 99.95 percent of each month.", service(1), "service"]]),
  answer(/support/, [
    ["Support answers from Monday to Friday between 7 am and 7 pm Central European Time.", service(2), "service"],
  ]),
  answer(/outage|respon/, [["A report of an outage is answered within 15 minutes.", service(3), "service"]]),
  answer(/certif/i, [["The certificates under ISO 27001 and ISO 27018 were renewed on 2026-01-14.", security(4), "security"]]),
  answer(/encrypt|keys/i, [
    ["Data is encrypted with AES-256 at rest, and keys are changed every 90 days.", security(2), "security"],
  ]),
  answer(/backup|restore/i, [["Backups are made every six hours and kept for 35 days.", security(3), "security"]]),
  answer(/./, [["Customer data of Atlas is stored in Frankfurt and Dublin alone.", security(1), "security"]]),
];

function plan(when: RegExp, subQueries: readonly (readonly [intent: string, query: string, filters: object])[]): ScriptLine {
  const planned = subQueries.map(([intent, query, filters]) => ({ intent, query, filters }));
  return { purpose: "plan", when, system: planner, replies: [JSON.stringify({ subQueries: planned })] };
}

type Said = readonly [text: string, source: string, answers: string, alsoFrom?: readonly string[]];

function answer(when: RegExp, claims: readonly Said[]): ScriptLine {
  const said = claims.map(([text, source, answers, alsoFrom]) => ({
    text,
    source,
    answers,
    ...(alsoFrom === undefined ? {} : { alsoFrom }),
  }));
  return { purpose: "decide", when, replies: [JSON.stringify({ claims: said, confidence: 93 })] };
}

/** No figure of it is the model's: code renders and calculates all of them. */
function price(rfp: string, rate: string): Said {
  const total = "{{rate_card(rate.price_minor, rfp.seats, rfp.months, rate.discount_percent) | money}}";
  return [`{{rfp.seats}} seats for {{rfp.months}} months cost ${total}.`, `rfps.byId:${rfp}`, "price", [`rates.forRfp:${rate}`]];
}
