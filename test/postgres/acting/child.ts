// A worker in a process of its own that does one round and halts at a point until it is told to go on, or killed.
import { once } from "node:events";
import { isCountersignError } from "../../../src/contract/errors.ts";
import { systemClock } from "../../../src/store/clock.ts";
import { openDatabase } from "../../../src/store/database.ts";
import { uuidIds } from "../../../src/store/ids.ts";
import { environmentVault } from "../../../src/vault/environment.ts";
import { createWorker, secretsOf } from "../../../src/worker.ts";
import { shippedPolicy } from "../../setup/policy.ts";
import { sampleHands, sampleProject } from "./project.ts";
import type { ChildSettings } from "./spawn.ts";

// Written by `spawnWorker`, the only one that starts this file.
const settings = JSON.parse(process.env["SETTINGS"] ?? "{}") as ChildSettings;
const sample = sampleProject();
const hands = sampleHands(sample, async (point) => {
  if (point !== settings.point) return;
  process.stdout.write(`halted at ${point}\n`);
  await once(process.stdin, "data");
});
const database = openDatabase({ url: settings.actingUrl, role: "acting", connections: 4 });
const env = { SANDBOX_WRITE: settings.sandboxUrl, SANDBOX_OBSERVE: settings.sandboxUrl };
const worker = createWorker({
  policy: shippedPolicy,
  project: sample.project,
  hands,
  database,
  vault: environmentVault({ side: "acting", env, declared: secretsOf(hands) }),
  clock: systemClock,
  ids: uuidIds(systemClock),
  environment: "demo",
  pinnedKeys: settings.pinnedKeys,
  policyKey: settings.policyKey,
  payloadKey: Buffer.from(settings.payloadKey, "base64"),
  headKeeper: { read: async () => null, keep: async () => {} },
  onError: (thrown) => process.stdout.write(`fault ${isCountersignError(thrown) ? thrown.code : String(thrown)}\n`),
});
await worker.runOnce();
process.stdout.write("round done\n");
await worker.stop();
await database.close();
process.stdin.destroy();
