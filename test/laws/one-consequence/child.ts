// A worker in a process of its own before a target of one kind; it halts at a point of its first send until it is killed.
import { systemClock } from "../../../src/store/clock.ts";
import { openDatabase } from "../../../src/store/database.ts";
import { uuidIds } from "../../../src/store/ids.ts";
import { environmentVault } from "../../../src/vault/environment.ts";
import { createWorker, secretsOf } from "../../../src/worker.ts";
import { sampleProject } from "../../postgres/acting/project.ts";
import { shippedPolicy } from "../../setup/policy.ts";
import type { ChildSettings } from "./killed-worker.ts";
import { openTarget } from "./target.ts";

// Written by `killWorkerAt`, the only one that starts this file.
const settings = JSON.parse(process.env["SETTINGS"] ?? "{}") as ChildSettings;
const { point, dedupe, actingUrl, sandboxUrl, pinnedKeys, policyKey } = settings;
const sample = sampleProject({ dedupe });
const { hands } = openTarget({
  ...{ sample, dedupe, url: sandboxUrl },
  at: async (reached) => {
    if (reached !== point) return;
    process.stdout.write("halted\n");
    await new Promise(() => {});
  },
});
const env = { SANDBOX_WRITE: sandboxUrl, SANDBOX_OBSERVE: sandboxUrl };
const worker = createWorker({
  policy: shippedPolicy,
  ...{
    project: sample.project,
    hands,
    clock: systemClock,
    ids: uuidIds(systemClock),
    environment: "demo",
    pinnedKeys,
    policyKey,
  },
  database: openDatabase({ url: actingUrl, role: "acting", connections: 4 }),
  vault: environmentVault({ side: "acting", env, declared: secretsOf(hands) }),
  payloadKey: Buffer.from(settings.payloadKey, "base64"),
  headKeeper: { read: async () => null, keep: async () => {} },
  onError: (thrown) => process.stdout.write(`fault ${String(thrown)}\n`),
});
await worker.runOnce();
process.stdout.write("round done\n");
process.exit(1);
