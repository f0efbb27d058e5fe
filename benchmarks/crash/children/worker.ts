// A worker: put together as `countersign work` does, loaded ahead, with the time after which others take over.
import { backgroundLog } from "../../../src/cli/log-fault.ts";
import { openPolicies } from "../../../src/cli/open-policies.ts";
import { type Running, runProcess } from "../../../src/cli/process-life.ts";
import { createHeadKeeper } from "../../../src/ledger/head.ts";
import { systemClock } from "../../../src/store/clock.ts";
import { openDatabase } from "../../../src/store/database.ts";
import { uuidIds } from "../../../src/store/ids.ts";
import { openVault } from "../../../src/vault/open-vault.ts";
import { createWorker, secretsOf } from "../../../src/worker.ts";
import hands from "../project/hands.ts";
import project from "../project/project.ts";
import { standBy } from "./stand-by.ts";

const policy = openPolicies();

standBy(() => runProcess(open));

async function open(): Promise<Running> {
  const settings = await openVault({ side: "acting", env: process.env });
  const vault = await openVault({ side: "acting", env: process.env, declared: secretsOf(hands) });
  // Each connection is a process of the server's that begins cold with every life of this one.
  const database = openDatabase({ url: settings.secret("COUNTERSIGN_ACTING_URL"), role: "acting", connections: 4 });
  const onError = backgroundLog("work");
  const headKeeper = createHeadKeeper({ directory: settings.secret("COUNTERSIGN_HEADS"), clock: systemClock, onError });
  const worker = createWorker({
    policy,
    project,
    hands,
    database,
    vault,
    clock: systemClock,
    ids: uuidIds(systemClock),
    environment: settings.secret("COUNTERSIGN_ENVIRONMENT"),
    pinnedKeys: settings.secret("COUNTERSIGN_DESK_PUBLIC_KEYS").split(","),
    policyKey: settings.secret("COUNTERSIGN_POLICY_KEY"),
    payloadKey: Buffer.from(settings.secret("COUNTERSIGN_PAYLOAD_KEY"), "base64"),
    headKeeper,
    takeOverMs: Number(process.env["CRASH_TAKE_OVER_MS"]),
    onError,
  });
  worker.start();
  return {
    url: null,
    close: async () => {
      await worker.stop();
      await headKeeper.stop();
      await database.close();
    },
  };
}
