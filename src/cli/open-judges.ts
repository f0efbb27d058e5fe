import { readFile } from "node:fs/promises";
import type { DecidingParts } from "../define/deciding.ts";
import type { Project } from "../define/project.ts";
import type { Rubric } from "../evals/judges/rubric.ts";
import { openJudging, type ScoreByJudges } from "../judging.ts";
import { environmentVault } from "../vault/environment.ts";
import { loadEntry } from "./load.ts";
import { modelSecrets } from "./model-secrets.ts";
import { publicKeysIn, readPrivacyFiles } from "./privacy-place.ts";

/**
 * Opens the judges of a project for a run, in the process that runs it: their keys are those of its models, and nothing else of the deciding
 * half is opened. `null` where there are no rubrics. Throws `definition_invalid` for a model that cannot be asked.
 */
export async function openJudges(
  rubrics: readonly Rubric[],
  { project: folder, directory, costMicros }: { project: string; directory: string; costMicros?: number },
): Promise<ScoreByJudges | null> {
  if (rubrics.length === 0) return null;
  const { name } = await loadEntry<Project>(folder, "project");
  const parts = await loadEntry<DecidingParts>(folder, "decide");
  const secrets = await modelSecrets({ project: folder, directory });
  const prices = process.env["COUNTERSIGN_PRICES"];
  return openJudging({
    project: name,
    parts,
    rubrics,
    vault: environmentVault({ side: "deciding", env: secrets, declared: { models: Object.keys(secrets) }, kept: null }),
    privacy: await readPrivacyFiles(folder, publicKeysIn(process.env["COUNTERSIGN_PRIVACY_PUBLIC_KEYS"])),
    prices: prices === undefined || prices === "" ? null : await readFile(prices, "utf8"),
    ...(costMicros === undefined ? {} : { costMicros }),
  });
}
