// A worker in a process of its own that works until it is killed, or stands still for good when it asks for its so-many-th id: in the midst
// of a move, with its transaction open.

import { systemClock } from "../../../src/store/clock.ts";
import { openDatabase } from "../../../src/store/database.ts";
import { uuidIds } from "../../../src/store/ids.ts";
import { environmentVault } from "../../../src/vault/environment.ts";
import { createWorker, secretsOf } from "../../../src/worker.ts";
import { shippedPolicy } from "../../setup/policy.ts";
import { caseHands, caseProject } from "./project.ts";
import type { ChildSettings } from "./spawn.ts";
import { allCases } from "./steps.ts";

// Written by `spawnCaseWorker`, the only one that starts this file.
const settings = JSON.parse(process.env["SETTINGS"] ?? "{}") as ChildSettings;
const hands = caseHands();
const env = { LINES_WRITE: settings.sandboxUrl, LINES_OBSERVE: settings.sandboxUrl };
const ids = uuidIds(systemClock);
let asked = 0;
const worker = createWorker({
  policy: shippedPolicy,
  project: caseProject(allCases),
  hands,
  database: openDatabase({ url: settings.actingUrl, role: "acting", connections: 8 }),
  vault: environmentVault({ side: "acting", env, declared: secretsOf(hands) }),
  clock: systemClock,
  ids: {
    next: () => {
      asked += 1;
      if (asked === settings.haltAt) {
        process.stdout.write("halted\n");
        // Nothing of this process runs any more.
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
      }
      return ids.next();
    },
  },
  environment: "demo",
  pinnedKeys: settings.pinnedKeys,
  policyKey: settings.policyKey,
  payloadKey: Buffer.from(settings.payloadKey, "base64"),
  headKeeper: { read: async () => null, keep: async () => {} },
  onError: (thrown) => process.stdout.write(`fault ${String(thrown)}\n`),
});
worker.start();
process.stdout.write("works\n");
