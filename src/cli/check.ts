import { resolve } from "node:path";
import { isCountersignError } from "../contract/errors.ts";
import type { Project } from "../define/project.ts";
import { refuseMixedSecrets } from "./declared-secrets.ts";
import { mixedHalves } from "./halves.ts";
import { loadEntry } from "./load.ts";
import { print } from "./print.ts";

/** What is missing or wrong; an `error` makes the command fail, a `hint` does not. */
interface Finding {
  readonly level: "error" | "hint";
  readonly message: string;
}

/**
 * Checks a project: none of its halves reaches another, its definitions load and keep their rules, and its halves share no secret.
 * A project with mixed halves is only read, never loaded.
 */
export async function check({ project: folder, json }: { project: string; json?: true }): Promise<void> {
  const mixed = (await mixedHalves(resolve(folder))).map((message): Finding => ({ level: "error", message }));
  const project = mixed.length > 0 ? null : await loadEntry<Project>(folder, "project");
  const findings =
    project === null
      ? mixed
      : [...(await sharedSecrets(folder)), ...project.capabilities.flatMap((capability) => hintsFor(capability))];
  const hasErrors = findings.some((finding) => finding.level === "error");
  const value = {
    project: project?.name ?? null,
    capabilities: (project?.capabilities ?? []).map((one) => `${one.name} ${one.version}`),
    findings,
  };
  const lines = [
    project === null
      ? `${folder}: not loaded`
      : `${project.name}: ${project.capabilities.length} capabilities (${project.capabilities.map((one) => one.name).join(", ")}), ${project.effects.length} effects`,
    ...findings.map((finding) => `${finding.level}: ${finding.message}`),
    ...(hasErrors ? [] : ["the halves stay apart and share no secret"]),
  ];
  print({ json, value, lines });
  if (hasErrors) process.exitCode = 1;
}

async function sharedSecrets(folder: string): Promise<Finding[]> {
  try {
    await refuseMixedSecrets(folder);
    return [];
  } catch (thrown) {
    if (isCountersignError(thrown, "configuration_invalid")) return [{ level: "error", message: thrown.message }];
    throw thrown;
  }
}

function hintsFor(capability: Project["capabilities"][number]): Finding[] {
  const named = `capability \`${capability.name}\``;
  const hint = (message: string): Finding => ({ level: "hint", message: `${named} ${message}` });
  return [
    ...(capability.openTo.length === 0 ? [hint("is open to nobody: `openTo` is empty")] : []),
    ...(capability.checks.length === 0 ? [hint("has no checks of its own")] : []),
    ...(capability.deciding.kind === "prompt" && capability.judge === null && capability.effects.length > 0
      ? [hint("has effects and no judge")]
      : []),
  ];
}
