import { join, resolve } from "node:path";
import { CountersignError } from "../contract/errors.ts";
import type { Project } from "../define/project.ts";
import { type OtherModel, withModel } from "../define/with-model.ts";
import type { SetCase } from "../evals/case-file.ts";
import type { EvalRun } from "../evals/eval-run.ts";
import { judgesOf } from "../evals/judges/judges-of.ts";
import { readRubrics } from "../evals/judges/read-rubrics.ts";
import type { Rubric } from "../evals/judges/rubric.ts";
import type { Play, Played, PlayTask } from "../evals/played.ts";
import { type EvalFile, readEvalCases } from "../evals/read-cases.ts";
import { type Progress, runSet } from "../evals/run-set.ts";
import { setDigest } from "../evals/set-digest.ts";
import type { Policy } from "../guard/policy/policy.ts";
import { systemClock } from "../store/clock.ts";
import { uuidIds } from "../store/ids.ts";
import { type EvalHouse, withEvalHouse } from "./eval-house.ts";
import { createPlay } from "./eval-play.ts";
import { readFinalRows } from "./final-rows.ts";
import { type OpenRun, openRun } from "./kept-repeats.ts";
import { type ScratchNote, withOnlyRun } from "./left-scratch.ts";
import { loadEntry } from "./load.ts";
import { modelSecrets } from "./model-secrets.ts";
import { openJudges } from "./open-judges.ts";
import { openPolicies } from "./open-policies.ts";
import { type Labels, readPassageLabels } from "./passage-labels.ts";

/** What is to be run. */
export interface EvalOptions {
  /** The project's folder. */
  readonly project: string;
  /** The installation's folder, for the keys of models and for what a killed run leaves. */
  readonly directory: string;
  /** Only the cases of these capabilities, or of `intake`; all where it is left out. */
  readonly capabilities?: readonly string[] | undefined;
  /** Only the cases of these ids; all where it is left out. */
  readonly cases?: readonly string[] | undefined;
  readonly repeats: number;
  /** Part of a quality case's repeats that must pass, 0 to 1. */
  readonly passRate: number;
  /** How many repeats are played at once. */
  readonly parallel: number;
  /** Most that its judges may cost together, in millionths of a currency unit; left out, it is not capped. A run that goes on counts anew. */
  readonly judgeCostMicros?: number;
  /** Goes on with the run that was killed. */
  readonly resume?: boolean;
  /** Another model than the definitions have, for one capability or for all. */
  readonly model?: OtherModel;
  readonly ofCapability?: string;
  readonly onProgress?: (progress: Progress) => void;
  /** Told of each repeat that was played now, before it is scored; of none that a killed run left. */
  readonly onPlayed?: (task: PlayTask, played: Played) => void;
}

/**
 * Plays the eval cases of a project in a scratch installation of real processes, which is gone afterwards, and returns what became of each.
 * Nothing of the installation in `directory` is read but the keys of models. Throws `definition_invalid` for cases that cannot be read or
 * rely on what the sandbox does not have, `not_found` for a case or a capability that is not there.
 */
export async function runEvals(options: EvalOptions): Promise<EvalRun> {
  const project = await loadEntry<Project>(options.project, "project");
  const cases = await selectedCases(options);
  const tried = options.model === undefined ? project : withModel(project, options.model, options.ofCapability);
  const rubrics = await readRubrics(options.project);
  const { repeats, passRate } = options;
  const head = {
    ...{ id: uuidIds(systemClock).next(), project: project.name, startedAt: systemClock.now(), repeats, passRate },
    ...{ capabilities: versionsOf(tried, cases), judges: judgesOf(rubrics, namesOf(cases)), setDigest: setDigest(cases) },
  };
  const folder = join(resolve(options.directory), "evals");
  return withOnlyRun(folder, project.name, async (note) => {
    const kept = await openRun(folder, { head, resume: options.resume === true });
    try {
      const run = await play(options, { cases, rubrics, kept, note });
      await kept.done();
      return run;
    } catch (thrown) {
      await kept.close();
      throw thrown;
    }
  });
}

async function play(
  options: EvalOptions,
  { cases, rubrics, kept, note }: { cases: readonly SetCase[]; rubrics: readonly Rubric[]; kept: OpenRun; note: ScratchNote },
): Promise<EvalRun> {
  const { project: folder, directory, model, ofCapability: capability, judgeCostMicros: costMicros } = options;
  const { head } = kept;
  const common = { ...head, cases, kept, parallel: options.parallel, now: systemClock.now, onProgress: options.onProgress };
  const finished = new Set(kept.finished.map(({ caseId, repeat }) => `${caseId}/${repeat.repeat}`));
  const isDone = cases.every(({ one }) =>
    Array.from({ length: head.repeats }, (_, at) => at + 1).every((at) => finished.has(`${one.id}/${at}`)),
  );
  // A run that was killed behind its last repeat needs no house.
  if (isDone) return runSet({ ...common, play: nobodyPlays });
  const judge = await openJudges(rubrics, { project: folder, directory, ...(costMicros === undefined ? {} : { costMicros }) });
  const secrets = await modelSecrets({ project: folder, directory });
  const parts = { folder, cases, model: { model, capability }, modelSecrets: secrets, onMade: note.made };
  return withEvalHouse(parts, async (house) => {
    const policy = openPolicies(folder);
    const labels = await readPassageLabels(house.asking.adminUrl, policy);
    refuseMissing(cases, labels);
    const playOne = createPlay({ house, labels, readFinal: finalReader(house, { folder, policy }) });
    return runSet({ ...common, judge, play: watchedBy(options.onPlayed, playOne) });
  });
}

function watchedBy(onPlayed: EvalOptions["onPlayed"], playOne: Play): Play {
  if (onPlayed === undefined) return playOne;
  return async (task) => {
    const played = await playOne(task);
    onPlayed(task, played);
    return played;
  };
}

function finalReader(house: EvalHouse, of: { folder: string; policy: Policy }): Parameters<typeof createPlay>[0]["readFinal"] {
  return (task, world) =>
    readFinalRows({
      ...of,
      secrets: house.readingSecrets(world),
      asker: house.people.askerOf(task),
      wanted: task.one.expectations.state,
    });
}

function nobodyPlays(): never {
  throw new CountersignError("internal", "a repeat is to be played of a run in which all are");
}

/**
 * The cases that are to be played. Throws `definition_invalid` for what cannot be read and for a file of what is no capability of the project,
 * `not_found` for what is not there.
 */
export async function selectedCases({
  project,
  capabilities,
  cases,
}: Pick<EvalOptions, "project" | "capabilities" | "cases">): Promise<readonly SetCase[]> {
  const files = await readEvalCases(join(project, "evals"));
  const [fault] = files.flatMap(({ faults }) => faults);
  if (fault !== undefined)
    throw new CountersignError(
      "definition_invalid",
      `\`evals/${fault.file}\`, ${fault.at || "the file"}: expected ${fault.expected}`,
    );
  refuseStray(files, await loadEntry<Project>(project, "project"));
  const all = files.flatMap(({ capability, cases: own }) => own.map((one) => ({ capability, one })));
  refuseUnknown(capabilities ?? [], new Set(all.map(({ capability }) => capability)), "file of eval cases for a capability");
  refuseUnknown(cases ?? [], new Set(all.map(({ one }) => one.id)), "eval case");
  return all.filter(({ capability, one }) => (capabilities?.includes(capability) ?? true) && (cases?.includes(one.id) ?? true));
}

/** A refusal at the door would look like one by the capability. Intake is a capability that every project has. */
function refuseStray(files: readonly EvalFile[], { capabilities }: Project): void {
  const stray = files.find(({ capability: name }) => name !== "intake" && !capabilities.some((one) => one.name === name));
  if (stray === undefined) return;
  const message = `\`evals/${stray.file}\` is for \`${stray.capability}\`, which is no capability of this project; name the file after one`;
  throw new CountersignError("definition_invalid", message);
}

function refuseUnknown(named: readonly string[], known: ReadonlySet<string>, what: string): void {
  const gone = named.find((name) => !known.has(name));
  if (gone === undefined) return;
  throw new CountersignError("not_found", `there is no ${what} named \`${gone}\`; see the files in \`evals\``, {
    facts: { name: gone },
  });
}

/** A case that relies on what the sandbox does not have says nothing of the capability. Of records only a decision can tell. */
function refuseMissing(cases: readonly SetCase[], labels: Labels): void {
  const named = cases.flatMap(({ one: { id, fixtures, expectations } }) =>
    [...fixtures.passages, ...fixtures.facts, ...expectations.evidence, ...expectations.withheld].map((item) => ({ id, item })),
  );
  const gone = named.find(({ item }) => /^(passage|fact):/.test(item) && !labels.has(item));
  if (gone === undefined) return;
  const message = `eval case \`${gone.id}\` relies on \`${gone.item}\`, which the sandbox does not have; mend the case or the sandbox`;
  throw new CountersignError("definition_invalid", message, { facts: { case: gone.id, item: gone.item } });
}

function namesOf(cases: readonly SetCase[]): ReadonlySet<string> {
  return new Set(cases.map(({ capability }) => capability));
}

function versionsOf({ capabilities, intakeModel }: Project, cases: readonly SetCase[]): EvalRun["capabilities"] {
  const names = [...namesOf(cases)];
  const idOf = (model: { provider: string; id: string } | null): string | null =>
    model === null ? null : `${model.provider}/${model.id}`;
  return Object.fromEntries(
    names.map((name) => {
      const capability = capabilities.find((one) => one.name === name);
      if (capability === undefined) return [name, { version: "none", prompt: null, model: idOf(intakeModel) }];
      const { deciding, version } = capability;
      const isRule = deciding.kind === "rule";
      return [name, { version, prompt: isRule ? null : deciding.version, model: isRule ? null : idOf(deciding.model) }];
    }),
  );
}
