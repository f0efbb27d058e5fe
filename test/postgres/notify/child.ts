// A worker in a process of its own that sends notices once; the test kills it while the receiver has the request and no answer was given.
import { webhook } from "../../../src/act/notify/webhook.ts";
import { systemClock } from "../../../src/store/clock.ts";
import { openDatabase } from "../../../src/store/database.ts";
import { uuidIds } from "../../../src/store/ids.ts";
import { environmentVault } from "../../../src/vault/environment.ts";
import { createWorker, secretsOf } from "../../../src/worker.ts";
import { shippedPolicy } from "../../setup/policy.ts";
import { sampleHands, sampleProject } from "../acting/project.ts";

/** What the child is told. */
export interface NotifyingChild {
  readonly url: string;
  readonly actingUrl: string;
  readonly pinnedKeys: readonly string[];
  readonly policyKey: string;
  readonly env: Readonly<Record<string, string>>;
}

// Written by the test, the only one that starts this file.
const settings = JSON.parse(process.env["SETTINGS"] ?? "{}") as NotifyingChild;
const sample = sampleProject();
const hands = { ...sampleHands(sample), notify: [webhook({ url: settings.url, secret: "NOTICE_SECRET" })] };
const worker = createWorker({
  policy: shippedPolicy,
  project: sample.project,
  hands,
  database: openDatabase({ url: settings.actingUrl, role: "acting", connections: 4 }),
  vault: environmentVault({ side: "acting", env: settings.env, declared: secretsOf(hands) }),
  clock: systemClock,
  ids: uuidIds(systemClock),
  environment: "demo",
  pinnedKeys: settings.pinnedKeys,
  policyKey: settings.policyKey,
  payloadKey: Buffer.alloc(32),
  headKeeper: { read: async () => null, keep: async () => {} },
  onError: (thrown) => console.error(thrown),
});
worker.start();
