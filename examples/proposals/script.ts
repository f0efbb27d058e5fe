/**
 * The demo's model. It is a script and says so wherever its replies show. Most of its replies are read out of the prompt by plain rules
 * (`reading.ts`); some are written by hand and wrong on purpose, so that it shows what happens then.
 */
import type { ScriptLine } from "countersign/testing";
import { readPlan, readProposal } from "./reading.ts";

const planner = /^You plan what is looked up/;
const atlasEu = { product: "atlas", region: "eu", year: "2026" };
const atlasUs = { ...atlasEu, region: "us" };
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
  // Whatever else is asked is planned from the request and answered from what stands in the prompt.
  { purpose: "plan", when: /./, system: planner, replies: [readPlan] },
  { purpose: "decide", when: /./, replies: [readProposal] },
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
