/**
 * Are the turns of a long conversation found that hold the answer to a question? By words alone, over the real writer and the real
 * search: a turn is a passage, a session is its parent section under its date, and each conversation is open to a label of its own.
 */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { type Leg, wordsLeg } from "../../src/know/search/search.ts";
import { openSearchStand, type SearchStand } from "../knowledge/stand.ts";
import { readLines, setFile } from "../schema/read-lines.ts";
import { type Conversation, conversationForm, documentOf, labelOf, passagesOf } from "./conversation.ts";
import { addUp, type QuestionScore, type RecallScore, scoreQuestion } from "./score.ts";

/** What was measured, or why nothing was. Shares are of 100. */
export type LocomoReport =
  | { readonly name: "locomo"; readonly skipped: string }
  | {
      readonly name: "locomo";
      readonly split: "open" | "held";
      readonly conversations: number;
      readonly turns: number;
      readonly questions: number;
      readonly legs: readonly ({ readonly leg: string } & LegScore)[];
      readonly bars: readonly {
        readonly name: string;
        readonly atLeast: number;
        readonly measured: number;
        readonly passed: boolean;
      }[];
      readonly passed: boolean;
    };

/** One way of searching: within the conversation, and over all ten at once. */
interface LegScore {
  readonly within: RecallScore;
  readonly pooled: RecallScore;
  /** Passages of other conversations in what was searched under the label of one. */
  readonly leaks: number;
}

const questionForm = z.object({
  id: z.string(),
  conversation_id: z.string(),
  category: z.number(),
  question: z.string(),
  evidence: z.array(z.string()),
});
export type LocomoQuestion = z.infer<typeof questionForm>;

/** Runs the benchmark; questions without evidence, and those that have no answer (category 5), are not asked. */
export async function locomo({
  data,
  split,
  notice,
}: {
  data: string | null;
  split: "open" | "held";
  notice: (line: string) => void;
}): Promise<LocomoReport> {
  if (data === null) return skipped("no folder of test material was named; use `--data DIR` or COUNTERSIGN_BENCH_DATA");
  const conversationsFile = join(data, "locomo", "common", "conversations.json");
  const questionsFile = setFile(data, { set: "locomo", split, file: "qa.jsonl" });
  const all = await readLines(questionsFile, questionForm);
  if (all === null || !existsSync(conversationsFile))
    return skipped(`\`${all === null ? questionsFile : conversationsFile}\` is not there`);
  const conversations = z.array(conversationForm).parse(JSON.parse(await readFile(conversationsFile, "utf8")));
  const questions = all.filter(({ category, evidence }) => category !== 5 && evidence.length > 0);
  const stand = await openSearchStand({ fsync: "off" });
  try {
    await stand.file(conversations.map(documentOf));
    notice(`${conversations.length} conversations are filed`);
    const legs: ({ leg: string } & LegScore)[] = [];
    for (const leg of measured)
      legs.push({ leg: leg.name, ...(await measure({ stand, conversations, questions, legs: leg.legs })) });
    return report({ split, conversations, questions, legs });
  } finally {
    await stand.close();
  }
}

/** Each leg alone, and all of them; without an embedder they are the same. */
const measured: readonly { readonly name: string; readonly legs: readonly Leg[] }[] = [
  { name: "lexical", legs: [wordsLeg()] },
  { name: "fused", legs: [wordsLeg()] },
];

interface Measuring {
  readonly stand: SearchStand;
  readonly conversations: readonly Conversation[];
  readonly questions: readonly LocomoQuestion[];
  readonly legs: readonly Leg[];
}

async function measure({ stand, conversations, questions, legs }: Measuring): Promise<LegScore> {
  const within: QuestionScore[] = [];
  const pooled: QuestionScore[] = [];
  let leaks = 0;
  for (const question of questions) {
    const conversation = conversations.find(({ conversation_id: id }) => id === question.conversation_id);
    if (conversation === undefined) throw new Error(`question \`${question.id}\` is about no conversation`);
    const asked = { query: question.question, limit: 10, legs };
    const own = await stand.search({ ...asked, scopes: [labelOf(conversation)] });
    within.push(scoreQuestion({ question, conversation, found: own.content }));
    pooled.push(
      scoreQuestion({
        question,
        conversation,
        found: (await stand.search({ ...asked, scopes: conversations.map(labelOf) })).content,
      }),
    );
    leaks += [...own.content.map(({ id }) => id), ...own.activity.legs.flatMap(({ ranks }) => ranks)].filter(
      (id) => !id.startsWith(passagesOf(conversation)),
    ).length;
  }
  return { within: addUp(within), pooled: addUp(pooled), leaks };
}

type Reporting = Omit<Measuring, "stand" | "legs"> & { split: "open" | "held"; legs: readonly ({ leg: string } & LegScore)[] };

function report({ split, conversations, questions, legs }: Reporting): LocomoReport {
  const bars = legs
    .filter(({ leg }) => leg === "fused")
    .flatMap(({ within, pooled, leaks }) => [
      bar("within a conversation, R@5", { atLeast: 64, measured: within.at5 }),
      bar("within a conversation, R@10", { atLeast: 74, measured: within.at10 }),
      bar("all conversations pooled, R@10", { atLeast: 71, measured: pooled.at10 }),
      bar("conversations without a leak", { atLeast: 0, measured: -leaks }),
    ]);
  const turns = conversations.reduce((sum, { sessions }) => sum + sessions.reduce((all, one) => all + one.turns.length, 0), 0);
  const counts = { conversations: conversations.length, turns, questions: questions.length };
  return { name: "locomo", split, ...counts, legs, bars, passed: questions.length > 0 && bars.every(({ passed }) => passed) };
}

function bar(name: string, { atLeast, measured: value }: { atLeast: number; measured: number }) {
  return { name, atLeast, measured: value, passed: value >= atLeast };
}

function skipped(why: string): LocomoReport {
  return { name: "locomo", skipped: why };
}
