import { modelName } from "../contract/model-name.ts";
import type { Vault } from "../contract/ports.ts";
import type { DecidingParts } from "../define/deciding.ts";
import type { Project } from "../define/project.ts";
import { lineOf, lookAtModels } from "../evals/models/look-at-models.ts";
import { readModelsFile } from "../evals/models/models-file.ts";
import { type KeptStanding, keepStandings } from "../ledger/model-standings.ts";
import { systemClock } from "../store/clock.ts";
import type { Database } from "../store/database.ts";
import { type Loop, startLoop } from "../store/loop.ts";
import { logWarning } from "./log-fault.ts";

/** How often models are looked at, in milliseconds. */
const everyMs = 24 * 60 * 60_000;

/**
 * Looks once a day, in the process that has the keys, how the project's models stand with their providers; says in its log which are due and keeps it all
 * for the acting half, which tells the owners.
 */
export function watchModels({
  folder,
  project,
  parts,
  vault,
  database,
  onError,
}: {
  folder: string;
  project: Project;
  parts: DecidingParts;
  vault: Vault;
  database: Database;
  onError: (thrown: unknown) => void;
}): Loop {
  const work = async (): Promise<void> => {
    const { standings, unread } = await lookAtModels({
      ...{ project, providers: parts.providers, own: await readModelsFile(folder), stored: { asked: [], wanted: [] } },
      ask: ({ secret }) => (secret === null ? null : vault.secret(secret)),
      today: new Date(systemClock.now()).toISOString().slice(0, 10),
    });
    const kept = standings.map(
      ({ model, state, shutdownOn, source, isDue, lastTrainingOn }): KeptStanding => ({
        model: modelName(model),
        ...{ state, shutdownOn, source, isDue, owners: model.owners, isPinned: model.isPinned, lastTrainingOn },
      }),
    );
    await keepStandings(database, kept);
    for (const one of standings.filter(({ isDue }) => isDue)) logWarning(`a model goes out of service: ${lineOf(one).trim()}`);
    for (const one of standings.filter(({ isDue, isUnlisted }) => isUnlisted && !isDue))
      logWarning(`a model is not in the list of its provider: ${lineOf(one).trim()}`);
    for (const name of unread)
      logWarning(`the list of models of \`${name}\` could not be read; its models stand as they are known here`);
  };
  return startLoop({ work, everyMs, onError });
}
