import type { ContextItem } from "../../contract/context.ts";
import type { Claim } from "../../contract/proposal.ts";
import type { EvalCase } from "../case-file.ts";
import type { Score } from "../eval-run.ts";
import type { Played } from "../played.ts";
import {
  expectsRefusal,
  itemNames,
  itemOf,
  letThrough,
  listed,
  namesOf,
  plain,
  required,
  type Scorer,
  share,
  watched,
} from "./scoring.ts";

/** Answers: the decision itself, what it says and does not say, what it rests on, and that it refuses where it should. */
export const scoreAnswers: Scorer = ({ one }, played) => [
  ...matches(one, played),
  ...refusal(one, played),
  ...statements(one, played),
  ...support(one, played),
];

/** The decision's own word and the words of its routing, each against the closed list that the case gives. */
function matches({ expectations: { decision, route, rule, stop } }: EvalCase, { outcome }: Played): readonly Score[] {
  const expected = [
    { name: "decision", wanted: decision, came: outcome.label },
    { name: "route", wanted: route, came: outcome.route },
    { name: "rule", wanted: rule === undefined ? undefined : [rule], came: outcome.rule },
    { name: "stop", wanted: stop === undefined ? undefined : [stop], came: outcome.stop },
  ];
  return expected.flatMap(({ name, wanted, came }) => {
    if (wanted === undefined) return [];
    const instead = came === null && outcome.stop !== null ? `none, stopped by \`${outcome.stop}\`` : `\`${came ?? "none"}\``;
    const isOne = (wanted as readonly string[]).includes(came ?? "");
    return [required(`answers.${name}`, isOne ? 1 : 0, `expected the ${name} ${listed(wanted)}, and it was ${instead}`)];
  });
}

function refusal({ expectations: { refuses } }: EvalCase, played: Played): readonly Score[] {
  if (refuses === undefined) return [];
  const why = refuses ? "expected a refusal, and something was answered or proposed" : "expected an answer, and it was refused";
  return [required("answers.refusal", refusesAll(played) === refuses ? 1 : 0, why)];
}

/** Turned away at the door, stopped, held back, or refused in the capability's own words. */
function refusesAll({ decision, outcome }: Played): boolean {
  if (decision === null || outcome.stop !== null || outcome.route === "reject") return true;
  return decision.refusal !== null;
}

function statements({ expectations: { statements: expected } }: EvalCase, { outcome }: Played): readonly Score[] {
  const told = plain(outcome.text);
  const isTold = (statement: string): boolean => told.includes(plain(statement));
  const missing = expected.required.filter((statement) => !isTold(statement));
  const wrong = expected.forbidden.filter(isTold);
  const complete = share(expected.required, isTold);
  return [
    ...(expected.required.length === 0
      ? []
      : [
          required("answers.required_statements", missing.length === 0 ? 1 : 0, `expected ${listed(missing)} to be told`),
          watched("answers.completeness", complete),
        ]),
    ...(expected.forbidden.length === 0
      ? []
      : [required("answers.forbidden_statements", wrong.length === 0 ? 1 : 0, `expected ${listed(wrong)} not to be told`)]),
  ];
}

/** Asked of cases that want an answer with sources, and of every answer that was given. */
function support(one: EvalCase, played: Played): readonly Score[] {
  const { evidence, statements: expected } = one.expectations;
  const { claims, droppedClaims, effects } = letThrough(played);
  const wantsAnswer = !expectsRefusal(one) && (evidence.length > 0 || expected.required.length > 0);
  const isAnswer = claims.length + droppedClaims.length > 0;
  const isProposal = effects.length > 0;
  if (!isAnswer && (isProposal || !wantsAnswer)) return [];
  if (!isAnswer) return [watched("answers.groundedness", null, "nothing was answered, so there is no claim to look at")];
  const borne = claims.filter((claim) => isBorneOut(claim, played));
  return [
    watched("answers.groundedness", borne.length / (claims.length + droppedClaims.length)),
    citations(claims, played),
    ...(evidence.length === 0 || expectsRefusal(one) ? [] : [restsOn(evidence, played)]),
  ];
}

function citations(claims: readonly Claim[], played: Played): Score {
  const loaded = itemNames(played);
  const gone = claims.flatMap(sourcesOf).filter((id) => !loaded.has(id));
  return required(
    "answers.citation_resolves",
    gone.length === 0 ? 1 : 0,
    `expected every source to be loaded, and not ${listed(gone)}`,
  );
}

function restsOn(evidence: readonly string[], played: Played): Score {
  const sources = (played.decision?.claims ?? []).flatMap(sourcesOf);
  const names = (played.items ?? []).flatMap((item) => (sources.includes(item.id) ? namesOf(item) : []));
  const missing = evidence.filter((id) => ![...sources, ...names].includes(id));
  return required("answers.rests_on", missing.length === 0 ? 1 : 0, `expected the answer to rest on ${listed(missing)} too`);
}

function sourcesOf({ source, also = [] }: Claim): readonly string[] {
  return [source, ...also.map((one) => one.source)];
}

/**
 * A claim that was not dropped, looked at again without the code that dropped the others: its source was loaded, and each number that it
 * takes from passages stands in one of them. Numbers of records are rendered and calculated by code.
 */
function isBorneOut(claim: Claim, played: Played): boolean {
  const items = sourcesOf(claim).map((id) => itemOf(played, id));
  if (!items.every((item) => item !== undefined)) return false;
  if ((claim.workings ?? []).length > 0 || !items.every(isPassage)) return true;
  const said = new Set(items.flatMap(({ title, section, text }) => numbersIn(`${title} ${section} ${text}`)));
  return numbersIn(claim.text).every((number) => said.has(number));
}

function isPassage(item: ContextItem): item is ContextItem & { kind: "passage" } {
  return item.kind === "passage";
}

function numbersIn(text: string): readonly string[] {
  return text.match(/\d+(?:[.,:]\d+)*/g) ?? [];
}
