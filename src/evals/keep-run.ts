import { canonicalJson } from "../contract/json.ts";
import { openDatabase } from "../store/database.ts";
import type { CaseResult, EvalRun } from "./eval-run.ts";
import type { GateResult } from "./gate/finding.ts";
import { measure } from "./gate/measures.ts";
import type { RunSummary } from "./read.ts";

/** A run that is to be kept, and what a gate said of it. */
export interface RunToKeep {
  readonly run: EvalRun;
  readonly gate: GateResult | null;
  readonly isSelection: boolean;
}

/** Keeps what a run came to in the installation whose acting login `url` is; a run that is kept already stays as it is. */
export async function keepRun({ url, ...kept }: RunToKeep & { url: string }): Promise<void> {
  const { run, gate, isSelection } = kept;
  const database = openDatabase({ url, role: "acting", connections: 1 });
  try {
    await database.untenanted((store) =>
      store
        .insertInto("eval_run")
        .values({
          ...{ id: run.id, project: run.project, set_digest: run.setDigest, repeats: run.repeats, is_selection: isSelection },
          ...{ started_at: new Date(run.startedAt), ended_at: new Date(Math.max(run.startedAt, run.endedAt)) },
          ...{ cases: run.cases.length, passed_cases: run.cases.filter(({ passed }) => passed).length },
          gate_passed: gate?.passed ?? null,
          summary: canonicalJson(summaryOf(kept)),
        })
        .onConflict((conflict) => conflict.column("id").doNothing())
        .execute(),
    );
  } finally {
    await database.close();
  }
}

/** What is kept of a run. */
function summaryOf({ run, gate }: Pick<RunToKeep, "run" | "gate">): RunSummary {
  const { cases, capabilities } = run;
  const groups = [...Map.groupBy(cases, ({ capability }) => capability)].flatMap(([capability, own]) => [
    { capability, slice: null, own },
    ...[...Map.groupBy(own, ({ slice }) => slice)].map(([slice, part]) => ({ capability, slice, own: part })),
  ]);
  return {
    capabilities,
    figures: groups.flatMap(({ own, ...place }) =>
      metricsOf(own).map((metric) => {
        const { value, cases: count } = measure(metric, own);
        return { ...place, metric, value, cases: count };
      }),
    ),
    failing: cases.filter(({ passed }) => !passed).map(failingCase),
    findings: (gate?.findings ?? [])
      .filter(({ passed }) => !passed)
      .map(({ rule, metric, capability, slice, value, floor }) => ({ rule, metric, capability, slice, value, floor })),
  };
}

function metricsOf(cases: readonly CaseResult[]): readonly string[] {
  const scored = cases.flatMap(({ repeats }) => repeats.flatMap(({ scores }) => scores.map(({ metric }) => metric)));
  return ["cases.passed", "cases.p50_ms", "cases.p90_ms", ...[...new Set<string>(scored)].sort()];
}

function failingCase({ id, capability, slice, label, repeats }: CaseResult): RunSummary["failing"][number] {
  const failed = repeats.flatMap(({ scores }) => scores.filter(({ passed }) => passed === false).map(({ metric }) => metric));
  return { id, capability, slice, label, metrics: [...new Set<string>(failed)] };
}
