import { readFile } from "node:fs/promises";
import { CountersignError } from "../contract/errors.ts";
import { createDecider } from "../decider.ts";
import type { DecidingParts } from "../define/deciding.ts";
import type { Project } from "../define/project.ts";
import { openPrices } from "../guard/budget/prices.ts";
import { openAsserted } from "../identity/assertion.ts";
import { deciderRoutes } from "../server/decider/routes.ts";
import { listen } from "../server/listen.ts";
import { systemClock } from "../store/clock.ts";
import { openDatabase } from "../store/database.ts";
import { uuidIds } from "../store/ids.ts";
import { openVault } from "../vault/open-vault.ts";
import { boundaryIsOff, decidingSecrets, realProviders, withoutBoundary } from "./deciding-secrets.ts";
import { declaredNames } from "./declared-names.ts";
import { noGauges } from "./gauges.ts";
import { loadEntry } from "./load.ts";
import { backgroundLog, logFault, logWarning } from "./log-fault.ts";
import { openWatched } from "./metrics-place.ts";
import { openPolicies } from "./open-policies.ts";
import { portNumber } from "./port.ts";
import { publicKeysIn, readPrivacyFiles } from "./privacy-place.ts";
import { type Running, runProcess } from "./process-life.ts";
import { mostAtOnce } from "./rates.ts";
import { openTrial } from "./trial.ts";
import { watchModels } from "./watch-models.ts";

/** Runs the decider: reads and proposes, on a private address, under the role `deciding`. */
export function serve(): Promise<void> {
  return runProcess(open);
}

async function open(): Promise<Running> {
  const settings = await openVault({ side: "deciding", env: process.env });
  const folder = settings.secret("COUNTERSIGN_PROJECT");
  const { project, trial } = openTrial(await loadEntry<Project>(folder, "project"), process.env);
  const policy = openPolicies(folder);
  const parts = await loadEntry<DecidingParts>(folder, "decide");
  const vault = await openVault({ side: "deciding", env: process.env, declared: decidingSecrets(parts) });
  const database = openDatabase({ url: settings.secret("COUNTERSIGN_DECIDING_URL"), role: "deciding" });
  const watched = await openWatched(
    { process: "serve", names: { ...declaredNames(project), queries: queriesOf(parts) }, gauges: noGauges },
    (name) => settings.secret(name),
  );
  const prices = await pricesAt(process.env["COUNTERSIGN_PRICES"]);
  const decider = await createDecider({
    project,
    parts,
    database,
    vault,
    clock: systemClock,
    ids: uuidIds(systemClock),
    environment: settings.secret("COUNTERSIGN_ENVIRONMENT"),
    policy,
    payloadKey: Buffer.from(settings.secret("COUNTERSIGN_PAYLOAD_KEY"), "base64"),
    canaries: wordsOf(process.env["COUNTERSIGN_CANARIES"]),
    place: { region: process.env["COUNTERSIGN_REGION"] || null, flags: wordsOf(process.env["COUNTERSIGN_FLAGS"]) },
    privacy: await readPrivacyFiles(folder, publicKeysIn(process.env["COUNTERSIGN_PRIVACY_PUBLIC_KEYS"])),
    prices,
    trial,
    spans: watched.spans,
    onError: backgroundLog("serve"),
  });
  const identify = openAsserted({ publicKeys: settings.secret("COUNTERSIGN_ASSERTION_PUBLIC_KEYS"), database });
  const app = deciderRoutes({ decider, identify, log: logFault, mostAtOnce: mostAtOnce(process.env) });
  const unbounded = withoutBoundary(parts);
  if (unbounded.length > 0) logWarning(boundaryIsOff(unbounded));
  // A script has no bill.
  const { warning } = openPrices({ override: prices, now: systemClock.now });
  if (realProviders(parts).length > 0 && warning !== null) logWarning(warning);
  const listening = await listen({ app, host: "127.0.0.1", port: portNumber(settings.secret("COUNTERSIGN_DECIDER_PORT")) });
  const models = watchModels({ folder, project, parts, vault, database, onError: backgroundLog("models") });
  return {
    url: listening.url,
    close: async () => {
      await models.stop();
      await listening.close();
      await decider.close();
      await watched.close();
      await database.close();
    },
  };
}

/** The text of the file of prices, where one is named. */
async function pricesAt(path: string | undefined): Promise<string | null> {
  if (path === undefined || path === "") return null;
  return readFile(path, "utf8").catch((cause) => {
    throw new CountersignError("configuration_invalid", "the file that COUNTERSIGN_PRICES names cannot be read", { cause });
  });
}

/** The named queries that may be read; facts are read by one of the house's own. */
function queriesOf({ records }: DecidingParts): readonly string[] {
  return records.flatMap(({ queries }) => queries.map(({ name }) => name));
}

/** The words of a comma list; there need not be any. */
function wordsOf(setting = ""): readonly string[] {
  return setting
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");
}
