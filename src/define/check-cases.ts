import type { AnyCase, CaseStep } from "../contract/case.ts";
import { CountersignError } from "../contract/errors.ts";

/**
 * Holds the cases of a project together; throws `definition_invalid` for a version that is there twice, a name with two versions that
 * could be started, a capability or a case that is not there, and cases that would start each other without end.
 */
export function checkCases(cases: readonly AnyCase[], capabilities: readonly string[]): void {
  const known = new Set<string>();
  const current = new Map<string, AnyCase>();
  for (const one of cases) {
    const id = `${one.name} ${one.version}`;
    if (known.has(id)) throw invalid(`two cases are named \`${one.name}\` and have the version \`${one.version}\``);
    known.add(id);
    if (one.isRetired) continue;
    if (current.has(one.name)) throw invalid(`two versions of the case \`${one.name}\` could be started; retire one`);
    current.set(one.name, one);
  }
  for (const one of cases) {
    for (const [name, step] of stepsOf(one)) {
      const missing = missingIn(step, { capabilities, current });
      if (missing !== null) throw invalid(`case \`${one.name}\`, step \`${name}\` names the unknown ${missing}`);
    }
  }
  for (const one of current.values()) checkRound(one.name, current);
}

function stepsOf({ steps }: AnyCase): readonly [string, CaseStep<unknown, string>][] {
  // Written by `defineCase`, whose types hold each step to one of the kinds.
  return Object.entries(steps) as [string, CaseStep<unknown, string>][];
}

type Known = { readonly capabilities: readonly string[]; readonly current: ReadonlyMap<string, AnyCase> };

function missingIn(step: CaseStep<unknown, string>, { capabilities, current }: Known): string | null {
  if (step.kind === "decide") return capabilities.includes(step.capability) ? null : `capability \`${step.capability}\``;
  const lost = plansOf(step).find((name) => !current.has(name));
  return lost === undefined ? null : `case \`${lost}\``;
}

function plansOf(step: CaseStep<unknown, string>): readonly string[] {
  if (step.kind === "plan") return [step.case];
  return step.kind === "all" ? step.cases : [];
}

function checkRound(name: string, current: ReadonlyMap<string, AnyCase>): void {
  const open = [name];
  const seen = new Set<string>();
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const one = current.get(at);
    if (one === undefined || seen.has(at)) continue;
    seen.add(at);
    const plans = stepsOf(one).flatMap(([, step]) => plansOf(step));
    if (plans.includes(name)) throw invalid(`case \`${name}\` starts itself, by way of its own plans`);
    open.push(...plans);
  }
}

function invalid(message: string): CountersignError {
  return new CountersignError("definition_invalid", message);
}
