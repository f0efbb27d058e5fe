import type { ContextItem } from "../contract/context.ts";
import { CountersignError } from "../contract/errors.ts";
import { atPointer, type Json, type JsonObject } from "../contract/json.ts";
import type { KnownValue } from "../contract/privacy.ts";
import type { Proposal } from "../contract/proposal.ts";
import type { StopReason } from "../contract/words.ts";
import { openKnownValues } from "../decide/known-values.ts";
import { textAt, textsAt } from "../ledger/fields.ts";
import type { DecisionStory } from "../ledger/story.ts";
import { type EvalCase, evalCase } from "./case-file.ts";
import { factName } from "./fact-name.ts";

/** A failure, and what a person made of it. */
export interface Failed {
  readonly story: DecisionStory;
  /** The decision that stands in its place, where a person edited it. */
  readonly successor: DecisionStory | null;
}

/** What a person says would have been right, where what they did does not say it. */
export interface Right {
  readonly decision?: string;
  readonly refuses?: boolean;
  readonly label: EvalCase["label"];
}

/** The parts of an eval case that hold what people wrote; they are cleaned of personal data together, so that one value has one stand-in. */
export interface Written {
  readonly principal: string;
  readonly request: string | JsonObject;
  readonly fixtures: { readonly [kind: string]: readonly string[] };
  readonly statements: readonly string[];
  readonly required: readonly Wanted[];
  readonly forbidden: readonly Wanted[];
}

interface Wanted {
  readonly effect: string;
  readonly params: JsonObject;
}

/** The id of the eval case that comes of a decision: one each. */
function caseIdOf(decisionId: string): string {
  return `from-${decisionId}`;
}

/** What was written in a failure and in what a person made of it. Throws `bad_request` where its inputs were not kept or are erased. */
export function writtenIn({ story, successor }: Failed): Written {
  const { outcome } = story;
  const inputs = outcome.bodies["inputs"];
  if (typeof inputs !== "object" || inputs === null || Array.isArray(inputs))
    throw new CountersignError(
      "bad_request",
      "its inputs were not kept, or are erased by now: an eval case must say what was asked",
    );
  const items = itemsOf(outcome.bodies["context"]);
  const ids = (kind: ContextItem["kind"]) => items.filter((item) => item.kind === kind).map(nameOf);
  const given = inputs as JsonObject; // looked at above
  return {
    principal: story.requestedBy,
    request: Object.keys(given).length === 1 && typeof given["text"] === "string" ? given["text"] : given,
    fixtures: { passages: ids("passage"), records: ids("record"), facts: ids("fact") },
    statements: statementsOf(story),
    ...effectsOf(story, successor),
  };
}

/** An answer that was rejected said something wrong. Of a proposal with effects the effects were: what it says of the records may well be true. */
function statementsOf(story: DecisionStory): readonly string[] {
  const { proposal } = story;
  return proposal === null || proposal.effects.length > 0 || !wasRejected(story) ? [] : proposal.claims.map(({ text }) => text);
}

/** Values of people that the decision was about, for the cleaning. Throws `record_unavailable` where they are more than a decision may hold. */
export function knownIn({ outcome }: DecisionStory): readonly KnownValue[] {
  const values = openKnownValues();
  const attributes = (outcome.bodies["attributes"] ?? {}) as JsonObject; // an account's attributes, as the walk leaves them
  values.learn([attributes, ...itemsOf(outcome.bodies["context"]).flatMap((item) => (item.kind === "record" ? [item.row] : []))]);
  return values.all();
}

/**
 * Makes the eval case of a failure from what is left of it after cleaning. What must come is what the person did: another decision, or
 * not this one; of an operation that went wrong, that it is carried out. Throws `bad_request` where nobody has said what is right.
 */
export function caseFromDecision({ story, successor }: Failed, written: Written, right: Right): EvalCase {
  const { outcome } = story;
  const { body } = outcome;
  const made = {
    id: caseIdOf(story.decisionId),
    request: written.request,
    envelope: { principal: written.principal, roles: textsAt(body, "roles"), at: new Date(outcome.ts).toISOString() },
    fixtures: { seed: "sandbox", ...written.fixtures },
    expectations: expectedOf({ story, successor }, written, right),
    label: right.label,
    kind: kindOf(story),
    slice: textAt(body, "slice") ?? "all",
    source: `decision ${story.decisionId}`,
  };
  const parsed = evalCase.safeParse(made);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new CountersignError("bad_request", `no eval case can be made of it: ${issue?.path.join("/")}: ${issue?.message}`);
}

function expectedOf({ story, successor }: Failed, { statements, required, forbidden }: Written, { decision, refuses }: Right) {
  const label = decision ?? (successor === null ? null : textAt(successor.outcome.body, "label"));
  const expected = {
    ...(label === null ? {} : { decision: label }),
    ...(refuses === true ? { refuses } : {}),
    ...(statements.length === 0 ? {} : { statements: { forbidden: statements } }),
    ...(required.length + forbidden.length === 0 ? {} : { effects: { required, forbidden } }),
    ...(successor === null && wentWrong(story) ? { applied: true } : {}),
  };
  if (Object.keys(expected).length > 0) return expected;
  const message = "nobody has said what would have been right: say it with --decision or --refuses";
  throw new CountersignError("bad_request", message);
}

/** What a person edited is wanted as they edited it; what they rejected is not wanted; what went wrong at the target is wanted done. */
function effectsOf(story: DecisionStory, successor: DecisionStory | null): Pick<Written, "required" | "forbidden"> {
  const [before, after] = [wantedOf(story.proposal), wantedOf(successor?.proposal ?? null)];
  const isIn = (one: Wanted, others: readonly Wanted[]) => others.some((other) => JSON.stringify(other) === JSON.stringify(one));
  if (successor !== null) return { required: after, forbidden: before.filter((one) => !isIn(one, after)) };
  if (wasRejected(story)) return { required: [], forbidden: before };
  return { required: wentWrong(story) ? before : [], forbidden: [] };
}

function wantedOf(proposal: Proposal | null): readonly Wanted[] {
  return (proposal?.effects ?? []).map(({ effect, params }) => ({ effect, params: params as JsonObject })); // params are objects
}

function wasRejected({ following }: DecisionStory): boolean {
  return following.some(({ kind }) => kind === "rejected");
}

/** An effect was not seen complete, or a person was called. */
function wentWrong({ following, operations }: DecisionStory): boolean {
  return (
    following.some(({ kind }) => kind === "escalated") ||
    operations.some(({ state }) => state === "failed" || state === "compensated")
  );
}

const borders: readonly (StopReason | null)[] = ["not_in_sources", "knowledge_unavailable", "record_unavailable"];

function kindOf({ outcome, proposal }: DecisionStory): EvalCase["kind"] {
  const stop = atPointer(outcome.body, "/stop/reason");
  if (borders.includes((stop ?? null) as StopReason | null) || (proposal?.refusal ?? null) !== null) return "boundary";
  return new Set(proposal?.claims.map(({ source }) => source)).size > 1 ? "multi" : "single";
}

function itemsOf(context: Json | undefined): readonly ContextItem[] {
  return Array.isArray(context) ? (context as unknown as readonly ContextItem[]) : []; // as the walk leaves them
}

/** What a case names an item by: the id of a fact is that of one installation. */
function nameOf(item: ContextItem): string {
  return item.kind === "fact" ? factName(item) : item.id;
}
