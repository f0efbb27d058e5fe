import { resolve } from "node:path";
import { CountersignError, isCountersignError } from "../contract/errors.ts";
import type { CellResult, ReleaseReport } from "../contract/release.ts";
import type { Project } from "../define/project.ts";
import type { Sandbox } from "../define/sandbox.ts";
import { keepRelease, runRelease } from "../release.ts";
import { checkHands, type Hands } from "../worker.ts";
import { withRoleUrl } from "./embedded-url.ts";
import { hasEntry, loadEntry } from "./load.ts";
import { openPolicies } from "./open-policies.ts";
import { print } from "./print.ts";
import { withScratchDatabase } from "./scratch-database.ts";

/**
 * Runs the release matrix over one effect, in a scratch database with the project's sandbox, and keeps what came of it in the installation:
 * exit code 0 where every cell passed or does not apply, 1 where one did not. Throws `effect_unknown`, and `configuration_invalid`
 * for a project without a sandbox.
 */
export async function effectTest(
  name: string,
  { project: folder, directory, json }: { project: string; directory: string; json?: true },
): Promise<void> {
  const { effect, ...loaded } = await load(folder, name);
  const { project, hands, sandbox } = loaded;
  const policy = openPolicies(folder);
  const report = await withScratchDatabase(async ({ adminUrl, urls, isLeaving }) => {
    const { acting: secrets } = await sandbox.install({ adminUrl });
    const onCell = (result: CellResult): void => {
      if (json !== true && !isLeaving()) console.log(lineOf(result));
    };
    return runRelease({ project, hands, effect, policy, samples: sandbox.release?.[name], secrets, adminUrl, urls, onCell });
  });
  const releaseId = await keep(report, resolve(directory));
  print({ json, value: { ...report, releaseId }, lines: endLines(report, releaseId) });
  process.exitCode = report.isPassed ? 0 : 1;
}

async function load(folder: string, name: string) {
  const project = await loadEntry<Project>(folder, "project");
  const effect = project.effects.find((one) => one.name === name);
  if (effect === undefined) throw unknownEffect(project);
  if (!hasEntry(folder, "sandbox")) {
    const message = `\`${folder}\` has no sandbox.ts, and an effect is tested against a sandbox alone; write one`;
    throw new CountersignError("configuration_invalid", message);
  }
  const hands = await loadEntry<Hands>(folder, "hands");
  checkHands({ project, hands });
  return { project, effect, hands, sandbox: await loadEntry<Sandbox>(folder, "sandbox") };
}

function unknownEffect({ name, effects }: Project): CountersignError {
  const names = effects.map((effect) => `\`${effect.name}\``).join(", ");
  return new CountersignError("effect_unknown", `project \`${name}\` has no effect of that name; it has ${names || "none"}`);
}

/** Keeps the run where policy reads it; `null` where nothing is installed, so that a build can test an effect without an installation. */
async function keep(report: ReleaseReport, directory: string): Promise<string | null> {
  try {
    return await withRoleUrl({ directory, role: "acting" }, (url) => keepRelease({ url, report }));
  } catch (thrown) {
    if (isCountersignError(thrown, "configuration_invalid")) return null;
    throw thrown;
  }
}

const words = { passed: "passed", failed: "FAILED", no_sample: "NO SAMPLE", not_applicable: "n/a" } as const;

function lineOf({ cell, state, says }: CellResult): string {
  return `${cell.padEnd(21)} ${words[state].padEnd(9)} ${says}`;
}

function endLines({ effect, version, isPassed, cells }: ReleaseReport, releaseId: string | null): readonly string[] {
  const failed = cells.filter(({ state }) => state === "failed" || state === "no_sample");
  const said = isPassed
    ? `${effect} ${version} is released: no cell stands against it`
    : `${effect} ${version} is not released: ${failed.map(({ cell }) => cell).join(", ")}; policy lets it through nowhere without a person`;
  return [
    "",
    said,
    releaseId === null ? "not kept: nothing is installed in this directory; name one with --directory" : `kept as ${releaseId}`,
  ];
}
