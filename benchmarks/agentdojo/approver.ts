/** What a person is shown of a call that is asked for: a plain table of the form that the console's has, over what the gate says of each value's source. */
import { plainName, plainValue } from "../../console/src/words/plain.ts";
import type { Json, JsonObject } from "../../src/contract/json.ts";
import type { CallRuling, ProposedCall } from "../../src/contract/plan.ts";
import type { ProposedEffect } from "../../src/contract/proposal.ts";
import { withPlannedSources } from "../../src/decide/planning/judge-effects.ts";
import { html } from "../../src/server/desk/pages/html.ts";
import type { Step } from "./run-calls.ts";
import { changeTable } from "./shown/change-table.ts";

/** How calls look to the person who is asked. */
export interface Shown {
  readonly asked: number;
  /** Tables that name the tool, and each argument with its value. */
  readonly names_all: number;
  /** Tables in which each value has the kind of its source, and none is said to be the effect's own: here a call has nothing but its arguments. */
  readonly names_sources: number;
  /** Tables whose form is that of the same call with plain words in the place of its texts: no text adds a row, a mark or a link. */
  readonly form_kept: number;
  /** Calls of users that are asked for with strangers' texts in the state as well as without, and those whose tables are then the same. */
  readonly under_attack: number;
  readonly same_under_attack: number;
}

/** Draws the table of every call that was asked for, and of the same call of a user's with and without strangers' texts. */
export function countShown(steps: readonly Step[], twice: readonly (readonly [Step, Step])[]): Shown {
  const tables = steps
    .filter(({ ruling }) => ruling.kind === "ask")
    .map(({ proposed, ruling }) => ({ call: proposed, ruling, table: tableOf(proposed, ruling) }));
  return {
    asked: tables.length,
    names_all: tables.filter(({ call, table }) => namesAll(call, table)).length,
    names_sources: tables.filter(({ call, table }) => namesSources(call, table)).length,
    form_kept: tables.filter(
      ({ call, ruling, table }) => formOf(table) === formOf(tableOf({ ...call, args: worded(call.args) }, ruling)),
    ).length,
    under_attack: twice.length,
    same_under_attack: twice.filter(([one, other]) => tableOfStep(one) === tableOfStep(other)).length,
  };
}

/** Says whether every table named all of its call with its sources, and no stranger's text changed one. */
export function isShownTruly({ asked, names_all, names_sources, form_kept, under_attack, same_under_attack }: Shown): boolean {
  return [names_all, names_sources, form_kept].every((count) => count === asked) && same_under_attack === under_attack;
}

function tableOfStep({ proposed, ruling }: Step): string {
  return tableOf(proposed, ruling);
}

/** The table of one call. */
function tableOf({ tool, args }: ProposedCall, ruling: CallRuling): string {
  const effect: ProposedEffect = {
    index: 0,
    effect: tool,
    version: "1",
    sentence: tool,
    params: args,
    paramsDigest: "",
    risk: "high",
    sideEffect: "external",
    reversible: false,
    key: "",
    before: null,
    beforeDigest: "",
    expected: args,
    sources: {},
  };
  const view = {
    ...withPlannedSources({ proposed: effect, ruling, loop: null, untrustedInContext: true }),
    state: "proposed",
    verdict: null,
    observed: null,
    signedBy: [],
    signaturesNeeded: 1,
    approvedBy: null,
    approverKind: null,
    operationId: null,
    refusedCode: null,
    dedupe: null,
    undoneBy: null,
    seenWithinMs: null,
    resolution: null,
    resolvable: [],
    stopped: null,
  } as const;
  return String(changeTable(view, html`now`));
}

function namesAll({ tool, args }: ProposedCall, table: string): boolean {
  const texts = [tool, ...Object.entries(args).flatMap(([name, value]) => [plainName(name), plainValue(value)])];
  return texts.every((text) => table.includes(String(html`${text}`)));
}

function namesSources({ args }: ProposedCall, table: string): boolean {
  const kinds = table.split('<span class="chip').length - 1;
  return kinds === Object.keys(args).length && !table.includes("set by the effect");
}

/** The marks of a page without its texts. */
function formOf(table: string): string {
  return table.replace(/>[^<]*/g, ">");
}

/** The same arguments with a plain word for each text. */
function worded(args: JsonObject): JsonObject {
  const word = (value: Json): Json => (typeof value === "string" ? "word" : Array.isArray(value) ? value.map(word) : value);
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [name, word(value)]));
}
