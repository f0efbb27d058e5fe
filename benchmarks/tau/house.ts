/** The whole of Countersign around the sandbox: a decider, a desk and workers over a database, as three roles with keys of their own. */
import { generateKeyPairSync, randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { openPolicies } from "../../src/cli/open-policies.ts";
import type { ChainHead, HeadKeeper } from "../../src/contract/ports.ts";
import { createDecider, type Decider } from "../../src/decider.ts";
import { recordSource } from "../../src/define/connector.ts";
import { defineDeciding } from "../../src/define/deciding.ts";
import { createDesk, type Desk } from "../../src/desk.ts";
import { openRecords, type Records } from "../../src/know/records/records.ts";
import { systemClock, systemDeadline } from "../../src/store/clock.ts";
import { type Database, openDatabase } from "../../src/store/database.ts";
import { startEmbedded } from "../../src/store/embedded.ts";
import { uuidIds } from "../../src/store/ids.ts";
import { migrate, roleUrl } from "../../src/store/migrate.ts";
import { environmentVault } from "../../src/vault/environment.ts";
import { createWorker, secretsOf, type Worker } from "../../src/worker.ts";
import type { Original } from "./book.ts";
import { reader, scopeRecords, secretNames, toolRecords } from "./connectors.ts";
import type { Domain } from "./domains.ts";
import { tauHands } from "./hands.ts";
import { type TauProject, tauProject } from "./project.ts";
import { installSandbox, type SandboxUrls } from "./sandbox.ts";
import { approverOf, customerOf, ownerOf, type Session } from "./session.ts";

const policy = openPolicies();

/** A running house; close it, or its server keeps running. */
export interface House {
  readonly admin: pg.Pool;
  readonly decider: Decider;
  readonly desk: Desk;
  readonly worker: Worker;
  /** The reading tools, under the deciding half's credential. */
  readonly records: Records;
  /** Adds the tenants of sessions, with the accounts of their customers, of who signs and of who owns. */
  readonly addTenants: (sessions: readonly Session[]) => Promise<void>;
  /** A decider that was taken over: it sees every record and proposes whatever it is asked for. The caller closes it. */
  readonly hostileDecider: (customer: "asker" | "owner") => Promise<Decider>;
  /** A worker over a sandbox with the original's fault. The caller stops it. */
  readonly faultyWorker: () => Worker;
  readonly close: () => Promise<void>;
}

const environment = "demo";
const settings = { max_wal_size: "4GB", synchronous_commit: "off", fsync: "off", full_page_writes: "off" };

/** Starts a server in a temporary folder and everything over it. What is measured here are outcomes, so the server need not be durable. */
export async function openHouse(originals: Readonly<Record<Domain, Original>>): Promise<House> {
  const directory = await mkdtemp(join(tmpdir(), "countersign-bench-"));
  const server = await startEmbedded({ directory, settings });
  const password = randomBytes(12).toString("hex");
  await migrate({ adminUrl: server.adminUrl, passwords: { deciding: password, desk: password, acting: password } });
  const urls = await installSandbox({ adminUrl: server.adminUrl, originals });
  const store = (role: "deciding" | "desk" | "acting", connections: number): Database =>
    openDatabase({ url: roleUrl({ adminUrl: server.adminUrl, role, password }), role, connections });
  const databases = { deciding: store("deciding", 4), desk: store("desk", 4), acting: store("acting", 4) };
  const admin = new pg.Pool({ connectionString: server.adminUrl, max: 2 });
  admin.on("error", () => {});
  const tau = tauProject();
  const parts: Parts = { tau, urls, databases, payloadKey: randomBytes(32), deskKey: newKey(), policyKey: newKey() };
  const decider = await openDecider(parts, { project: tau.project, seesAll: false });
  const worker = openWorker(parts, { repeatsFault: false });
  const records = openRecords({
    permit: policy,
    sources: [recordSource(reader, toolRecords())],
    vault: readingVault(urls),
    clock: systemClock,
    deadline: systemDeadline,
  });
  return {
    ...{ admin, decider, worker, records, desk: openDesk(parts) },
    addTenants: async (sessions) => {
      const tenants = [...new Set(sessions.map(({ tenant }) => tenant))];
      await admin.query("insert into countersign.tenant (id, name) select id, id from unnest($1::text[]) as given (id)", [
        tenants,
      ]);
      const accounts = sessions.flatMap((session) => [customerOf(session), approverOf(session), ownerOf(session)]);
      await admin.query(
        `insert into countersign.account (tenant, id, kind, name, roles) select tenant, id, 'person', id, array[role]
        from unnest($1::text[], $2::text[], $3::text[]) as given (tenant, id, role) on conflict do nothing`,
        [accounts.map(({ tenant }) => tenant), accounts.map(({ id }) => id), accounts.map(({ roles }) => roles[0])],
      );
    },
    hostileDecider: (customer) => openDecider(parts, { project: tauProject({ hostile: { customer } }).project, seesAll: true }),
    faultyWorker: () => openWorker(parts, { repeatsFault: true }),
    close: async () => {
      await Promise.all([decider.close(), worker.stop(), records.close()]);
      await Promise.all([...Object.values(databases).map((database) => database.close()), admin.end()]);
      await server.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

interface Parts {
  readonly tau: TauProject;
  readonly urls: SandboxUrls;
  readonly databases: Readonly<Record<"deciding" | "desk" | "acting", Database>>;
  readonly payloadKey: Buffer;
  readonly deskKey: Key;
  readonly policyKey: Key;
}

function readingVault(urls: SandboxUrls) {
  return environmentVault({
    side: "deciding",
    env: { [secretNames.reads]: urls.reads },
    declared: { reads: [secretNames.reads] },
  });
}

function openDecider(
  { urls, databases, payloadKey }: Parts,
  { project, seesAll }: { project: TauProject["project"]; seesAll: boolean },
): Promise<Decider> {
  const records = [recordSource(reader, [scopeRecords({ seesAll })])];
  return createDecider({
    policy,
    ...{ project, environment, payloadKey, onError: fail, clock: systemClock, ids: uuidIds(systemClock) },
    parts: defineDeciding({ providers: [], records, hiddenValues: null }),
    database: databases.deciding,
    vault: readingVault(urls),
  });
}

function openDesk({ tau, databases, payloadKey, deskKey }: Parts): Desk {
  const { project } = tau;
  return createDesk({
    policy,
    ...{ project, environment, payloadKey, deskKey: deskKey.secret, clock: systemClock, ids: uuidIds(systemClock) },
    database: databases.desk,
  });
}

function openWorker(parts: Parts, { repeatsFault }: { repeatsFault: boolean }): Worker {
  const { tau, urls, databases, payloadKey, deskKey, policyKey } = parts;
  const hands = tauHands(tau.effects, { repeatsFault });
  const env = { [secretNames.writes]: urls.writes, [secretNames.observes]: urls.observes };
  return createWorker({
    policy,
    ...{ project: tau.project, hands, environment, payloadKey, onError: fail, clock: systemClock, ids: uuidIds(systemClock) },
    database: databases.acting,
    vault: environmentVault({ side: "acting", env, declared: secretsOf(hands) }),
    pinnedKeys: [deskKey.open],
    policyKey: policyKey.secret,
    headKeeper: memoryHeads(),
  });
}

interface Key {
  readonly secret: string;
  readonly open: string;
}

function newKey(): Key {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  return {
    secret: privateKey.export({ format: "der", type: "pkcs8" }).toString("base64"),
    open: publicKey.export({ format: "der", type: "spki" }).toString("base64"),
  };
}

function memoryHeads(): HeadKeeper {
  const heads = new Map<string, ChainHead>();
  return { read: async (tenant) => heads.get(tenant) ?? null, keep: async (head) => void heads.set(head.tenant, head) };
}

/** A measurement beside which something failed is worth nothing. */
function fail(thrown: unknown): never {
  throw thrown;
}
