import { readFile } from "node:fs/promises";
import { CountersignError } from "../contract/errors.ts";
import { readModelName } from "../contract/model-name.ts";
import { openWalk } from "../decider.ts";
import type { DecidingParts } from "../define/deciding.ts";
import type { Project } from "../define/project.ts";
import { withModel } from "../define/with-model.ts";
import { withPrompt } from "../define/with-prompt.ts";
import type { Otherwise, ReplayParts } from "../replay.ts";
import { systemClock } from "../store/clock.ts";
import { uuidIds } from "../store/ids.ts";
import { openVault } from "../vault/open-vault.ts";
import { decidingSecrets } from "./deciding-secrets.ts";
import { loadEntry } from "./load.ts";
import { backgroundLog } from "./log-fault.ts";
import { openPoliciesWith } from "./open-policies.ts";
import { publicKeysIn, readPrivacyFiles } from "./privacy-place.ts";
import { readSettings } from "./settings.ts";
import { vaultVariables } from "./vault-place.ts";

/** What of a decision is to be otherwise. */
export interface OtherwiseOptions {
  /** `provider/id`. */
  readonly model?: string;
  /** The folder of a project that has the capability with another prompt. */
  readonly prompt?: string;
  readonly corpus?: "now";
  /** A folder of policies, or one file. */
  readonly policy?: string;
}

interface Place {
  readonly parts: ReplayParts;
  readonly folder: string;
  readonly directory: string;
  readonly payloadKey: Buffer;
  readonly capability: string;
}

/** Says whether a model is asked anew: what a recorded reply answers is not asked any more. */
export function asksModel({ model, prompt, corpus }: OtherwiseOptions): boolean {
  return model !== undefined || prompt !== undefined || corpus !== undefined;
}

/** Does `work` with what is to be otherwise; where a model is asked, over what a deciding process walks, under its budgets and its boundary. */
export async function withOtherwise<T>(
  options: OtherwiseOptions,
  place: Place,
  work: (otherwise: Otherwise) => Promise<T>,
): Promise<T> {
  const policy = options.policy === undefined ? place.parts.policy : openPoliciesWith(place.folder, options.policy);
  if (!asksModel(options)) return work({ policy });
  const project = await projectAsked(options, place);
  const walk = await openWalkFor({ ...place, project, policy });
  try {
    const rehearsing = { deps: walk.deps, meter: walk.meter, ids: uuidIds(systemClock) };
    return await work({ project, policy, rehearsing, corpus: options.corpus ?? "recorded" });
  } finally {
    await walk.close();
  }
}

async function projectAsked({ model, prompt }: OtherwiseOptions, { parts: { project }, capability }: Place): Promise<Project> {
  const prompted = prompt === undefined ? project : withPrompt(project, await loadEntry<Project>(prompt, "project"), capability);
  return model === undefined ? prompted : withModel(prompted, readModelName(model), capability);
}

/** Secrets come as those of `serve` do: from the environment, or the installation's vault file. */
async function openWalkFor({
  parts,
  folder,
  directory,
  payloadKey,
  project,
  policy,
}: Place & Required<Pick<Otherwise, "project" | "policy">>) {
  const deciding = await loadEntry<DecidingParts>(folder, "decide");
  const env = { ...(await vaultVariables(directory)).deciding, ...process.env };
  const settings = await readSettings(directory);
  const publicKeys = [
    ...(settings === null ? [] : [settings.privacyKeys.open]),
    ...publicKeysIn(process.env["COUNTERSIGN_PRIVACY_PUBLIC_KEYS"]),
  ];
  return openWalk({
    project,
    parts: deciding,
    database: parts.database,
    vault: await openVault({ side: "deciding", env, declared: decidingSecrets(deciding) }),
    clock: systemClock,
    ids: uuidIds(systemClock),
    environment: env["COUNTERSIGN_ENVIRONMENT"] ?? "development",
    policy,
    payloadKey,
    canaries: (env["COUNTERSIGN_CANARIES"] ?? settings?.canary ?? "").split(",").filter((word) => word !== ""),
    privacy: await readPrivacyFiles(folder, publicKeys),
    prices: await pricesAt(env["COUNTERSIGN_PRICES"]),
    onError: backgroundLog("replay"),
  });
}

async function pricesAt(path: string | undefined): Promise<string | null> {
  if (path === undefined || path === "") return null;
  return readFile(path, "utf8").catch((cause) => {
    throw new CountersignError("configuration_invalid", "the file that COUNTERSIGN_PRICES names cannot be read", { cause });
  });
}
