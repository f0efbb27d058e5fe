import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const nodes = [
  "entry",
  "pre_check",
  "context_load",
  "llm_decision",
  "output_guardrail",
  "verification",
  "judge",
  "confidence_compose",
  "routing",
  "prepare_proposal",
  "memory_write",
  "exit",
];
const functionOf: Record<string, string> = {
  pre_check: "preCheck",
  context_load: "contextLoad",
  llm_decision: "llmDecision",
  output_guardrail: "outputGuardrail",
  confidence_compose: "confidenceCompose",
  prepare_proposal: "prepareProposal",
  memory_write: "memoryWrite",
};

/** Each seed breaks the graph in one way and says in words what the compiler must answer. */
const seeds = [
  {
    name: "two nodes out of order",
    lines: swapped(nodes, "judge", "confidence_compose").map(add),
    says: "node `confidence_compose` is out of order: `judge` comes next",
  },
  { name: "a missing last node", lines: nodes.slice(0, -1).map(add), says: "node `exit` is missing" },
  {
    name: "a doubled node",
    lines: nodes.flatMap((node) => (node === "judge" ? [add(node), add(node)] : [add(node)])),
    says: "node `judge` stands in the graph twice",
  },
  {
    name: "a node typed any",
    lines: nodes.map((node) => (node === "routing" ? '.add("routing", JSON.parse("0"))' : add(node))),
    says: "node `routing` is typed any",
  },
  {
    name: "a node whose state is typed any",
    lines: nodes.map((node) => (node === "routing" ? '.add("routing", readsAnything)' : add(node))),
    says: "node `routing` is typed any",
  },
  {
    name: "a node that reads what nobody adds",
    lines: nodes.map((node) => (node === "pre_check" ? '.add("pre_check", readsTooEarly)' : add(node))),
    says: "node `pre_check` reads the slot `context`, which no earlier node adds",
  },
  {
    name: "a node that overwrites a slot",
    lines: nodes.map((node) => (node === "memory_write" ? '.add("memory_write", overwrites)' : add(node))),
    says: "node `memory_write` overwrites the slot `inputs`",
  },
  {
    name: "a slot that nobody reads",
    lines: nodes.map((node) => (node === "exit" ? '.add("exit", readsNoNotes)' : add(node))),
    says: "the slot `notes` is never read",
  },
];

let folder = "";
const answers = new Map<string, string>();

beforeAll(async () => {
  folder = await mkdtemp(join(root, "test/types/seed-"));
  await Promise.all([
    writeFile(join(folder, "whole.ts"), fileOf(nodes.map(add))),
    ...seeds.map((seed, place) => writeFile(join(folder, `seed${place}.ts`), fileOf(seed.lines))),
  ]);
  await writeFile(
    join(folder, "tsconfig.json"),
    JSON.stringify({ extends: "../../../tsconfig.json", include: ["*.ts"], exclude: [] }),
  );
  const output = await compile(folder);
  for (const line of output.split("\n")) {
    const file = /^(?:.*\/)?(\w+)\.ts\(/.exec(line)?.[1];
    if (file !== undefined) current = file;
    answers.set(current, `${answers.get(current) ?? ""}${line}\n`);
  }
}, 60_000);
let current = "";

afterAll(() => rm(folder, { recursive: true, force: true }));

describe("the graph's types", () => {
  it("accept the graph as it stands", () => {
    expect(answers.get("whole")).toBeUndefined();
  });

  it.each(seeds.map((seed, place) => ({ ...seed, place })))("refuse $name and say so in words", ({ place, says }) => {
    expect(answers.get(`seed${place}`) ?? "compiled").toContain(says);
  });
});

function add(node: string): string {
  return `.add("${node}", ${functionOf[node] ?? node})`;
}

function swapped(list: readonly string[], one: string, other: string): string[] {
  return list.map((node) => (node === one ? other : node === other ? one : node));
}

function fileOf(lines: readonly string[]): string {
  const imports = nodes.map(
    (node) => `import { ${functionOf[node] ?? node} } from "../../../src/decide/nodes/${node.replaceAll("_", "-")}.ts";`,
  );
  return `import { decisionGraph } from "../../../src/decide/builder.ts";
import type { Node } from "../../../src/decide/state.ts";
${imports.join("\n")}
export const readsTooEarly: Node<"received" | "envelope" | "context", "inputs"> = async () => ({ inputs: 1 });
export const readsAnything = async (state: any) => ({ routed: state.anything });
export const overwrites: Node<"proposal" | "checked", "notes" | "inputs"> = async () => ({ notes: [], inputs: 1 });
export const readsNoNotes: Node<"proposal" | "decidedBy" | "routed", "outcome"> = async () => { throw new Error("never run"); };
export { ${nodes.map((node) => functionOf[node] ?? node).join(", ")} };
export const graph = decisionGraph()
  ${lines.join("\n  ")}
  .seal();
`;
}

async function compile(directory: string): Promise<string> {
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  try {
    return (await promisify(execFile)(process.execPath, [tsc, "-p", directory, "--pretty", "false"], { cwd: directory })).stdout;
  } catch (thrown) {
    return (thrown as { stdout: string }).stdout; // tsc exits with 1 where it found errors, which is what is asked for here
  }
}
