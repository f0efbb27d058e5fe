// A worker in a process of its own, as `worker.ts` builds it, with the sealer on. Tells over JSON lines what it did.
import { createInterface } from "node:readline";
import { openPolicies } from "../../src/cli/open-policies.ts";
import { messageOf } from "../../src/contract/errors.ts";
import { createHeadKeeper } from "../../src/ledger/head.ts";
import { systemClock } from "../../src/store/clock.ts";
import { openDatabase } from "../../src/store/database.ts";
import { uuidIds } from "../../src/store/ids.ts";
import { environmentVault } from "../../src/vault/environment.ts";
import { createWorker, secretsOf } from "../../src/worker.ts";
import { operationsHands, operationsProject, secrets, type Target } from "./project.ts";
import type { WorkerSettings } from "./work-place.ts";

const policy = openPolicies();

// Written by `work-place.ts`, the only one that starts this file.
const settings = JSON.parse(process.env["SETTINGS"] ?? "{}") as WorkerSettings;
const { project, replacement } = operationsProject();
const target: Target = { devices: new Map(), applied: 0, observed: 0 };
const hands = operationsHands({ replacement, target });
const database = openDatabase({ url: settings.actingUrl, role: "acting" });
const onError = (thrown: unknown): void => {
  process.stderr.write(`a worker of the benchmark met a fault: ${messageOf(thrown)}\n`);
};
const headKeeper = createHeadKeeper({ directory: settings.headDirectory, onError });
const worker = createWorker({
  policy,
  project,
  hands,
  database,
  vault: environmentVault({ side: "acting", env: secrets, declared: secretsOf(hands) }),
  clock: systemClock,
  ids: uuidIds(systemClock),
  environment: settings.environment,
  pinnedKeys: [settings.pinnedKey],
  policyKey: settings.policyKey,
  payloadKey: Buffer.from(settings.payloadKey, "base64"),
  headKeeper,
  onError,
});

for await (const line of createInterface({ input: process.stdin })) {
  const [command = ""] = Object.keys(JSON.parse(line));
  if (command === "exit") break;
  if (command === "work") worker.start();
  const { user, system } = process.cpuUsage();
  const told = { cpuMs: (user + system) / 1000, applied: target.applied, verified: target.observed };
  process.stdout.write(`${JSON.stringify({ [command]: told })}\n`);
}
await worker.stop();
await headKeeper.stop();
await database.close();
