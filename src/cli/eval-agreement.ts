import { join } from "node:path";
import { CountersignError } from "../contract/errors.ts";
import { type Agreement, agreementOf, type CriterionAgreement } from "../evals/agreement/agreement.ts";
import { judgeReadings, refuseOtherRubric } from "../evals/agreement/judge-readings.ts";
import { labelSheet } from "../evals/agreement/label-sheet.ts";
import { readLabels } from "../evals/agreement/labels.ts";
import { agreementPath, agreementText, trustOf } from "../evals/agreement/trust.ts";
import { readRubrics } from "../evals/judges/read-rubrics.ts";
import type { Rubric } from "../evals/judges/rubric.ts";
import { fileLimits } from "../evals/plain-yaml.ts";
import { readReport } from "./eval-report.ts";
import { print } from "./print.ts";
import { readText } from "./read-text.ts";
import { writeWhole } from "./write-whole.ts";

interface JudgeCommand {
  readonly project: string;
  readonly judge: string;
  readonly json?: true;
}

/** Writes a sheet for people to fill in: each answer of a run by each criterion of a judge, without what the judge said. Throws `bad_request` for a run that another rubric or model read. */
export async function evalLabels(report: string, { project, judge, to, json }: JudgeCommand & { to: string }): Promise<void> {
  const rubric = await findRubric(project, judge);
  const { run } = await readReport(report);
  // Labels of a run that another judge read could be held against nothing.
  refuseOtherRubric(run, rubric);
  await writeWhole(to, labelSheet(run, rubric), { mayReplace: false });
  const lines = [
    `written: ${to}`,
    "each person fills in `person` and `reading` on a copy of their own; join the copies into one file",
  ];
  print({ json, value: { judge, run: run.id, written: to }, lines });
}

/**
 * Says how far a judge agrees with people: exit code 0 where a gate may go by it, 1 where not. With `write` it is kept beside the rubric.
 * Throws `not_found` for a judge that the project does not have, `bad_request` for labels that cannot be read or are of other
 * decisions, and for a run that another rubric or model read.
 */
export async function evalAgreement(
  labelFile: string,
  { project, judge, run: report, write, json }: JudgeCommand & { run: string; write?: true },
): Promise<void> {
  const rubric = await findRubric(project, judge);
  const labels = readLabels(await readText(labelFile, fileLimits.bytes), rubric);
  const { run } = await readReport(report);
  const read = judgeReadings(run, rubric);
  const { faults } = read;
  refuseOthers(labels, new Set(run.cases.flatMap(({ repeats }) => repeats.map(({ outcome }) => outcome.decisionId ?? ""))));
  const agreement = agreementOf({ rubric, read, labels });
  const trust = trustOf(rubric, agreement);
  if (write === true) await writeWhole(join(project, agreementPath(judge)), agreementText(agreement), { mayReplace: true });
  const said = trust.isTrusted
    ? ["a gate may go by this judge"]
    : ["no gate may go by this judge:", ...trust.why.map((why) => `  ${why}`)];
  const unread = faults === 0 ? [] : [`it gave no reading of ${faults} answers`];
  print({ json, value: { ...agreement, faults, ...trust }, lines: [...agreementLines(agreement), ...unread, ...said] });
  process.exitCode = trust.isTrusted ? 0 : 1;
}

async function findRubric(project: string, judge: string): Promise<Rubric> {
  const rubrics = await readRubrics(project);
  const rubric = rubrics.find(({ name }) => name === judge);
  if (rubric !== undefined) return rubric;
  const names = rubrics.map(({ name }) => `\`${name}\``).join(", ");
  throw new CountersignError("not_found", `the project has no judge of that name; it has ${names || "none, see docs/judges.md"}`);
}

/** Labels of other answers would say something of nothing. */
function refuseOthers(labels: readonly { readonly decision: string }[], decisions: ReadonlySet<string>): void {
  const stray = labels.find(({ decision }) => !decisions.has(decision));
  if (stray === undefined) return;
  const message = `the labels read decision \`${stray.decision.slice(0, 60)}\`, which is not in the run; name the run that they were made over`;
  throw new CountersignError("bad_request", message);
}

function agreementLines({ judge, rubricVersion, people, criteria }: Agreement): readonly string[] {
  return [
    `${judge} ${rubricVersion} against ${people} ${people === 1 ? "person" : "people"}`,
    ...criteria.flatMap(criterionLines),
  ];
}

function criterionLines({
  criterion,
  labels,
  contested,
  same,
  kappa,
  interval,
  peopleAlpha,
  confusion,
}: CriterionAgreement): readonly string[] {
  const figure = (value: number | null): string => (value === null ? "not defined" : value.toFixed(3));
  const within = interval === null ? "" : ` (95 %: ${figure(interval.low)} to ${figure(interval.high)})`;
  const wide = Math.max(...confusion.words.map(({ length }) => length));
  return [
    `${criterion}: kappa ${figure(kappa)}${within}, the same ${figure(same)}, ${labels} labels, ${contested} contested, among people alpha ${figure(peopleAlpha)}`,
    `  ${"judge \\ people".padEnd(wide)} ${confusion.words.join(" ")}`,
    ...confusion.counts.map(
      (row, place) =>
        `  ${(confusion.words[place] ?? "").padEnd(Math.max(wide, 14))} ${row.map((count, column) => String(count).padStart(confusion.words[column]?.length ?? 0)).join(" ")}`,
    ),
  ];
}
