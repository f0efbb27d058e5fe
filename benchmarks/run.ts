/**
 * The one door to the benchmarks: `npm run -s bench -- NAME [--data DIR] [--split open|held] [--seconds N] [--count N] [--attacker N] [--json]`.
 * With `--json` the last line on stdout is one object. Without a known name it lists what there is and exits with 2; the same where the
 * test material of others is absent (`--data`, else COUNTERSIGN_BENCH_DATA; there is no default), since nothing was measured then.
 */
import { parseArgs } from "node:util";
import { messageOf } from "../src/contract/errors.ts";

/** What the door hands on; a benchmark without data has no use for `data` and `split`, one of fixed length none for `seconds`. */
interface Asked {
  readonly data: string | null;
  readonly split: "open" | "held";
  /** Shortens a long one; `null` for the full run. */
  readonly seconds: number | null;
  /** A fixed number of operations instead, for a look and not for a figure; only `operations` has use for it. */
  readonly count: number | null;
  /** Calls that an attacker proposes; only `agentdojo` has one. */
  readonly attacker: number | null;
  readonly notice: (line: string) => void;
}

interface Benchmark {
  readonly question: string;
  readonly run: (asked: Asked) => Promise<object>;
}

// Each is loaded when it runs: one needs a database, another none.
const benchmarks: Readonly<Record<string, Benchmark>> = {
  agentdojo: {
    question: "Does an injected text get anything done, and how often is a person asked for what the user wants?",
    run: async ({ attacker, ...asked }) => (await import("./agentdojo/agentdojo.ts")).agentdojo({ ...asked, attempts: attacker }),
  },
  "banking-knowledge": {
    question: "Are the documents found that a case of a bank's service needs, by what its customer says?",
    run: async (asked) => (await import("./banking-knowledge/banking-knowledge.ts")).bankingKnowledge(asked),
  },
  budget: {
    question: "Can many processes, killed at random, spend one cap without passing it or losing any of it?",
    run: async (asked) => (await import("./budget/budget.ts")).budget(asked),
  },
  calibration: {
    question: "Does what may go alone stay within its bound, how much goes alone, and how soon is a change seen?",
    run: async ({ count, notice }) => (await import("./calibration/calibration.ts")).calibration({ count, notice }),
  },
  crash: {
    question: "Is anything lost, stuck, done twice or told wrongly when processes die at any moment?",
    run: async (asked) => (await import("./crash/crash.ts")).crash(asked),
  },
  http: {
    question: "How many decisions a second go through the whole HTTP road, and what is said beyond what it takes?",
    run: async (asked) => (await import("./http/http.ts")).http(asked),
  },
  identifiers: {
    question: "Is the document of an identifier found first, however it is written?",
    run: async () => (await import("./identifiers/identifiers.ts")).identifiers(),
  },
  ledger: {
    question: "What do appends, seals, checks and proofs of the ledger cost, and is every kind of tampering found?",
    run: async (asked) => (await import("./ledger/ledger.ts")).ledger(asked),
  },
  locomo: {
    question: "Are the turns of a long conversation found that hold the answer to a question?",
    run: async (asked) => (await import("./locomo/locomo.ts")).locomo(asked),
  },
  operations: {
    question: "How many approved operations a second are applied and verified, beside pg-boss, DBOS and Restate?",
    run: async (asked) => (await import("./operations/operations.ts")).operations(asked),
  },
  overhead: {
    question: "What does a decision cost, against LangGraph.js and against raw rows?",
    run: async (asked) => (await import("./overhead/overhead.ts")).overhead(asked),
  },
  pii: {
    question: "Is personal data found before anything is sent, how much else is masked, and how long does it take?",
    run: async (asked) => (await import("./pii/pii.ts")).pii(asked),
  },
  policy: {
    question: "What do the policy questions of one decision cost?",
    run: async (asked) => (await import("./policy/policy.ts")).policy(asked),
  },
  redundancy: {
    question: "Does finding what is said twice take ten times as long for ten times the text?",
    run: async () => (await import("./redundancy/redundancy.ts")).redundancy(),
  },
  refusal: {
    question: "Does the evidence of a search tell when not to answer?",
    run: async (asked) => (await import("./refusal/refusal.ts")).refusal(asked),
  },
  schema: {
    question: "Do contracts from elsewhere (JSON Schema) accept and reject what they must?",
    run: async (asked) => (await import("./schema/schema.ts")).schema(asked),
  },
  "search-scale": {
    question: "How long does a search over 100,000 passages take for those who may see few, beside FTS5, MiniSearch and LanceDB?",
    run: async (asked) => (await import("./search-scale/search-scale.ts")).searchScale(asked),
  },
  tatqa: {
    question: "Is every derivation over real reports a registered calculation over numbers that stand in them? (conformance)",
    run: async (asked) => (await import("./tatqa/tatqa.ts")).tatqa(asked),
  },
  tau: {
    question: "Can tools of others (a shop, an airline) be records and effects, and what is then no longer possible?",
    run: async (asked) => (await import("./tau/tau.ts")).tau(asked),
  },
  timeqa: {
    question: "Is what was true in a year found as of that year, and nothing else?",
    run: async (asked) => (await import("./timeqa/timeqa.ts")).timeqa(asked),
  },
};

process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  const notice = (line: string): void => void process.stderr.write(`${line}\n`);
  const asked = read(args);
  const benchmark = typeof asked === "string" ? undefined : benchmarks[asked.name];
  if (typeof asked === "string" || benchmark === undefined) {
    notice(typeof asked === "string" ? asked : `no benchmark is called \`${asked.name}\``);
    for (const [name, { question }] of Object.entries(benchmarks)) notice(`  ${name}  ${question}`);
    return 2;
  }
  const result = await benchmark.run({ ...asked, notice });
  process.stdout.write(asked.json ? `${JSON.stringify(result)}\n` : `${JSON.stringify(result, null, 2)}\n`);
  if (!("skipped" in result)) return 0;
  notice(`skipped: ${result.skipped}`);
  return 2;
}

function read(args: readonly string[]): (Omit<Asked, "notice"> & { name: string; json: boolean }) | string {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        data: { type: "string" },
        split: { type: "string", default: "open" },
        seconds: { type: "string" },
        count: { type: "string" },
        attacker: { type: "string" },
        json: { type: "boolean", default: false },
      },
    });
    const [name = "", ...rest] = positionals;
    if (rest.length > 0) return "one benchmark at a time";
    if (values.split !== "open" && values.split !== "held") return "`--split` is `open` or `held`";
    const { seconds, count, attacker } = {
      seconds: numberOf(values.seconds),
      count: numberOf(values.count),
      attacker: numberOf(values.attacker),
    };
    if (seconds !== null && !(seconds >= 1)) return "`--seconds` is a number of at least 1";
    if (!isCount(count)) return "`--count` is a whole number of at least 1";
    if (!isCount(attacker)) return "`--attacker` is a whole number of at least 1";
    const data = values.data ?? process.env["COUNTERSIGN_BENCH_DATA"] ?? null;
    return { name, json: values.json, data, split: values.split, seconds, count, attacker };
  } catch (thrown) {
    return messageOf(thrown);
  }
}

function numberOf(text: string | undefined): number | null {
  return text === undefined ? null : Number(text);
}

function isCount(value: number | null): boolean {
  return value === null || (Number.isInteger(value) && value >= 1);
}
