/**
 * Whether the evidence that search tells is enough to know when not to answer: questions that the pool answers and such that it does
 * not, over mtrag-un-boundary. No model takes part: what is measured is the bar before it.
 */
import { join } from "node:path";
import * as z from "zod";
import { filedVersion } from "../../test/setup/filed-version.ts";
import { openWays, type Way } from "../knowledge/legs.ts";
import { meanRanks, type RankScore, scoreRanks } from "../knowledge/ranks.ts";
import { openSearchStand, type SearchStand } from "../knowledge/stand.ts";
import { readLines, setFile } from "../schema/read-lines.ts";
import { curveOf, type Refusing } from "./curve.ts";
import { type GroundedAnswer, type Grounding, groundingOf } from "./grounding.ts";

/** What was measured, or why nothing was. Shares are of 100. */
export type RefusalReport =
  | { readonly name: "refusal"; readonly skipped: string }
  | {
      readonly name: "refusal";
      readonly split: "open" | "held";
      readonly tasks: { readonly [answerability: string]: number };
      readonly passages: number;
      readonly models: string;
      readonly ways: readonly WayScore[];
      /** Of people's own answers. */
      readonly grounding: Grounding;
    };

interface WayScore {
  readonly way: string;
  /** What is asked: the last thing that the user said, or the last two. */
  readonly query: "last turn" | "last two turns";
  readonly retrieval: RankScore | null;
  /** Median and slow end of a search, in milliseconds. */
  readonly p50Ms: number;
  readonly refusing: Refusing;
}

const passageForm = z.object({ passage_id: z.string(), collection: z.string(), text: z.string() });
const taskForm = z.object({
  id: z.string(),
  collection: z.string(),
  answerability: z.array(z.string()),
  messages: z.array(z.object({ speaker: z.string(), text: z.string() })),
  gold_passage_ids: z.array(z.string()),
  reference_answers: z.array(z.string()),
});
type Task = z.infer<typeof taskForm>;
type PoolPassage = z.infer<typeof passageForm>;

/** Runs the benchmark over one split. Each task is asked within its own collection. */
export async function refusal({
  data,
  split,
  notice,
}: {
  data: string | null;
  split: "open" | "held";
  notice: (line: string) => void;
}): Promise<RefusalReport> {
  if (data === null) return skipped("no folder of test material was named; use `--data DIR` or COUNTERSIGN_BENCH_DATA");
  const tasksFile = setFile(data, { set: "mtrag-un-boundary", split, file: "tasks.jsonl" });
  const tasks = await readLines(tasksFile, taskForm);
  const pool = await readLines(join(data, "mtrag-un-boundary", "common", "passages.jsonl"), passageForm);
  if (tasks === null || pool === null) return skipped(`\`${tasksFile}\` or the pool of passages is not there`);
  const { ways, models, withVectors } = await openWays();
  const stand = await openSearchStand({ fsync: "off" });
  try {
    await stand.file(await Promise.all(pool.map((passage, at) => withVectors(versionOf(passage, at)))));
    notice(`${pool.length} passages are filed`);
    const scores: WayScore[] = [];
    for (const way of ways)
      for (const query of ["last turn", "last two turns"] as const)
        scores.push(await measure(stand, { way, query, tasks, pool }));
    const kinds = Map.groupBy(tasks, ({ answerability }) => answerability[0] ?? "");
    const counts = Object.fromEntries([...kinds].map(([kind, all]) => [kind, all.length]));
    return {
      name: "refusal",
      split,
      tasks: counts,
      passages: pool.length,
      models,
      ways: scores,
      grounding: groundingOf(answersOf(tasks, pool)),
    };
  } finally {
    await stand.close();
  }
}

/** The first answer of a person to each task that its passages answer. */
function answersOf(tasks: readonly Task[], pool: readonly PoolPassage[]): readonly GroundedAnswer[] {
  const texts = new Map(pool.map(({ passage_id: id, text }) => [id, text]));
  const answerable = tasks.filter(({ answerability }) => answerability[0] === "ANSWERABLE");
  return answerable.flatMap(({ reference_answers: [text], gold_passage_ids: ids }) =>
    text === undefined || ids.length === 0 ? [] : [{ text, passages: ids.map((id) => ({ id, text: texts.get(id) ?? "" })) }],
  );
}

function versionOf({ collection, text }: PoolPassage, at: number) {
  return filedVersion({ id: `p${at}`, title: "", collection, scopes: ["all"], passages: [text] });
}

interface Measuring {
  readonly way: Way;
  readonly query: WayScore["query"];
  readonly tasks: readonly Task[];
  readonly pool: readonly PoolPassage[];
}

async function measure(stand: SearchStand, { way, query, tasks, pool }: Measuring): Promise<WayScore> {
  const ranks: RankScore[] = [];
  const evidence = new Map<string, number[]>();
  const ms: number[] = [];
  for (const task of tasks) {
    const kind = task.answerability[0] ?? "";
    const begun = performance.now();
    const { content } = await stand.search({
      ...{ query: queryOf(task, query), scopes: ["all"], limit: 10, ...way },
      more: { collection: task.collection },
    });
    ms.push(performance.now() - begun);
    evidence.set(kind, [...(evidence.get(kind) ?? []), Math.max(0, ...content.map(({ score }) => score))]);
    if (kind !== "ANSWERABLE" && kind !== "PARTIAL") continue;
    const found = content.map(({ document }) => pool[Number(document.slice(1))]?.passage_id ?? "");
    ranks.push(scoreRanks(found, task.gold_passage_ids));
  }
  const p50Ms = Math.round((ms.sort((a, b) => a - b)[Math.floor(ms.length / 2)] ?? 0) * 10) / 10;
  return { way: way.name, query, retrieval: meanRanks(ranks), p50Ms, refusing: curveOf(evidence) };
}

/** What a capability would ask that passes on what the user said: no words of the agent, no model that rewrites. */
function queryOf({ messages }: Task, query: WayScore["query"]): string {
  const said = messages.filter(({ speaker }) => speaker === "user").map(({ text }) => text);
  return said.slice(query === "last turn" ? -1 : -2).join("\n");
}

function skipped(why: string): RefusalReport {
  return { name: "refusal", skipped: why };
}
