import type { Json, JsonObject } from "../../../../src/contract/json.ts";
import type { Source } from "../../../../src/contract/proposal.ts";
import type { ReviewEvidence } from "../../../../src/contract/review-evidence.ts";
import type { DecisionView } from "../../../../src/contract/views.ts";
import { asObject } from "../../words/changes.ts";
import { sourceUnder } from "../../words/sources.ts";

/** One value that somebody chose and a person may choose otherwise. */
export interface Choice {
  /** The name of the param; the same name in several effects is one choice. */
  readonly name: string;
  readonly proposed: Json;
}

/**
 * What a model chose of a proposal. Of several values of one record that it picked only the one that names the record is a choice: the
 * others follow from it.
 */
export function choicesOf({ effects }: DecisionView): readonly Choice[] {
  const values = effects.flatMap(({ params, sources }) =>
    Object.entries(asObject(params)).flatMap(([name, proposed]) => {
      const source = sourceUnder(sources, name);
      return source !== undefined && isChosen(source) ? [{ name, proposed, source }] : [];
    }),
  );
  const named = new Map(values.map((value) => [value.name, value]));
  const ofRecord = (ref: string) => [...named.values()].filter(({ source }) => isPicked(source) && source.ref === ref);
  const isChoice = ({ name, source }: { name: string; source: Source }) => {
    if (!isPicked(source) || source.ref === null) return true;
    const all = ofRecord(source.ref);
    return (all.find((one) => isName(one.source.at)) ?? all[0])?.name === name;
  };
  return [...named.values()].filter(isChoice).map(({ name, proposed }) => ({ name, proposed }));
}

/** The values that an edit begins with: what was chosen, or where code chose all of it whatever the decision and its effects share. */
export function editableOf(view: DecisionView, decided: JsonObject | null): readonly Choice[] {
  const choices = choicesOf(view);
  if (decided === null) return choices.length > 0 ? choices : paramsOf(view);
  const names = new Set(Object.keys(decided));
  return paramsOf(view).filter(({ name }) => names.has(name));
}

/** What was decided, in the capability's own form, where the desk tells it. */
export function decidedOf(evidence: ReviewEvidence | undefined): JsonObject | null {
  if (evidence === undefined || !("decided" in evidence)) return null;
  const { decided } = evidence;
  return typeof decided === "object" && decided !== null && !Array.isArray(decided) ? (decided as JsonObject) : null;
}

/** A value as it stands in a field. */
export function typedOf(value: Json): string {
  if (value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** The decision that an edit makes, or what is wrong with what was typed. */
export function editedDecision({
  whole,
  edit,
  choices,
  decided,
}: {
  readonly whole: string;
  readonly edit: Readonly<Record<string, string>>;
  readonly choices: readonly Choice[];
  readonly decided: JsonObject | null;
}): { readonly decision: Json } | { readonly fault: string } {
  if (whole.trim() !== "") return parsed(whole);
  const values: Record<string, Json> = {};
  for (const { name, proposed } of choices) {
    const typed = edit[name];
    const value = typed === undefined ? { decision: proposed } : valueLike(typed, proposed, name);
    if ("fault" in value) return value;
    values[name] = value.decision;
  }
  return { decision: { ...decided, ...values } };
}

/** Says whether what a person typed is the proposed value, whatever its case and the way its words are joined. */
export function isAlike(typed: string, proposed: Json): boolean {
  if (typeof proposed === "number") return Number(typed) === proposed;
  return plain(typed) === plain(typedOf(proposed));
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, " ")
    .trim();
}

/** A typed value in the form that the proposed one has. */
function valueLike(typed: string, proposed: Json, name: string): { readonly decision: Json } | { readonly fault: string } {
  if (typeof proposed === "string") return { decision: typed };
  if (proposed === null) return { decision: typed === "" ? null : typed };
  if (typeof proposed !== "number") return parsed(typed);
  const number = Number(typed);
  return typed.trim() === "" || Number.isNaN(number) ? { fault: `“${name}” is a number.` } : { decision: number };
}

function parsed(text: string): { readonly decision: Json } | { readonly fault: string } {
  try {
    return { decision: JSON.parse(text) as Json };
  } catch {
    return { fault: 'It is not JSON. Write it like {"keep": true}.' };
  }
}

function paramsOf({ effects }: DecisionView): readonly Choice[] {
  const all = new Map(effects.flatMap(({ params }) => Object.entries(asObject(params))));
  return [...all].map(([name, proposed]) => ({ name, proposed }));
}

function isChosen({ kind, chosenBy }: Source): boolean {
  return kind === "model" || chosenBy === "model";
}

/** Not the value was chosen, but what it was taken from. */
function isPicked({ kind, ref }: Source): boolean {
  return kind !== "model" && ref !== null;
}

function isName(at: string | null): boolean {
  return at === "/id" || at === "/name";
}
