import type { RunCaps } from "../contract/budget.ts";
import { faultOfCalibration } from "../contract/calibration.ts";
/**
 * Definitions: what a team writes. Pure; checks each definition when it is made and returns a frozen value.
 * Never runs a definition and knows no database, model or clock.
 */
import type { Capability, Check, Deciding, Judge, OutputRules } from "../contract/capability.ts";
import { CountersignError } from "../contract/errors.ts";
import { deepFreeze, type JsonObject } from "../contract/json.ts";
import { idPattern, limits } from "../contract/limits.ts";
import { mostRetentionDays, type Retention } from "../contract/retention.ts";
import { jsonSchemaOf, type Schema } from "../contract/schema.ts";
import { checkCalculations } from "./calculation.ts";
import { checkLoop } from "./check-loop.ts";
import { checkModel, checkSecond } from "./check-model.ts";
import { checkRetrieval } from "./check-retrieval.ts";
import { checkRemembers } from "./remembers.ts";

/** What must be said of a capability; the rest has defaults that fail closed. */
export type CapabilityDefinition<I, D> = Pick<
  Capability<I, D>,
  "name" | "version" | "owner" | "description" | "openTo" | "needs" | "deciding" | "checks" | "propose"
> &
  Partial<
    Pick<
      Capability<I, D>,
      | "refuses"
      | "examples"
      | "preCheck"
      | "maxRetries"
      | "onNonConforming"
      | "judge"
      | "slice"
      | "review"
      | "effects"
      | "calculations"
      | "caps"
      | "remembers"
      | "keepsInputs"
      | "retention"
      | "keepsWaiting"
      | "label"
      | "modelConfidence"
      | "minimumGroundedPpm"
      | "retrieval"
      | "contextTokens"
      | "calibration"
      | "autonomy"
    >
  > & {
    readonly input: Schema<I>;
    readonly decision: Schema<D>;
    readonly output?: Partial<OutputRules>;
  };

/**
 * Defines a named, versioned kind of decision. Throws `definition_invalid` where the definition breaks a rule.
 * @example
 * defineCapability({
 *   name: "close_ticket", version: "1", owner: "service-desk", description: "Close a ticket that is solved.",
 *   openTo: ["employee"], input: z.strictObject({ ticket: z.string() }), decision: z.strictObject({ close: z.boolean() }),
 *   needs: ({ inputs }) => [{ kind: "records", name: "ticket", query: "tickets.byId", params: { id: inputs.ticket }, maxAgeMs: 30_000 }],
 *   deciding: { kind: "rule", version: "1", rule: ({ context }) => ({ close: rowsOf(context, "ticket")[0]?.row["solved"] === true }) },
 *   checks: [], propose: ({ decision }) => ({ summary: decision.close ? "The ticket can be closed" : "The ticket stays open" }),
 * });
 */
export function defineCapability<I, D>(definition: CapabilityDefinition<I, D>): Capability {
  const capability: Capability<I, D> = {
    refuses: null,
    examples: [],
    preCheck: () => ({ kind: "pass" }),
    maxRetries: limits.maxRetries,
    onNonConforming: "reject",
    judge: null,
    slice: () => "all",
    review: "by_route",
    effects: [],
    calculations: [],
    remembers: [],
    keepsInputs: false,
    keepsWaiting: false,
    modelConfidence: () => null,
    label: () => "decided",
    ...definition,
    decisionJson: shownSchema(definition.name, definition.decision),
    output: { maxTextLength: 4000, linkHosts: [], forbidden: [], ...definition.output },
  };
  checkCapability(capability);
  // The type parameters end here on purpose: the graph hands each function only what this capability's own schemas parsed,
  // so the functions see the types that they were written against.
  return Object.freeze(capability) as unknown as Capability;
}

function checkCapability<I, D>(capability: Capability<I, D>): void {
  const named = `capability \`${capability.name}\``;
  if (!idPattern.test(capability.name))
    throw invalid(`${named} has not the form of an id: lower case, digits, \`_.-\`, at most 63`);
  if (!/^[0-9A-Za-z.-]{1,40}$/.test(capability.version)) throw invalid(`${named} needs a version such as \`1\` or \`2.1\``);
  if (capability.owner.trim() === "") throw invalid(`${named} needs an owner`);
  if (capability.refuses?.trim() === "")
    throw invalid(`${named} says with an empty text when it declines; leave it out or say it`);
  if (!Number.isInteger(capability.maxRetries) || capability.maxRetries < 0 || capability.maxRetries > limits.maxRetries)
    throw invalid(`${named} may retry 0 to ${limits.maxRetries} times`);
  checkCaps(named, capability.caps ?? {});
  checkRetention(named, capability.retention ?? {});
  checkOutput(named, capability.output);
  const { minimumGroundedPpm: least = 0 } = capability;
  if (!Number.isInteger(least) || least < 0 || least > 1_000_000)
    throw invalid(`${named} needs a \`minimumGroundedPpm\` from 0 to 1000000 parts per million`);
  checkAutonomy(named, capability);
  checkCalculations(named, capability.calculations);
  checkRemembers(named, capability.remembers);
  checkNames(named, capability.checks);
  checkDeciding(named, capability.deciding);
  checkRetrieval(named, capability);
  if (capability.judge !== null) checkJudge(named, capability.judge);
}

function checkAutonomy<I, D>(named: string, { name, autonomy, calibration }: Capability<I, D>): void {
  const shares = autonomy === undefined ? [] : [autonomy.leastAgreementPpm, autonomy.auditPpm];
  if (shares.some((share) => !Number.isInteger(share) || share < 0 || share > 1_000_000) || autonomy?.leastAgreementPpm === 0)
    throw invalid(`${named} needs \`autonomy\` in whole parts per million, with a least agreement above 0`);
  if (calibration === undefined) return;
  const fault = calibration.capability === name ? faultOfCalibration(calibration) : "it was fitted for another capability";
  if (fault !== null) throw invalid(`${named} has a calibration that cannot be used: ${fault}; fit it anew`);
}

function checkCaps(named: string, caps: RunCaps): void {
  const wrong = Object.entries(caps).find(([, value]) => !Number.isSafeInteger(value) || value < 0);
  if (wrong !== undefined) throw invalid(`${named} has a cap \`${wrong[0]}\` that is no whole number from 0 on`);
}

function checkRetention(named: string, retention: Retention): void {
  const wrong = Object.entries(retention).find(([, days]) => !Number.isInteger(days) || days < 1 || days > mostRetentionDays);
  if (wrong !== undefined) throw invalid(`${named} needs \`retention.${wrong[0]}\` as whole days from 1 to ${mostRetentionDays}`);
}

function checkOutput(named: string, { maxTextLength, linkHosts, forbidden }: OutputRules): void {
  if (!Number.isInteger(maxTextLength) || maxTextLength < 1) throw invalid(`${named} needs a \`maxTextLength\` of 1 or more`);
  const host = linkHosts.find((one) => !/^[a-z0-9-]+(\.[a-z0-9-]+)*$/.test(one));
  if (host !== undefined) throw invalid(`${named} names \`${host}\`, which is not a host in lower case without scheme and port`);
  if (forbidden.some((statement) => statement.trim() === ""))
    throw invalid(`${named} forbids an empty statement, which every text holds`);
}

/** A model is shown it, and verification reads its closed lists, so it is made once and must be there. */
function shownSchema(name: string, schema: Schema): JsonObject {
  try {
    return deepFreeze(jsonSchemaOf(schema));
  } catch (cause) {
    const message = `capability \`${name}\` has a decision schema that no model can be shown; use no transforms in it`;
    throw new CountersignError("definition_invalid", message, { cause });
  }
}

function checkNames<I, D>(named: string, checks: readonly Check<I, D>[]): void {
  const seen = new Set<string>(["in_enum", "schema_ok", "rules_ok", "grounded"]);
  for (const check of checks) {
    if (seen.has(check.name)) throw invalid(`${named} has the check \`${check.name}\` twice, or it is one that is always there`);
    if (check.soft?.reason.trim() === "") throw invalid(`${named} has the soft check \`${check.name}\` without a reason`);
    seen.add(check.name);
  }
}

function checkDeciding<I>(named: string, deciding: Deciding<I>): void {
  if (deciding.version === "") throw invalid(`${named} needs a version of its prompt or rule`);
  if (deciding.kind === "rule") return;
  checkModel(named, deciding.model);
  if (deciding.second !== undefined) checkSecond(named, { first: deciding.model, second: deciding.second });
  if (deciding.kind === "loop") checkLoop(named, deciding);
}

function checkJudge<I, D>(named: string, judge: Judge<I, D>): void {
  if (!Number.isInteger(judge.ratePpm) || judge.ratePpm < 0 || judge.ratePpm > 1_000_000)
    throw invalid(`${named} needs a judge rate from 0 to 1000000 parts per million`);
  checkModel(named, judge.model);
}

function invalid(message: string): CountersignError {
  return new CountersignError("definition_invalid", message);
}
