import { join, resolve } from "node:path";
import type { Capability } from "../contract/capability.ts";
import { fitToSchema } from "../contract/schema.ts";
import { type EvalCase, inputsOf } from "../evals/case-file.ts";
import { type EvalFile, readEvalCases } from "../evals/read-cases.ts";
import type { Finding } from "./finding.ts";

/** Eval cases that a capability needs before a pass rate says anything. */
const neededCases = 20;

/** How many eval cases each capability has. */
export type CaseCounts = { readonly [capability: string]: number };

/** What is wrong with the eval cases in a project's folder `evals`, and how many each capability has. */
export async function checkEvals({
  folder,
  capabilities,
}: {
  folder: string;
  capabilities: readonly Capability[];
}): Promise<{ readonly findings: readonly Finding[]; readonly counts: CaseCounts }> {
  const files = await readEvalCases(join(resolve(folder), "evals"));
  const countOf = (name: string) =>
    files.filter(({ capability }) => capability === name).reduce((sum, { cases }) => sum + cases.length, 0);
  const counts = Object.fromEntries(capabilities.map(({ name }) => [name, countOf(name)]));
  const findings = [
    ...files.flatMap(({ faults }) => faults.map(({ file, at, expected }) => faultOf(file, at, expected))),
    ...files.flatMap((file) => strayOf(file, capabilities)),
    ...capabilities.flatMap(({ name }) => fewOf(name, counts[name] ?? 0)),
    ...(await misfits(files, capabilities)),
  ];
  return { findings, counts };
}

function faultOf(file: string, at: string, expected: string): Finding {
  const place = at === "" ? "" : ` at \`${at}\``;
  return {
    level: "error",
    about: `\`evals/${file}\``,
    problem: `is broken${place}: ${expected}`,
    fix: "mend it; a case that cannot be read is never run",
  };
}

/** Intake is a capability that every project has. */
function strayOf({ file, capability }: EvalFile, capabilities: readonly Capability[]): readonly Finding[] {
  if (capability === "intake" || capabilities.some(({ name }) => name === capability)) return [];
  const problem = `is for \`${capability}\`, which is no capability of this project`;
  return [{ level: "error", about: `\`evals/${file}\``, problem, fix: "name the file after a capability" }];
}

function fewOf(name: string, count: number): readonly Finding[] {
  if (count >= neededCases) return [];
  return [
    {
      level: "hint",
      about: `capability \`${name}\``,
      problem: `has ${count} of ${neededCases} eval cases`,
      fix: `add some to \`evals/${name}.yaml\`, as people write`,
    },
  ];
}

/** A request that the capability would refuse at its door tests nothing else, so it must expect just that. */
async function misfits(files: readonly EvalFile[], capabilities: readonly Capability[]): Promise<readonly Finding[]> {
  const found = files.flatMap(({ file, capability: name, cases }) => {
    const capability = capabilities.find((one) => one.name === name);
    return capability === undefined ? [] : cases.map(async (one) => misfitOf({ file, one, capability }));
  });
  return (await Promise.all(found)).flat();
}

async function misfitOf({
  file,
  one,
  capability,
}: {
  file: string;
  one: EvalCase;
  capability: Capability;
}): Promise<readonly Finding[]> {
  const isRefused = (await fitToSchema(capability.input, inputsOf(one))).kind === "misfits";
  if (isRefused === (one.expectations.stop === "input_invalid")) return [];
  return [
    {
      level: "error",
      about: `\`evals/${file}\`, case \`${one.id}\``,
      problem: isRefused
        ? "has a request that does not fit the capability's inputs"
        : "expects `input_invalid`, and its request fits",
      fix: "mend the request, or what it expects",
    },
  ];
}
