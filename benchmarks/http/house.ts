/** The place where the HTTP road is measured: a durable PostgreSQL, a decider and a desk, each a process under its own role. */
import { generateKeyPairSync, randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { hashOfKey, newApiKey } from "../../src/identity/keys.ts";
import { putPeople } from "../../src/identity/manage-accounts.ts";
import { createHeadKeeper } from "../../src/ledger/head.ts";
import { payloadKeys } from "../../src/ledger/payload.ts";
import { createSealer } from "../../src/ledger/seal.ts";
import { type LedgerReport, verifyLedger } from "../../src/ledger/verify.ts";
import { openDatabase } from "../../src/store/database.ts";
import { startEmbedded } from "../../src/store/embedded.ts";
import { migrate, roleUrl } from "../../src/store/migrate.ts";
import { addTenants } from "../../src/store/owner.ts";
import { type Child, startChild } from "./child.ts";

/** The house; close it, or its processes keep running. */
export interface House {
  readonly deskUrl: string;
  /** A desk before the same decider that takes only so many requests at once. */
  readonly narrowUrl: string;
  readonly narrowAtOnce: number;
  readonly emptyUrl: string;
  readonly apiKey: string;
  readonly owner: pg.Client;
  readonly adminUrl: string;
  /** Seals what there is and verifies the chain with its payloads, as `countersign ledger verify` does. */
  readonly verify: () => Promise<LedgerReport>;
  readonly close: () => Promise<void>;
}

const tenant = "acme";
const narrowAtOnce = 16;
const program = fileURLToPath(new URL("../../bin/countersign.mjs", import.meta.url));
const project = dirname(fileURLToPath(new URL("./project/decide.ts", import.meta.url)));
const emptyRoute = fileURLToPath(new URL("./empty-route.ts", import.meta.url));

/** Opens the house in a temporary folder; every process listens when this resolves. */
export async function openHouse(): Promise<House> {
  const directory = await mkdtemp(join(tmpdir(), "countersign-http-"));
  const undo: (() => Promise<unknown>)[] = [() => rm(directory, { recursive: true, force: true })];
  const close = async (): Promise<void> => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    return { ...(await open(directory, undo)), close };
  } catch (thrown) {
    await close();
    throw thrown;
  }
}

async function open(directory: string, undo: (() => Promise<unknown>)[]): Promise<Omit<House, "close">> {
  const server = await startEmbedded({ directory, settings: { max_wal_size: "16GB" } });
  undo.push(server.stop);
  const { adminUrl } = server;
  const password = randomBytes(18).toString("hex");
  await migrate({ adminUrl, passwords: { deciding: password, desk: password, acting: password } });
  await addTenants({ adminUrl, tenants: [{ id: tenant, name: tenant }] });
  const apiKey = newApiKey();
  const erin = { tenant, id: "erin", name: "Erin", roles: ["employee"], keyHash: hashOfKey(apiKey) };
  await putPeople(adminUrl, { people: [erin], follows: false });
  const owner = new pg.Client({ connectionString: adminUrl, application_name: "countersign bench" });
  await owner.connect();
  undo.push(() => owner.end());
  const urlOf = (role: "deciding" | "desk" | "acting"): string => roleUrl({ adminUrl, role, password });
  const payloadKey = randomBytes(32);
  const children = await openProcesses({ urlOf, payloadKey, undo });
  const verify = (): Promise<LedgerReport> => verifyHouse({ directory, actingUrl: urlOf("acting"), payloadKey });
  return { ...children, narrowAtOnce, apiKey, owner, adminUrl, verify };
}

interface Opening {
  readonly urlOf: (role: "deciding" | "desk") => string;
  readonly payloadKey: Buffer;
  readonly undo: (() => Promise<unknown>)[];
}

async function openProcesses({ urlOf, payloadKey, undo }: Opening): Promise<Pick<House, "deskUrl" | "narrowUrl" | "emptyUrl">> {
  const base = { PATH: process.env["PATH"], HOME: process.env["HOME"] };
  const asserting = newKey();
  const common = {
    ...base,
    COUNTERSIGN_ENVIRONMENT: "demo",
    COUNTERSIGN_PROJECT: project,
    COUNTERSIGN_PAYLOAD_KEY: payloadKey.toString("base64"),
  };
  const start = async (args: readonly string[], env: NodeJS.ProcessEnv): Promise<Child> => {
    const child = await startChild({ args, env });
    undo.push(child.stop);
    return child;
  };
  const decider = await start([program, "serve"], {
    ...common,
    COUNTERSIGN_DECIDING_URL: urlOf("deciding"),
    COUNTERSIGN_ASSERTION_PUBLIC_KEYS: asserting.open,
    COUNTERSIGN_DECIDER_PORT: "0",
  });
  const desk = {
    ...common,
    COUNTERSIGN_DESK_URL: urlOf("desk"),
    COUNTERSIGN_ASSERTION_KEY: asserting.secret,
    COUNTERSIGN_DESK_KEY: newKey().secret,
    COUNTERSIGN_DECIDER_URL: decider.url,
    // One account stands for many here; how often one may ask is measured by the tests of the rates.
    COUNTERSIGN_ACCOUNT_RATE: "100000",
    PORT: "0",
  };
  const wide = await start([program, "desk"], desk);
  const narrow = await start([program, "desk"], { ...desk, COUNTERSIGN_MOST_AT_ONCE: String(narrowAtOnce) });
  const empty = await start([emptyRoute], base);
  return { deskUrl: wide.url, narrowUrl: narrow.url, emptyUrl: empty.url };
}

interface Verifying {
  readonly directory: string;
  readonly actingUrl: string;
  readonly payloadKey: Buffer;
}

async function verifyHouse({ directory, actingUrl, payloadKey }: Verifying): Promise<LedgerReport> {
  const database = openDatabase({ url: actingUrl, role: "acting", connections: 2 });
  const headKeeper = createHeadKeeper({ directory: join(directory, "heads"), onError: fail });
  const sealer = createSealer({ database, headKeeper, onError: fail });
  try {
    const keys = payloadKeys(payloadKey, undefined, database);
    for (;;) {
      await sealer.sealAll();
      const report = await verifyLedger({ database, tenant, headKeeper, keys });
      if (report.unsealed.count === 0 || report.broken !== null) return report;
    }
  } finally {
    await sealer.stop();
    await headKeeper.stop();
    await database.close();
  }
}

function fail(thrown: unknown): never {
  throw thrown;
}

function newKey(): { readonly secret: string; readonly open: string } {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  return {
    secret: privateKey.export({ format: "der", type: "pkcs8" }).toString("base64"),
    open: publicKey.export({ format: "der", type: "spki" }).toString("base64"),
  };
}
