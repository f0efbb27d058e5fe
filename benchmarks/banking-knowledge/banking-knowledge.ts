/**
 * Whether the documents that a case of a bank's service needs are found by the script of its customer, over tau2-banking-knowledge: a
 * long and noisy text, told as it is. No model takes part.
 */
import { join } from "node:path";
import * as z from "zod";
import { chunk } from "../../src/know/ingest/chunk.ts";
import { parseMarkdown } from "../../src/know/ingest/parsers/markdown.ts";
import { filedVersion } from "../../test/setup/filed-version.ts";
import { openWays, type Way } from "../knowledge/legs.ts";
import { meanRanks, type RankScore, scoreRanks } from "../knowledge/ranks.ts";
import { openSearchStand, type SearchStand } from "../knowledge/stand.ts";
import { readLines, setFile } from "../schema/read-lines.ts";

/** What was measured, or why nothing was. Shares are of 100 and means over tasks. */
export type BankingReport =
  | { readonly name: "banking-knowledge"; readonly skipped: string }
  | {
      readonly name: "banking-knowledge";
      readonly split: "open" | "held";
      readonly tasks: number;
      readonly documents: number;
      readonly passages: number;
      readonly models: string;
      readonly ways: readonly WayScore[];
    };

interface WayScore {
  readonly way: string;
  readonly score: RankScore | null;
  readonly p50Ms: number;
  /** Of each task: which share of its documents is among the first twenty, of 100. */
  readonly tasks: { readonly [task: string]: number };
}

const documentForm = z.object({ id: z.string(), title: z.string(), content: z.string() });
const taskForm = z.object({ id: z.string(), scenario: z.string(), required_documents: z.array(z.string()) });
type Task = z.infer<typeof taskForm>;

/** Runs the benchmark over one split; a task without documents has none to find, and is not asked. */
export async function bankingKnowledge({
  data,
  split,
  notice,
}: {
  data: string | null;
  split: "open" | "held";
  notice: (line: string) => void;
}): Promise<BankingReport> {
  if (data === null) return skipped("no folder of test material was named; use `--data DIR` or COUNTERSIGN_BENCH_DATA");
  const tasksFile = setFile(data, { set: "tau2-banking-knowledge", split, file: "tasks.jsonl" });
  const all = await readLines(tasksFile, taskForm);
  const documents = await readLines(join(data, "tau2-banking-knowledge", "common", "documents.jsonl"), documentForm);
  if (all === null || documents === null) return skipped(`\`${tasksFile}\` or the documents are not there`);
  const tasks = all.filter(({ required_documents: wanted }) => wanted.length > 0);
  const { ways, models, withVectors } = await openWays();
  const stand = await openSearchStand({ fsync: "off" });
  try {
    const versions = await Promise.all(documents.map((document, at) => withVectors(versionOf(document, at))));
    await stand.file(versions);
    const passages = versions.reduce((sum, version) => sum + version.passages.length, 0);
    notice(`${documents.length} documents are filed`);
    const scored: WayScore[] = [];
    for (const way of ways) scored.push(await measure(stand, { way, tasks, ids: documents.map(({ id }) => id) }));
    const counts = { tasks: tasks.length, documents: documents.length, passages };
    return { name: "banking-knowledge", split, ...counts, models, ways: scored };
  } finally {
    await stand.close();
  }
}

/** As ingest reads a Markdown file. */
function versionOf({ title, content }: z.infer<typeof documentForm>, at: number) {
  const { document } = filedVersion({ id: `d${at}`, title, scopes: ["all"], passages: [content] });
  return { document, passages: chunk(parseMarkdown(new TextEncoder().encode(content))) };
}

async function measure(stand: SearchStand, { way, tasks, ids }: { way: Way; tasks: readonly Task[]; ids: readonly string[] }) {
  const scores: RankScore[] = [];
  const ms: number[] = [];
  for (const { scenario, required_documents: wanted } of tasks) {
    const begun = performance.now();
    const { content } = await stand.search({ query: scenario.slice(0, 20_000), scopes: ["all"], limit: 100, ...way });
    ms.push(performance.now() - begun);
    scores.push(
      scoreRanks(
        content.map(({ document }) => ids[Number(document.slice(1))] ?? ""),
        wanted,
      ),
    );
  }
  const p50Ms = Math.round((ms.sort((a, b) => a - b)[Math.floor(ms.length / 2)] ?? 0) * 10) / 10;
  const each = tasks.map(({ id }, at) => [id, Math.round((scores[at]?.at20 ?? 0) * 1_000) / 10]);
  return { way: way.name, score: meanRanks(scores), p50Ms, tasks: Object.fromEntries(each) };
}

function skipped(why: string): BankingReport {
  return { name: "banking-knowledge", skipped: why };
}
