/** The place where operations of ours are carried out: a database of its own, decisions and approvals, worker processes. */
import { generateKeyPairSync, randomBytes } from "node:crypto";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Signing } from "../../src/approve/grant/answering.ts";
import { openPolicies } from "../../src/cli/open-policies.ts";
import type { DecisionRecord } from "../../src/contract/decision.ts";
import type { DefinedEffect } from "../../src/define/effect.ts";
import type { Project } from "../../src/define/project.ts";
import { type PayloadKeys, payloadKeys } from "../../src/ledger/payload.ts";
import { systemClock } from "../../src/store/clock.ts";
import { type Database, openDatabase } from "../../src/store/database.ts";
import { uuidIds } from "../../src/store/ids.ts";
import { roleUrl } from "../../src/store/migrate.ts";
import { readSigningKey } from "../../src/store/signature.ts";
import { type Child, startChild, toldSchema } from "./child.ts";
import { environment } from "./decisions.ts";
import { operationsProject, type Replacement } from "./project.ts";
import type { Store } from "./server.ts";

/** What a worker process is told. */
export interface WorkerSettings {
  readonly actingUrl: string;
  readonly headDirectory: string;
  readonly environment: string;
  readonly pinnedKey: string;
  readonly policyKey: string;
  readonly payloadKey: string;
}

/** Databases under their roles, keys, and workers that run; close it. */
export interface WorkPlace {
  readonly store: Store;
  readonly deciding: Database;
  readonly desk: Database;
  readonly acting: Database;
  readonly project: Project;
  readonly replacement: DefinedEffect<Replacement>;
  readonly signing: Signing;
  readonly deskKey: string;
  readonly payloadKey: Buffer;
  readonly keys: PayloadKeys;
  readonly headDirectory: string;
  readonly workers: readonly Child[];
  /** The decisions that were made and are not approved yet. */
  readonly decided: DecisionRecord[];
  readonly close: () => Promise<void>;
}

const workerFile = fileURLToPath(new URL("./worker-process.ts", import.meta.url));
const root = fileURLToPath(new URL("../../", import.meta.url));

/** Opens a place with so many workers, which run and find nothing to do yet. */
export async function openWorkPlace({
  store,
  password,
  directory,
  workers: count,
}: {
  store: Store;
  password: string;
  directory: string;
  workers: number;
}): Promise<WorkPlace> {
  const urlOf = (role: "deciding" | "desk" | "acting") => roleUrl({ adminUrl: store.url, role, password });
  // A transaction of approvals stays open until its work is wanted.
  const timeLimits = { statementMs: 120_000, lockMs: 10_000, idleInTransactionMs: 120_000 };
  const open = (role: "deciding" | "desk" | "acting") => openDatabase({ url: urlOf(role), role, connections: 2, timeLimits });
  const databases = { deciding: open("deciding"), desk: open("desk"), acting: open("acting") };
  const { project, replacement } = operationsProject();
  const [deskKey, policyKey, payloadKey] = [newKey(), newKey(), randomBytes(32)];
  const keys = payloadKeys(payloadKey);
  const ids = uuidIds(systemClock);
  const policy = openPolicies();
  const signing: Signing = { project, environment, key: readSigningKey(deskKey.secret), policy, payloadKeys: keys, ids };
  const headDirectory = join(directory, `heads-${store.name}`);
  const settings: WorkerSettings = {
    ...{ actingUrl: urlOf("acting"), headDirectory, environment, pinnedKey: deskKey.open, policyKey: policyKey.secret },
    payloadKey: payloadKey.toString("base64"),
  };
  const env = { SETTINGS: JSON.stringify(settings) };
  const workers = Array.from({ length: count }, () => startChild({ file: workerFile, cwd: root, env }));
  const place = { store, ...databases, project, replacement, signing, deskKey: deskKey.secret, payloadKey, keys, headDirectory };
  const close = async () => {
    await Promise.all(workers.map((worker) => worker.stop()));
    await Promise.all([databases.deciding.close(), databases.desk.close(), databases.acting.close(), store.close()]);
  };
  try {
    await Promise.all(workers.map((worker) => worker.ask("work", {}, toldSchema)));
  } catch (thrown) {
    await close();
    throw thrown;
  }
  return { ...place, workers, decided: [], close };
}

/** A new Ed25519 key pair as settings hold it. */
function newKey(): { secret: string; open: string } {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  return {
    secret: privateKey.export({ format: "der", type: "pkcs8" }).toString("base64"),
    open: publicKey.export({ format: "der", type: "spki" }).toString("base64"),
  };
}
