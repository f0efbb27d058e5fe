import { resolve } from "node:path";
import { CountersignError } from "../contract/errors.ts";
import type { DecidingParts } from "../define/deciding.ts";
import type { Project } from "../define/project.ts";
import type { SecretsByName } from "../define/sandbox.ts";
import type { Stored } from "../evals/models/inventory.ts";
import { type Look, lineOf, lookAtModels } from "../evals/models/look-at-models.ts";
import { readModelsFile } from "../evals/models/models-file.ts";
import { retestWindowDays } from "../evals/models/standing.ts";
import { readStored } from "../evals/models/stored.ts";
import { systemClock } from "../store/clock.ts";
import { isInstalled, withOwnerUrl } from "./embedded-url.ts";
import { loadEntry } from "./load.ts";
import { modelSecrets } from "./model-secrets.ts";
import { print } from "./print.ts";

interface ModelsOptions {
  readonly project: string;
  readonly directory: string;
  /** Whether providers are asked for their lists, with the deciding half's own keys. */
  readonly ask?: true;
  readonly json?: true;
}

/** Lists every model that a project and its installation name, with how each stands. */
export async function modelsList(options: ModelsOptions): Promise<void> {
  const look = await lookOf(options);
  print({ json: options.json, value: look, lines: linesOf(look) });
}

/** Checks them: exit code 1 where an end is within the retest window or over, where an id is no fixed version or not in its provider's list, or a list could not be read. */
export async function modelsCheck(options: ModelsOptions): Promise<void> {
  const look = await lookOf(options);
  const due = look.standings.filter(({ isDue }) => isDue);
  const moving = look.standings.filter(({ model }) => model.isPinned === false);
  const unlisted = look.standings.filter(({ isUnlisted }) => isUnlisted);
  const isGood = due.length + moving.length + unlisted.length + look.unread.length === 0;
  const said = isGood
    ? `no model ends within ${retestWindowDays} days, as far as is known`
    : [
        ...(due.length === 0 ? [] : [`${due.length} to be migrated: see \`countersign migrate plan\``]),
        ...(moving.length === 0 ? [] : [`${moving.length} whose id is no fixed version`]),
        ...(unlisted.length === 0 ? [] : [`${unlisted.length} not in the list of its provider`]),
        ...(look.unread.length === 0 ? [] : [`the list of ${look.unread.join(", ")} could not be read`]),
      ].join("; ");
  print({ json: options.json, value: { ...look, isGood }, lines: [...linesOf(look), said] });
  if (!isGood) process.exitCode = 1;
}

async function lookOf({ project: folder, directory, ask }: ModelsOptions): Promise<Look> {
  const project = await loadEntry<Project>(folder, "project");
  const parts = await loadEntry<DecidingParts>(folder, "decide");
  const secrets = ask === true ? await modelSecrets({ project: folder, directory }) : null;
  return lookAtModels({
    ...{ project, providers: parts.providers, own: await readModelsFile(folder), stored: await storedIn(resolve(directory)) },
    ask: secrets === null ? null : ({ secret }) => keyOf(secrets, secret),
    today: new Date(systemClock.now()).toISOString().slice(0, 10),
  });
}

/** A list that wants a key is not asked for without it. Throws `secret_missing`, and the list counts as one that could not be read. */
function keyOf(secrets: SecretsByName, name: string | null): string | null {
  if (name === null) return null;
  const key = secrets[name];
  if (key !== undefined) return key;
  throw new CountersignError("secret_missing", `\`${name}\` is neither in the vault file nor in the environment`);
}

/** A project is looked at where nothing is installed too, and looking installs nothing. */
async function storedIn(directory: string): Promise<Stored> {
  return (await isInstalled(directory)) ? withOwnerUrl(directory, readStored) : { asked: [], wanted: [] };
}

function linesOf({ standings }: Look): readonly string[] {
  if (standings.length === 0) return ["this project names no model"];
  return standings.flatMap((one) => [lineOf(one), `        ${one.model.usedBy.join(", ")}`]);
}
