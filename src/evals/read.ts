import { z } from "zod";
import type { Database } from "../store/database.ts";

const place = { capability: z.string().nullable(), slice: z.string().nullable() };

/** What is kept of a run: figures, and no text of a case or an answer. */
export const runSummary = z.object({
  capabilities: z.record(
    z.string(),
    z.object({ version: z.string(), prompt: z.string().nullable(), model: z.string().nullable() }),
  ),
  /** Means over cases; of times in milliseconds. */
  figures: z.array(z.object({ ...place, metric: z.string(), value: z.number().nullable(), cases: z.number() })),
  failing: z.array(z.object({ id: z.string(), ...place, label: z.string(), metrics: z.array(z.string()) })),
  findings: z.array(
    z.object({
      rule: z.string(),
      metric: z.string().nullable(),
      ...place,
      value: z.number().nullable(),
      floor: z.number().nullable(),
    }),
  ),
});

/** Figures, failing cases and the findings of a gate that were not passed. */
export type RunSummary = z.infer<typeof runSummary>;

/** One run of a project's eval sets, as it is kept. */
export interface EvalRunLine extends RunSummary {
  readonly id: string;
  readonly project: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly setDigest: string;
  readonly repeats: number;
  readonly cases: number;
  readonly passedCases: number;
  /** Some case was left out by choice. */
  readonly isSelection: boolean;
  /** `null` where no gate was asked. */
  readonly gatePassed: boolean | null;
}

/** The newest runs of a project, or of all where none is named, newest first; at most `limit`. */
export async function readEvalRuns(
  database: Pick<Database, "untenanted">,
  { project = null, limit }: { project?: string | null; limit: number },
): Promise<readonly EvalRunLine[]> {
  const rows = await database.untenanted((store) => {
    const newest = store.selectFrom("eval_run").selectAll().orderBy("n", "desc").limit(limit);
    return (project === null ? newest : newest.where("project", "=", project)).execute();
  });
  return rows.map((row) => ({
    ...{ id: row.id, project: row.project, setDigest: row.set_digest, repeats: row.repeats },
    ...{ startedAt: row.started_at.getTime(), endedAt: row.ended_at.getTime() },
    ...{ cases: row.cases, passedCases: row.passed_cases, isSelection: row.is_selection, gatePassed: row.gate_passed },
    ...runSummary.parse(JSON.parse(row.summary)),
  }));
}
