import { generateKeyPairSync, randomBytes } from "node:crypto";
import pg from "pg";
import { vi } from "vitest";
import type { Hands } from "../../src/act/hands.ts";
import { keepSandboxFacts } from "../../src/cli/sandbox-facts.ts";
import type { ChainHead, HeadKeeper } from "../../src/contract/ports.ts";
import { everything, type Principal } from "../../src/contract/principal.ts";
import type { PrivacyFiles } from "../../src/contract/privacy.ts";
import type { DecisionState, DecisionView } from "../../src/contract/views.ts";
import { createDecider, type Decider } from "../../src/decider.ts";
import type { DecidingParts } from "../../src/define/deciding.ts";
import type { Project } from "../../src/define/project.ts";
import type { SandboxFacts, SecretsByName } from "../../src/define/sandbox.ts";
import { createDesk, type Desk } from "../../src/desk.ts";
import { systemClock } from "../../src/store/clock.ts";
import { type Database, openDatabase } from "../../src/store/database.ts";
import { uuidIds } from "../../src/store/ids.ts";
import { databaseTime } from "../../src/store/time.ts";
import { createWorker, type Worker } from "../../src/worker.ts";
import { fileExampleDocuments } from "../setup/file-documents.ts";
import { putAccounts } from "../setup/people.ts";
import { shippedPolicy } from "../setup/policy.ts";
import { createMigratedDatabase, type MigratedDatabase } from "../setup/project-database.ts";

/** Somebody of an example, as its `people.ts` has them. */
export interface Person {
  readonly tenant: string;
  readonly id: string;
  readonly roles: readonly string[];
}

/** What of an example a house is built from. */
export interface Example {
  readonly project: Project;
  readonly deciding: DecidingParts;
  readonly hands: Hands;
  readonly privacy?: PrivacyFiles;
  readonly facts?: readonly SandboxFacts[];
  readonly install: (database: { adminUrl: string }) => Promise<{ deciding: SecretsByName; acting: SecretsByName }>;
}

/** An example at work: its decider, a desk and a worker over a database of their own, and its sandbox beside them. */
export interface ExampleHouse {
  readonly decider: Decider;
  readonly desk: Desk;
  readonly worker: Worker;
  readonly adminUrl: string;
  /** Under the administrator's login: what is true in the sandbox, and what somebody with too many rights would do. */
  readonly admin: pg.Pool;
  readonly decide: (person: Person, capability: string, inputs: object) => Promise<DecisionView>;
  /** Has intake pick, and gives the decision of intake itself. */
  readonly pick: (person: Person, text: string) => Promise<DecisionView>;
  readonly approve: (person: Person, decisionId: string) => Promise<unknown>;
  readonly openSlice: (person: Person, slice: { capability: string; slice: string; thresholdPpm: number }) => Promise<void>;
  /** Does rounds of work until the decision stands as named, and returns it as `person` sees it. */
  readonly worked: (person: Person, decisionId: string, ...states: readonly DecisionState[]) => Promise<DecisionView>;
  /** Moves the store's clock of desk and worker ahead, in milliseconds. */
  readonly pass: (ms: number) => void;
  /** Every verdict that was recorded of a decision, in order. */
  readonly verdicts: (decisionId: string) => Promise<readonly string[]>;
  readonly close: () => Promise<void>;
}

/** Opens the house of an example. Everything in it is real but the model, where the example has a scripted one. */
export async function openExampleHouse({
  project,
  deciding,
  hands,
  install,
  privacy,
  facts = [],
}: Example): Promise<ExampleHouse> {
  const store = await createMigratedDatabase();
  const secrets = await install({ adminUrl: store.adminUrl });
  await keepSandboxFacts({ url: store.urls.acting, facts });
  if (project.sources.length > 0) await fileExampleDocuments({ project, example: project.name, store });
  const databases = openDatabases(store);
  const desk = newKey();
  let aheadMs = 0;
  const storeTime: typeof databaseTime = async (tx) => (await databaseTime(tx)) + aheadMs;
  const common = { project, clock: systemClock, ids: uuidIds(systemClock), environment: "demo", payloadKey: randomBytes(32) };
  const decider = await createDecider({
    policy: shippedPolicy,
    ...common,
    parts: deciding,
    database: databases.deciding,
    vault: vaultOf(secrets.deciding),
    ...(privacy === undefined ? {} : { privacy }),
    onError: fail,
  });
  const front = createDesk({ policy: shippedPolicy, ...common, database: databases.desk, deskKey: desk.secret, storeTime });
  const worker = createWorker({
    policy: shippedPolicy,
    ...common,
    ...{ hands, database: databases.acting, vault: vaultOf(secrets.acting), storeTime, onError: fail },
    ...{ pinnedKeys: [desk.open], policyKey: newKey().secret, headKeeper: memoryHeads() },
  });
  const admin = new pg.Pool({ connectionString: store.adminUrl, max: 2 });
  return {
    ...{ decider, desk: front, worker, admin, adminUrl: store.adminUrl },
    ...doings({ decider, desk: front, worker, admin, adminUrl: store.adminUrl }),
    pass: (ms) => {
      aheadMs += ms;
    },
    close: async () => {
      await worker.stop();
      await decider.close();
      await Promise.all([...Object.values(databases).map((one) => one.close()), admin.end()]);
      await store.drop();
    },
  };
}

type Doings = Pick<ExampleHouse, "decide" | "pick" | "approve" | "openSlice" | "worked" | "verdicts">;

function doings({
  decider,
  desk,
  worker,
  admin,
  adminUrl,
}: Pick<ExampleHouse, "decider" | "desk" | "worker" | "admin" | "adminUrl">): Doings {
  // Whoever does something has an account from then on.
  const known = async (person: Person): Promise<Principal> => {
    const principal = principalOf(person);
    await putAccounts(adminUrl, [principal]);
    return principal;
  };
  return {
    decide: async (person, capability, inputs) => decider.decide({ principal: await known(person), capability, inputs }),
    pick: async (person, text) => (await decider.ask({ principal: await known(person), text })).intake,
    approve: async (person, decisionId) => desk.approve({ principal: await known(person), decisionId }),
    openSlice: async (person, slice) => {
      await desk.openSlice({ principal: await known(person), ...slice });
      await worker.runOnce();
    },
    worked: (person, decisionId, ...states) =>
      // Transactions of other files on the same server hold up what counts as settled, so one round may not be enough.
      vi.waitFor(
        async () => {
          await worker.runOnce();
          const view = await desk.decision({ principal: principalOf(person), decisionId });
          if (!states.includes(view.state)) throw new Error(`the decision is ${view.state}, not ${states.join(" or ")}`);
          return view;
        },
        { timeout: 10_000, interval: 20 },
      ),
    verdicts: async (decisionId) => {
      const { rows } = await admin.query<{ verdict: string | null }>(
        "select body::jsonb ->> 'verdict' as verdict from countersign.entry where decision_id = $1 and kind = 'observed' order by xid, n",
        [decisionId],
      );
      return rows.map(({ verdict }) => verdict ?? "none");
    },
  };
}

function openDatabases(store: MigratedDatabase): Readonly<Record<"deciding" | "desk" | "acting", Database>> {
  const open = (role: "deciding" | "desk" | "acting") => openDatabase({ url: store.urls[role], role, connections: 4 });
  return { deciding: open("deciding"), desk: open("desk"), acting: open("acting") };
}

/** A half knows its own secrets and no others. */
function vaultOf(secrets: SecretsByName) {
  return {
    secret: (name: string) => {
      const value = secrets[name];
      if (value === undefined) throw new Error(`this half has no secret \`${name}\``);
      return value;
    },
  };
}

/** Somebody of an example as who asks, with no limits of the account's own. */
export function principalOf({ tenant, id, roles }: Person): Principal {
  return { tenant, id, roles, attributes: {}, onBehalfOf: null, allow: everything };
}

function newKey(): { secret: string; open: string } {
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

function fail(thrown: unknown): never {
  throw thrown;
}
