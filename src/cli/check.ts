import { resolve } from "node:path";
import { isCountersignError } from "../contract/errors.ts";
import { isCompensation } from "../define/compensation.ts";
import type { Project } from "../define/project.ts";
import { checkCapability, checkEffect } from "./check-capability.ts";
import { type CaseCounts, checkEvals } from "./check-evals.ts";
import { checkPolicies } from "./check-policies.ts";
import { checkPrivacy } from "./check-privacy.ts";
import { checkReach } from "./check-reach.ts";
import { checkSources } from "./check-sources.ts";
import { type DeclaredProviders, refuseMixedSecrets } from "./declared-secrets.ts";
import { type Finding, sentenceOf } from "./finding.ts";
import { mixedHalves } from "./halves.ts";
import { loadEntry } from "./load.ts";
import { print } from "./print.ts";

/**
 * Checks a project: none of its halves reaches another, its definitions load and keep their rules, its halves share no secret, what it
 * may propose can be carried out, and each capability has what a finished one has. A project with mixed halves is only read, never
 * loaded. Exits with 1 for an error, with `strict` for a hint too.
 */
export async function check({ project: folder, json, strict }: { project: string; json?: true; strict?: true }): Promise<void> {
  const { project, findings, cases } = await look(folder);
  const hasErrors = findings.some(({ level }) => level === "error");
  const value = {
    project: project?.name ?? null,
    capabilities: (project?.capabilities ?? []).map((one) => `${one.name} ${one.version}`),
    cases,
    findings: findings.map((finding) => ({ ...finding, message: sentenceOf(finding) })),
  };
  const lines = [
    project === null ? `${folder}: not loaded` : lineOfProject(project, cases),
    ...findings.map((finding) => `${finding.level}: ${sentenceOf(finding)}`),
    ...(hasErrors ? [] : ["the halves stay apart and share no secret; every effect has hands"]),
  ];
  print({ json, value, lines });
  if (hasErrors || (strict === true && findings.length > 0)) process.exitCode = 1;
}

interface Looked {
  readonly project: Project | null;
  readonly findings: readonly Finding[];
  /** Eval cases by capability. */
  readonly cases: CaseCounts;
}

async function look(folder: string): Promise<Looked> {
  const mixed = (await mixedHalves(resolve(folder))).map((sentence) => projectError(sentence, "keep the halves apart"));
  if (mixed.length > 0) return { project: null, findings: mixed, cases: {} };
  const project = await loadEntry<Project>(folder, "project");
  const { shared, withoutBoundary } = await declaredBy(folder);
  const { findings, counts } = await checkEvals({
    folder,
    capabilities: project.capabilities.filter((one) => !isCompensation(one)),
  });
  return {
    project,
    cases: counts,
    findings: [
      ...shared,
      ...checkPolicies(folder),
      ...(await checkPrivacy(folder, withoutBoundary)),
      ...checkSources({ folder, project }),
      // What shares a secret is no hand to rely on; one thing at a time.
      ...(shared.length > 0 ? [] : await checkReach({ folder, project })),
      ...project.effects.flatMap(checkEffect),
      ...(await Promise.all(project.capabilities.filter((one) => !isCompensation(one)).map(checkCapability))).flat(),
      ...findings,
    ],
  };
}

/** What the halves declare: which secrets they share, and which providers are sent text as it is. */
async function declaredBy(
  folder: string,
): Promise<Pick<DeclaredProviders, "withoutBoundary"> & { readonly shared: readonly Finding[] }> {
  try {
    const { withoutBoundary } = await refuseMixedSecrets(folder);
    return { shared: [], withoutBoundary };
  } catch (thrown) {
    if (isCountersignError(thrown, "configuration_invalid"))
      return {
        shared: [projectError(thrown.message, "give each side a credential and a name of its own")],
        withoutBoundary: [],
      };
    throw thrown;
  }
}

/** The sentence holds its way out, or the usual one is added. */
function projectError(sentence: string, usual: string): Finding {
  const [problem = sentence, fix = usual] = sentence.split(/; (?=[^;]*$)/);
  return { level: "error", about: "", problem, fix };
}

function lineOfProject({ name, capabilities, effects }: Project, cases: CaseCounts): string {
  const count = Object.values(cases).reduce((sum, one) => sum + one, 0);
  const names = capabilities.map((one) => one.name).join(", ");
  return `${name}: ${capabilities.length} capabilities (${names}), ${effects.length} effects, ${count} eval cases`;
}
