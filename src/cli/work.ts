import type { Project } from "../define/project.ts";
import { createHeadKeeper } from "../ledger/head.ts";
import { systemClock } from "../store/clock.ts";
import { openDatabase } from "../store/database.ts";
import { uuidIds } from "../store/ids.ts";
import { openVault } from "../vault/open-vault.ts";
import { createWorker, type Hands, secretsOf } from "../worker.ts";
import { declaredNames } from "./declared-names.ts";
import { backlogGauges } from "./gauges.ts";
import { openWatching } from "./ledger-watch.ts";
import { loadEntry } from "./load.ts";
import { backgroundLog } from "./log-fault.ts";
import { openWatched } from "./metrics-place.ts";
import { openPolicies } from "./open-policies.ts";
import { type Running, runProcess } from "./process-life.ts";

/** Runs the acting half: admits by policy, applies, observes, seals. Under the role `acting`; it answers no requests. */
export function work(): Promise<void> {
  return runProcess(open);
}

/** How long a dead worker's operations lie, where that is set. A text that is no number is refused where the worker is built. */
function takeOver(text: string | undefined): { takeOverMs?: number } {
  return isSet(text) ? { takeOverMs: Number(text) } : {};
}

function isSet(text: string | undefined): text is string {
  return text !== undefined && text !== "";
}

async function open(): Promise<Running> {
  const settings = await openVault({ side: "acting", env: process.env });
  const folder = settings.secret("COUNTERSIGN_PROJECT");
  const project = await loadEntry<Project>(folder, "project");
  const policy = openPolicies(folder);
  const hands = await loadEntry<Hands>(folder, "hands");
  const vault = await openVault({ side: "acting", env: process.env, declared: secretsOf(hands) });
  const database = openDatabase({ url: settings.secret("COUNTERSIGN_ACTING_URL"), role: "acting" });
  const onError = backgroundLog("work");
  const watched = await openWatched({ process: "work", names: declaredNames(project), gauges: backlogGauges(database) }, (name) =>
    settings.secret(name),
  );
  const headKeeper = createHeadKeeper({ directory: settings.secret("COUNTERSIGN_HEADS"), clock: systemClock, onError });
  const worker = await createWorker({
    project,
    hands,
    database,
    vault,
    clock: systemClock,
    ids: uuidIds(systemClock),
    environment: settings.secret("COUNTERSIGN_ENVIRONMENT"),
    policy,
    pinnedKeys: settings.secret("COUNTERSIGN_DESK_PUBLIC_KEYS").split(","),
    policyKey: settings.secret("COUNTERSIGN_POLICY_KEY"),
    payloadKey: Buffer.from(settings.secret("COUNTERSIGN_PAYLOAD_KEY"), "base64"),
    headKeeper,
    ...(await openWatching({ settings, database, headKeeper, onError })),
    rolesFrom: isSet(process.env["COUNTERSIGN_OIDC_ROLES_CLAIM"]) ? "provider" : "account",
    spans: watched.spans,
    onError,
    ...takeOver(process.env["COUNTERSIGN_TAKE_OVER_MS"]),
  });
  worker.start();
  return {
    url: null,
    close: async () => {
      await worker.stop();
      await headKeeper.stop();
      await watched.close();
      await database.close();
    },
  };
}
