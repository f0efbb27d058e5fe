import type { ContextItem } from "../../contract/context.ts";
import type { DroppedClaim } from "../../contract/proposal.ts";
import { plainText } from "./details.ts";
import { bearsOutMeasure, type Measure, measuresIn } from "./measures.ts";
import type { TracedClaim } from "./trace-claims.ts";
import { withoutSpans } from "./without-spans.ts";

type Traced = Extract<TracedClaim, { kind: "claim" }>;

/** What stays of claims that say something of the same. */
export interface Settled {
  readonly left: readonly Traced[];
  readonly dropped: readonly DroppedClaim[];
  readonly isInConflict: boolean;
}

/**
 * Settles claims that give different values for one part of the question. A record is right against what is written down, and a document
 * with authority against one without; what was wrong is dropped and named. Where equals contradict each other all of them stay, and it
 * is a conflict for a person.
 */
export function settleConflicts(claims: readonly Traced[]): Settled {
  const parts = new Map<string, Traced[]>();
  for (const claim of claims) {
    const { answers } = claim.draft;
    if (answers !== undefined && claim.value !== null) parts.set(answers, [...(parts.get(answers) ?? []), claim]);
  }
  const overruled = new Set<Traced>();
  let isInConflict = false;
  for (const said of parts.values()) {
    if (isOneValue(said)) continue;
    const best = Math.max(...said.map(({ source }) => authorityOf(source)));
    const right = said.filter(({ source }) => authorityOf(source) === best);
    isInConflict ||= !isOneValue(right);
    for (const one of said) if (!right.includes(one) && right.every((other) => !isSame(one, other))) overruled.add(one);
  }
  const dropped = [...overruled].map(
    ({ claim }): DroppedClaim => ({ text: claim.text, reason: "a source of more authority says otherwise" }),
  );
  return { left: claims.filter((claim) => !overruled.has(claim)), dropped, isInConflict };
}

/** What is true now, then what is laid down or was learnt, then what merely stands somewhere. */
function authorityOf(source: ContextItem): number {
  if (source.kind === "record") return 2;
  return source.kind === "fact" || (source.kind === "passage" && source.isAuthority === true) ? 1 : 0;
}

function isOneValue(claims: readonly Traced[]): boolean {
  const [first, ...rest] = claims;
  return first === undefined || rest.every((one) => isSame(first, one));
}

function isSame(one: Traced, other: Traced): boolean {
  const [a, b] = [one, other].map(({ value }) =>
    plainText(value ?? "")
      .toLowerCase()
      .replace(/\s+/g, " ")
      .trim(),
  );
  if (a === b) return true;
  const [x, y] = [onlyMeasure(a ?? ""), onlyMeasure(b ?? "")];
  return x !== undefined && y !== undefined && bearsOutMeasure(x, y);
}

/** The number that a value is, with its unit; `undefined` where it says anything else besides. */
function onlyMeasure(value: string): Measure | undefined {
  const measures = measuresIn(value);
  return measures.length === 1 && !/[\p{L}\p{N}]/u.test(withoutSpans(value, measures)) ? measures[0] : undefined;
}
