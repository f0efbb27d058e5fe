import type { Selectable } from "kysely";
import { z } from "zod";
import { CountersignError } from "../contract/errors.ts";
import type { EvalRunDetail, EvalRunView } from "../contract/eval-view.ts";
import type { ReadPage } from "../contract/page.ts";
import type { Door } from "../contract/permitted.ts";
import type { Principal } from "../contract/principal.ts";
import type { Database, Store } from "../store/database.ts";
import { isId } from "../store/ids.ts";
import type { Tables } from "../store/tables.ts";

type EvalRunRow = Selectable<Tables["eval_run"]>;

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

/** The newest runs of a project, or of all where none is named, newest first; at most `limit`. */
export async function readEvalRuns(
  database: Pick<Database, "untenanted">,
  { project = null, limit }: { project?: string | null; limit: number },
): Promise<readonly EvalRunDetail[]> {
  const rows = await database.untenanted((store) => {
    const newest = store.selectFrom("eval_run").selectAll().orderBy("n", "desc").limit(limit);
    return (project === null ? newest : newest.where("project", "=", project)).execute();
  });
  return rows.map(lineOf);
}

/** What people are told of eval runs; `forbidden` for whoever that board is not open to. */
export interface EvalBoard {
  /** The project's runs, newest first; those of one capability where it is named. A page may hold fewer than were asked for. */
  readonly evalRuns: (asking: {
    readonly principal: Principal;
    readonly capability?: string | null;
    readonly limit: number;
    readonly after?: number | null;
  }) => Promise<ReadPage<EvalRunView, [number]>>;
  /** One run with what failed; `not_found` where the project has none of that id. */
  readonly evalRun: (asking: { principal: Principal; id: string }) => Promise<EvalRunDetail>;
}

/** Opens the board of one project's runs. */
export function evalBoard({
  database,
  project,
  door,
}: {
  database: Pick<Database, "untenanted">;
  project: string;
  door: Door;
}): EvalBoard {
  return {
    evalRuns: async ({ principal, capability = null, limit, after = null }) => {
      door(principal);
      const rows = await database.untenanted((store) => {
        const newest = store.selectFrom("eval_run").selectAll().where("project", "=", project).orderBy("n", "desc");
        const asked = after === null ? newest : newest.where("n", "<", String(after));
        return asked.limit(limit + 1).execute();
      });
      const page = rows.slice(0, limit);
      const last = page.at(-1);
      const items = page.map(viewOf).filter(({ capabilities }) => capability === null || Object.hasOwn(capabilities, capability));
      return { items, last: rows.length > limit && last !== undefined ? [Number(last.n)] : null };
    },
    evalRun: async ({ principal, id }) => {
      door(principal);
      const find = (store: Store) =>
        store.selectFrom("eval_run").selectAll().where("project", "=", project).where("id", "=", id).executeTakeFirst();
      const row = isId(id) ? await database.untenanted(find) : undefined;
      if (row === undefined) throw new CountersignError("not_found", "no eval run of that id is kept of this project");
      return lineOf(row);
    },
  };
}

function lineOf(row: EvalRunRow): EvalRunDetail {
  return {
    ...{ id: row.id, project: row.project, setDigest: row.set_digest, repeats: row.repeats },
    ...{ startedAt: row.started_at.getTime(), endedAt: row.ended_at.getTime() },
    ...{ cases: row.cases, passedCases: row.passed_cases, isSelection: row.is_selection, gatePassed: row.gate_passed },
    ...runSummary.parse(JSON.parse(row.summary)),
  };
}

function viewOf(row: EvalRunRow): EvalRunView {
  const { failing: _, findings: __, ...view } = lineOf(row);
  return view;
}
