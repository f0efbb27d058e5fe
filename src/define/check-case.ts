import type { AnyCase, CaseStep } from "../contract/case.ts";
import { CountersignError } from "../contract/errors.ts";
import { idPattern } from "../contract/limits.ts";

type Step = CaseStep<unknown, string>;

/** Names of steps, events and outcomes. */
const wordPattern = /^[a-z][a-z0-9_]{0,62}$/;

/** Holds a case to its rules; throws `definition_invalid` for the first that it breaks. */
export function checkCase(one: AnyCase): void {
  const named = `case \`${one.name}\``;
  if (!idPattern.test(one.name)) throw invalid(`${named} has not the form of an id: lower case, digits, \`_.-\`, at most 63`);
  if (!/^[0-9A-Za-z.-]{1,40}$/.test(one.version)) throw invalid(`${named} needs a version such as \`1\` or \`2.1\``);
  if (one.owner.trim() === "") throw invalid(`${named} needs an owner who is called when it does not go on`);
  if (one.deadlineMs !== null) checkDuration(named, one.deadlineMs);
  checkEvents(named, one);
  checkMigrations(named, one);
  // Written by `defineCase`, whose types hold each step to one of the kinds.
  const steps = new Map(Object.entries(one.steps) as [string, Step][]);
  if (!steps.has(one.start)) throw invalid(`${named} starts with \`${one.start}\`, which is no step of it`);
  for (const [name, step] of steps) checkStep({ named: `${named}, step \`${name}\``, name, step, steps, one });
  checkWays(named, one.start, steps);
}

/** Names, beside a case's own words, that the runtime uses. */
const ownWords: readonly string[] = ["retry", "time"];

function checkEvents(named: string, { events }: AnyCase): void {
  for (const [name, { by }] of Object.entries(events)) {
    if (!wordPattern.test(name) || ownWords.includes(name)) throw invalid(`${named} cannot have an event named \`${name}\``);
    if (by.length === 0) throw invalid(`${named} has the event \`${name}\`, which no role may tell`);
  }
}

function checkMigrations(named: string, { migrate, version, isRetired }: AnyCase): void {
  const seen = new Set<string>([version]);
  for (const { from } of migrate) {
    if (seen.has(from)) throw invalid(`${named} takes version \`${from}\` over twice, or from itself`);
    seen.add(from);
  }
  if (isRetired && migrate.length > 0) throw invalid(`${named} is retired in version \`${version}\`, so it takes nothing over`);
}

interface Checking {
  readonly named: string;
  readonly name: string;
  readonly step: Step;
  readonly steps: ReadonlyMap<string, Step>;
  readonly one: AnyCase;
}

function checkStep({ named, name, step, steps, one }: Checking): void {
  if (!wordPattern.test(name)) throw invalid(`${named} has not the form of a name: lower case, digits, \`_\``);
  if (step.kind === "end") {
    if (!wordPattern.test(step.outcome)) throw invalid(`${named} ends with \`${step.outcome}\`, which is no single word`);
    return;
  }
  const lost = step.to.find((to) => !steps.has(to));
  if (lost !== undefined) throw invalid(`${named} leads to \`${lost}\`, which is no step`);
  if (step.to.length === 0) throw invalid(`${named} leads nowhere; name the steps that may follow, or make it an end`);
  if (step.deadlineMs !== undefined) checkDuration(named, step.deadlineMs);
  if (step.owner?.trim() === "") throw invalid(`${named} has an empty owner`);
  const unread = step.reads?.find((read) => steps.get(read)?.kind !== "decide");
  if (unread !== undefined) throw invalid(`${named} reads \`${unread}\`, which is no step that decides`);
  if (step.kind === "wait") checkWait(named, step, one);
  if (step.kind === "decide" && !idPattern.test(step.capability)) throw invalid(`${named} names no capability`);
  if (step.kind === "all" && step.cases.length === 0) throw invalid(`${named} names no case that a branch could be of`);
}

function checkWait(named: string, { events = [], until }: Extract<Step, { kind: "wait" }>, one: AnyCase): void {
  if (events.length === 0 && until === undefined) throw invalid(`${named} waits for no event and no time`);
  const unknown = events.find((event) => !Object.hasOwn(one.events, event));
  if (unknown !== undefined) throw invalid(`${named} waits for \`${unknown}\`, which is no event of the case`);
}

/** Every step is reached from the start, and from every step an end. */
function checkWays(named: string, start: string, steps: ReadonlyMap<string, Step>): void {
  const waysOf = (name: string): readonly string[] => {
    const step = steps.get(name);
    return step === undefined || step.kind === "end" ? [] : step.to;
  };
  const reached = spread([start], waysOf);
  const stranded = [...steps.keys()].find((name) => !reached.has(name));
  if (stranded !== undefined) throw invalid(`${named} has the step \`${stranded}\`, which no way leads to`);
  const ends = [...steps].filter(([, { kind }]) => kind === "end").map(([name]) => name);
  const back = spread(ends, (name) => [...steps.keys()].filter((from) => waysOf(from).includes(name)));
  const endless = [...steps.keys()].find((name) => !back.has(name));
  if (endless !== undefined) throw invalid(`${named} has the step \`${endless}\`, from which no way leads to an end`);
}

function spread(from: readonly string[], waysOf: (name: string) => readonly string[]): ReadonlySet<string> {
  const reached = new Set<string>();
  const open = [...from];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (reached.has(name)) continue;
    reached.add(name);
    open.push(...waysOf(name));
  }
  return reached;
}

function checkDuration(named: string, ms: number): void {
  if (!Number.isSafeInteger(ms) || ms <= 0) throw invalid(`${named} needs its deadline in whole milliseconds above 0`);
}

function invalid(message: string): CountersignError {
  return new CountersignError("definition_invalid", message);
}
