import { resolve } from "node:path";
import { createInterface } from "node:readline";
import type { Project } from "../define/project.ts";
import { readEvalRuns } from "../evals/read.ts";
import { advise } from "../evals/triage/advise.ts";
import { type Failure, readFailures } from "../evals/triage/failures.ts";
import { readTriageLabels, setLabel } from "../evals/triage/label-file.ts";
import { labelWords, type TriageLabel, triageLabels } from "../evals/triage/labels.ts";
import { noTrace, type Suggestion, suggestLabel } from "../evals/triage/suggest.ts";
import { payloadKeys } from "../ledger/payload.ts";
import { pooledRandom } from "../ledger/random.ts";
import { systemClock } from "../store/clock.ts";
import { openDatabase } from "../store/database.ts";
import { wholeOf } from "./amounts.ts";
import { withRoleUrl } from "./embedded-url.ts";
import { loadEntry } from "./load.ts";
import { payloadKeyOf } from "./payload-key.ts";
import { print } from "./print.ts";

interface TriageOptions {
  readonly project: string;
  readonly directory: string;
  readonly tenant?: string;
  readonly last: string;
  readonly ask?: true;
  readonly json?: true;
}

/** One failure as triage tells it. */
interface Told {
  /** A decision's id, or `case ` and an eval case's id. */
  readonly failure: string;
  readonly kind: Failure["kind"] | "eval_case";
  readonly capability: string | null;
  readonly suggested: Suggestion;
  readonly label: TriageLabel | null;
}

/**
 * Lists the newest failures with the label that a person has set or code suggests, counts what was set, and names the cheapest layer that
 * mends the largest bucket. With `--ask` it asks for each label that is missing; each answer is kept at once.
 */
export async function triage(options: TriageOptions): Promise<void> {
  const { project: folder, json, ask } = options;
  const found = await failuresOf(options);
  if (ask === true) await askLabels(folder, found);
  const labels = await readTriageLabels(folder);
  const failures = found.map((one): Told => ({ ...one, label: labels.get(one.failure)?.label ?? null }));
  const advice = advise(failures.map(({ label }) => label));
  print({ json, value: { failures, ...advice }, lines: [...failures.map(lineOf), ...adviceLines(advice)] });
}

/** Sets the label of one failure. Throws `bad_request` for a word that is no label. */
export async function triageLabel(
  { failure, label }: { failure: string; label: string },
  { project, note, json }: { project: string; note?: string; json?: true },
): Promise<void> {
  const kept = await setLabel(project, { failure, label, ...(note === undefined ? {} : { note }), at: systemClock.now() });
  print({ json, value: { failure, label: kept }, lines: [`${failure}: ${kept}, ${labelWords[kept]}`] });
}

async function failuresOf({ project: folder, directory: home, tenant, last }: TriageOptions): Promise<readonly Told[]> {
  const limit = wholeOf("--last", last, 1_000);
  const directory = resolve(home);
  const root = await payloadKeyOf(directory);
  const { name } = await loadEntry<Project>(folder, "project");
  return withRoleUrl({ directory, role: "desk" }, async (url) => {
    const database = openDatabase({ url, role: "desk", connections: 1 });
    const keys = payloadKeys(root, pooledRandom(), database);
    try {
      const tenants = (await database.tenants()).filter((one) => tenant === undefined || one === tenant);
      const failures: Failure[] = [];
      for (const one of tenants) failures.push(...(await readFailures({ database, keys, tenant: one, limit })));
      const newest = failures.toSorted((one, other) => other.at - one.at).slice(0, limit);
      const [run] = await readEvalRuns(database, { project: name, limit: 1 });
      return [...newest.map(ofDecision), ...(run?.failing ?? []).map(ofCase)];
    } finally {
      await database.close();
    }
  });
}

function ofDecision({ id, kind, capability, trace }: Failure): Told {
  return { failure: id, kind, capability, suggested: suggestLabel(trace), label: null };
}

function ofCase({ id, capability, metrics }: { id: string; capability: string | null; metrics: readonly string[] }): Told {
  return { failure: `case ${id}`, kind: "eval_case", capability, suggested: suggestLabel({ ...noTrace, metrics }), label: null };
}

async function askLabels(folder: string, failures: readonly Told[]): Promise<void> {
  const known = await readTriageLabels(folder);
  const lines = createInterface({ input: process.stdin });
  const answers = lines[Symbol.asyncIterator]();
  try {
    for (const one of failures.filter(({ failure }) => !known.has(failure))) {
      process.stderr.write(questionOf(one));
      const { value: given = "q", done } = await answers.next();
      const answer = given.trim();
      if (done === true || answer === "q") return;
      if (answer === "s") continue;
      const label = answer === "" ? one.suggested.label : (triageLabels[Number(answer) - 1] ?? answer);
      await setLabel(folder, { failure: one.failure, label, at: systemClock.now() });
    }
  } finally {
    lines.close();
  }
}

function questionOf(one: Told): string {
  const choices = triageLabels.map((label, at) => `${at + 1} ${label}`).join(", ");
  return `${lineOf(one)}\n  ${choices}; empty for ${one.suggested.label}, s to skip, q to stop: `;
}

function lineOf({ failure, kind, capability, suggested, label }: Told): string {
  const said = label === null ? `suggested ${suggested.label}: ${suggested.why}` : label;
  return `${failure} ${capability ?? "intake"} ${kind}: ${said}`;
}

function adviceLines({ counts, unlabelled, largest, layer }: ReturnType<typeof advise>): readonly string[] {
  const counted = triageLabels.map((label) => `${counts[label]} ${label}`).join(", ");
  const rest = unlabelled === 0 ? "" : `; ${unlabelled} without a label, which count for nothing`;
  if (largest === null || layer === null) return [`labels: ${counted}${rest}`, "set labels first: countersign triage --ask"];
  return [
    `labels: ${counted}${rest}`,
    `most are ${largest} (${labelWords[largest]}); the cheapest layer that mends that: ${layer}`,
  ];
}
