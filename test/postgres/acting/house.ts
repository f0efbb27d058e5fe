import { generateKeyPairSync, randomBytes } from "node:crypto";
import pg from "pg";
import type { Hands } from "../../../src/act/hands.ts";
import type { Snapshot } from "../../../src/contract/effect.ts";
import type { JsonObject } from "../../../src/contract/json.ts";
import type { ChainHead, Clock, HeadKeeper } from "../../../src/contract/ports.ts";
import type { EntryKind } from "../../../src/contract/words.ts";
import { createDecider, type Decider } from "../../../src/decider.ts";
import type { DefinedEffect } from "../../../src/define/effect.ts";
import type { Project } from "../../../src/define/project.ts";
import { createDesk, type Desk } from "../../../src/desk.ts";
import { decisionDraft } from "../../../src/ledger/decision-entry.ts";
import { writeEntries } from "../../../src/ledger/entries.ts";
import { type PayloadKeys, payloadKeys } from "../../../src/ledger/payload.ts";
import { pooledRandom } from "../../../src/ledger/random.ts";
import { systemClock } from "../../../src/store/clock.ts";
import { type Database, openDatabase } from "../../../src/store/database.ts";
import { uuidIds } from "../../../src/store/ids.ts";
import { databaseTime, type StoreTime } from "../../../src/store/time.ts";
import { environmentVault } from "../../../src/vault/environment.ts";
import { createWorker, secretsOf, type Worker } from "../../../src/worker.ts";
import { putAccounts } from "../../setup/people.ts";
import { shippedPolicy } from "../../setup/policy.ts";
import { createMigratedDatabase, type MigratedDatabase } from "../../setup/project-database.ts";
import { bySelf, type Change, type Deciding, people, recordOf } from "./decided.ts";
import { type AtPoint, sampleHands, sampleProject, sampleReads, sandboxSql } from "./project.ts";

export { people };

/** An acting half with its desk over a database of its own, on which a test decides, signs, works and looks. */
export class House {
  readonly sample = sampleProject();
  readonly store: MigratedDatabase;
  readonly deciding: Database;
  readonly deskStore: Database;
  readonly acting: Database;
  readonly admin: pg.Pool;
  readonly payloadKey: Buffer;
  readonly keys: PayloadKeys;
  readonly ids = uuidIds(systemClock);
  readonly deskKey: ReturnType<typeof newKey>;
  readonly policyKey: ReturnType<typeof newKey>;
  readonly heads = memoryHeads();
  /** How far the store's clock is ahead, in milliseconds. */
  aheadMs = 0;
  readonly storeTime: StoreTime = async (tx) => (await databaseTime(tx)) + this.aheadMs;
  private readonly workers: Worker[] = [];

  private constructor(store: MigratedDatabase, own: Pick<House, "payloadKey" | "deskKey" | "policyKey"> = newKeys()) {
    this.store = store;
    this.payloadKey = own.payloadKey;
    this.keys = payloadKeys(own.payloadKey, pooledRandom());
    this.deskKey = own.deskKey;
    this.policyKey = own.policyKey;
    this.deciding = openDatabase({ url: store.urls.deciding, role: "deciding", connections: 2 });
    this.deskStore = openDatabase({ url: store.urls.desk, role: "desk", connections: 4 });
    this.acting = openDatabase({ url: store.urls.acting, role: "acting", connections: 8 });
    this.admin = new pg.Pool({ connectionString: store.adminUrl, max: 2 });
  }

  static async build(): Promise<House> {
    const house = new House(await createMigratedDatabase());
    await house.admin.query(sandboxSql);
    // Erin asks at both tenants.
    await putAccounts(house.store.adminUrl, [...Object.values(people), { ...people.erin, tenant: "globex" }]);
    return house;
  }

  /** The house with the keys of another, over a database that holds what that one's did. */
  static async over(store: MigratedDatabase, like: House): Promise<House> {
    const house = new House(store, like);
    await house.admin.query(sandboxSql);
    return house;
  }

  async close(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.stop()));
    await Promise.all([this.deciding.close(), this.deskStore.close(), this.acting.close(), this.admin.end()]);
    await this.store.drop();
  }

  /** The change of adding one ticket, asked for by the principal. */
  add(name: string, note = "n"): Change {
    const sources = { "/name": bySelf("/name"), "/note": bySelf("/note") };
    return { effect: this.sample.add as unknown as DefinedEffect<never>, params: { name, note }, sources };
  }

  /** The change of closing that ticket; it must be open by then. */
  closing(name: string, before: Snapshot = { note: "n", status: "open" }): Change {
    return {
      effect: this.sample.close as unknown as DefinedEffect<never>,
      params: { name },
      before,
      sources: { "/name": bySelf("/name") },
    };
  }

  /** Writes a decision with its proposal as the deciding role does; returns its id. */
  async decide(deciding: Deciding): Promise<string> {
    const record = recordOf({ ...deciding, ids: this.ids, project: this.sample.project });
    const tenant = deciding.tenant ?? "acme";
    await this.deciding.inTenant(tenant, async (tx) => {
      await writeEntries({ tx, drafts: [decisionDraft(record, "0".repeat(64))], keys: this.keys });
      if (!record.route?.startsWith("hitl_")) return;
      await tx.insertInto("waiting").values({ tenant, decision_id: record.request.decisionId }).execute();
    });
    await this.settled();
    return record.request.decisionId;
  }

  /** Waits until every entry is settled: transactions of other files on the same server hold that up too. */
  async settled(): Promise<void> {
    for (let isSettled = false; !isSettled; ) {
      const { rows } = await this.admin.query<{ settled: boolean }>(
        "select coalesce(max(xid) < pg_snapshot_xmin(pg_current_snapshot()), true) as settled from countersign.entry",
      );
      isSettled = rows[0]?.settled === true;
    }
  }

  desk({
    key = this.deskKey.secret,
    environment = "demo",
    project = this.sample.project,
  }: {
    key?: string;
    environment?: string;
    project?: Project;
  } = {}): Desk {
    const parts = {
      project,
      database: this.deskStore,
      clock: systemClock,
      ids: this.ids,
      environment,
      deskKey: key,
      payloadKey: this.payloadKey,
    };
    return createDesk({ policy: shippedPolicy, ...parts, storeTime: this.storeTime });
  }

  worker({
    at,
    hands,
    sample = this.sample,
    clock = systemClock,
    database = this.acting,
    secrets = {},
    onError = (thrown) => {
      throw thrown;
    },
  }: {
    at?: AtPoint;
    hands?: Hands;
    sample?: ReturnType<typeof sampleProject>;
    clock?: Clock;
    database?: Database;
    /** Beside those of the sandbox, such as those of channels. */
    secrets?: Readonly<Record<string, string>>;
    onError?: (thrown: unknown) => void;
  } = {}): Worker {
    const used = hands ?? sampleHands(sample, at);
    const env = { SANDBOX_WRITE: this.store.adminUrl, SANDBOX_OBSERVE: this.store.adminUrl, ...secrets };
    const worker = createWorker({
      policy: shippedPolicy,
      project: sample.project,
      hands: used,
      database,
      vault: environmentVault({ side: "acting", env, declared: secretsOf(used) }),
      clock,
      ids: this.ids,
      environment: "demo",
      pinnedKeys: [this.deskKey.open],
      policyKey: this.policyKey.secret,
      payloadKey: this.payloadKey,
      headKeeper: this.heads,
      storeTime: this.storeTime,
      onError,
    });
    this.workers.push(worker);
    return worker;
  }

  /** What stands in the sandbox under a name, in order. */
  async tickets(name: string): Promise<{ note: string; status: string; sent: string }[]> {
    const { rows } = await this.admin.query("select note, status, sent from sandbox.ticket where name = $1 order by id", [name]);
    return rows;
  }

  /** A deciding half of the same project, which makes the decisions that the acting half wants; close it. */
  async decider(sample = this.sample): Promise<Decider> {
    return createDecider({
      policy: shippedPolicy,
      project: sample.project,
      parts: { providers: [], records: [sampleReads()], hiddenValues: null },
      database: this.deciding,
      vault: environmentVault({
        side: "deciding",
        env: { SANDBOX_READ: this.store.adminUrl },
        declared: { reads: ["SANDBOX_READ"] },
      }),
      clock: systemClock,
      ids: this.ids,
      environment: "demo",
      payloadKey: this.payloadKey,
      onError: (thrown) => {
        throw thrown;
      },
    });
  }

  /** The entries of a decision in their settled order, as kind and body. */
  async entries(decisionId: string): Promise<{ kind: EntryKind; body: JsonObject }[]> {
    const { rows } = await this.admin.query<{ kind: EntryKind; body: string }>(
      "select kind, body from countersign.entry where decision_id = $1 order by xid, n",
      [decisionId],
    );
    return rows.map(({ kind, body }) => ({ kind, body: JSON.parse(body) as JsonObject }));
  }

  /** The kinds of a decision's entries, with the verdict or the code where there is one. */
  async story(decisionId: string): Promise<string[]> {
    const entries = await this.entries(decisionId);
    return entries.map(({ kind, body }) => [kind, body["verdict"] ?? body["code"]].filter(Boolean).join(" "));
  }

  async states(decisionId: string): Promise<string[]> {
    const { rows } = await this.admin.query<{ state: string }>(
      "select state from countersign.operation where decision_id = $1 order by created_at",
      [decisionId],
    );
    return rows.map((row) => row.state);
  }
}

function newKeys(): Pick<House, "payloadKey" | "deskKey" | "policyKey"> {
  return { payloadKey: randomBytes(32), deskKey: newKey(), policyKey: newKey() };
}

/** A new Ed25519 key pair as settings hold it. */
export function newKey(): { secret: string; open: string } {
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
