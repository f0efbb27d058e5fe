/**
 * Builds the house in which an effect is released: over a scratch database, with a desk, made-up people and the real acting half, all
 * under keys of this run alone. Never given a database or a key that anybody relies on.
 */
import { generateKeyPairSync, randomBytes } from "node:crypto";
import { openClients } from "./act/clients.ts";
import { isHouseSecret } from "./act/keeping.ts";
import type { Bench, Proposed, Working } from "./act/release/bench.ts";
import { runMatrix, withoutSamples } from "./act/release/matrix.ts";
import { proposalRecord } from "./act/release/proposal-record.ts";
import { recordRelease } from "./act/release/record-release.ts";
import { restOf } from "./act/release/rest-of.ts";
import { spoiltSecret } from "./act/release/spoilt-secret.ts";
import type { AnyEffect, Snapshot } from "./contract/effect.ts";
import { CountersignError } from "./contract/errors.ts";
import type { ChainHead, HeadKeeper, Vault } from "./contract/ports.ts";
import { everything, type Principal } from "./contract/principal.ts";
import type { CellResult, ReleaseReport } from "./contract/release.ts";
import type { WriterRole } from "./contract/words.ts";
import type { Project } from "./define/project.ts";
import type { ReleaseSamples } from "./define/release.ts";
import type { SecretsByName } from "./define/sandbox.ts";
import { createDesk } from "./desk.ts";
import type { Policy } from "./guard/policy/policy.ts";
import { putPeople } from "./identity/manage-accounts.ts";
import { factRecords } from "./know/facts/sight.ts";
import { openRecords } from "./know/records/records.ts";
import { decisionDraft } from "./ledger/decision-entry.ts";
import { writeEntries } from "./ledger/entries.ts";
import { payloadKeys } from "./ledger/payload.ts";
import { pooledRandom } from "./ledger/random.ts";
import { readDecision } from "./ledger/read.ts";
import { systemClock, systemDeadline } from "./store/clock.ts";
import { type Database, openDatabase } from "./store/database.ts";
import { uuidIds } from "./store/ids.ts";
import { addTenants } from "./store/owner.ts";
import { databaseTime, type StoreTime } from "./store/time.ts";
import { environmentVault } from "./vault/environment.ts";
import { createWorker, type Hands, houseClients, secretsOf } from "./worker.ts";

/** What a release is run over. */
export interface ReleaseParts {
  readonly project: Project;
  readonly hands: Hands;
  readonly effect: AnyEffect;
  readonly policy: Policy;
  /** What the project's sandbox gives to try this effect on; nothing runs where it is left out. */
  readonly samples: ReleaseSamples | undefined;
  /** The acting half's secrets of the sandbox. */
  readonly secrets: SecretsByName;
  /** The owner's login of a migrated scratch database, into which the sandbox was installed. */
  readonly adminUrl: string;
  readonly urls: Readonly<Record<WriterRole, string>>;
  /** Told of each cell when it has ended. */
  readonly onCell?: (result: CellResult) => void;
  /** Changes the house in which it is tried; for tests of the matrix itself. */
  readonly alter?: (bench: Bench) => Bench;
}

/** More rounds than any operation takes that comes to an end. */
const mostRounds = 40;

/** Runs the release matrix over one effect. What a cell finds is in the report; throws where the house itself cannot be built. */
export async function runRelease(parts: ReleaseParts): Promise<ReleaseReport> {
  const { effect, samples, adminUrl, urls, onCell, alter = (bench) => bench } = parts;
  if (samples === undefined) return withoutSamples(effect);
  // Of this run alone: a sandbox that was used before holds what earlier runs put there.
  const run = randomBytes(4).toString("hex");
  const tenants = { home: `release-home-${run}`, other: `release-other-${run}` };
  await addTenants({ adminUrl, tenants: Object.values(tenants).map((id) => ({ id, name: id })) });
  const open = (role: WriterRole) => openDatabase({ url: urls[role], role, connections: 4 });
  const databases = { deciding: open("deciding"), desk: open("desk"), acting: open("acting") };
  const { bench, close } = buildBench({ ...parts, samples, tenants, databases });
  try {
    return await runMatrix(alter(bench), onCell);
  } finally {
    await close();
    await Promise.all(Object.values(databases).map((database) => database.close()));
  }
}

/** Keeps a run in the installation whose acting login `url` is; returns its id. Policy goes by the newest of an effect's version. */
export async function keepRelease({ url, report }: { url: string; report: ReleaseReport }): Promise<string> {
  const database = openDatabase({ url, role: "acting", connections: 1 });
  try {
    // A release is of no tenant; the transaction names one because every transaction does.
    return await database.inTenant("release", (tx) => recordRelease(tx, report, uuidIds(systemClock)));
  } finally {
    await database.close();
  }
}

type Building = ReleaseParts & {
  readonly samples: ReleaseSamples;
  readonly tenants: Bench["tenants"];
  readonly databases: Readonly<Record<WriterRole, Database>>;
};

/** What the functions of a bench share. */
type House = ReturnType<typeof openHouse>;

function buildBench(building: Building): { bench: Bench; close: () => Promise<void> } {
  const { project, hands, effect, samples, tenants, adminUrl } = building;
  const house = openHouse(building);
  let runs = 0;
  const newPlace = (tenant: string) => {
    runs += 1;
    return { tenant, run: runs, adminUrl };
  };
  const bench: Bench = {
    ...{ project, effect, hands, samples, tenants, newPlace },
    propose: (change) => propose(house, change),
    sign: (proposed) => sign(house, proposed),
    pass: house.pass,
    work: (working) => work(house, working),
    story: async (proposed) => (await readStory(house, proposed)).story,
    told: (proposed) => told(house, proposed),
    look: (target) => look(house, target),
  };
  return { bench, close: house.close };
}

function openHouse(building: Building) {
  const { project, hands, secrets, policy, databases } = building;
  const payloadKey = randomBytes(32);
  let aheadMs = 0;
  const storeTime: StoreTime = async (tx) => (await databaseTime(tx)) + aheadMs;
  const vault = vaultOf({ hands, secrets });
  const sources = [...hands.records, factRecords(databases.acting)];
  const records = openRecords({ sources, vault, clock: systemClock, deadline: systemDeadline, permit: policy });
  const clients = openClients(vault, houseClients({ database: databases.acting, project }));
  return {
    ...{ building, payloadKey, storeTime, records, clients },
    keys: payloadKeys(payloadKey, pooledRandom(), databases.deciding),
    ids: uuidIds(systemClock),
    deskKey: newKey(),
    policyKey: newKey(),
    pass: (ms: number) => {
      aheadMs += ms;
    },
    close: async () => {
      await Promise.all([records.close(), clients.close()]);
    },
  };
}

async function propose(
  house: House,
  { tenant, environment, effect, sample: { params, askedBy } }: Parameters<Bench["propose"]>[0],
): Promise<Proposed> {
  const { building, records, keys, ids, storeTime } = house;
  const { project, policy, databases } = building;
  const principal: Principal = {
    tenant,
    id: askedBy.id,
    roles: askedBy.roles,
    attributes: {},
    onBehalfOf: null,
    allow: everything,
  };
  // Whoever asks and whoever signs is looked up before anything is done for them.
  const people = [principal, approverOf(tenant, "release-first"), approverOf(tenant, "release-second")];
  await putPeople(building.adminUrl, { people: people.map((one) => ({ ...one, name: one.id, keyHash: null })), follows: true });
  const { query } = effect.before;
  const need = { kind: "records", name: "before", query, params: effect.before.params(params), maxAgeMs: 0 } as const;
  const envelope = { principal, scopes: policy.scopes(principal), environment, at: systemClock.now() };
  const rows = await records.readRecords(need, envelope);
  const before = effect.before.project(rows.map(({ row }) => row));
  return databases.deciding.inTenant(tenant, async (tx) => {
    const at = await storeTime(tx);
    const record = proposalRecord({ project, effect, params, before, principal, policy: policy.version, environment, at }, ids);
    const { decisionId } = record.request;
    await writeEntries({ tx, drafts: [decisionDraft(record, "0".repeat(64))], keys });
    await tx.insertInto("waiting").values({ tenant, decision_id: decisionId }).execute();
    return { tenant, decisionId, environment };
  });
}

function approverOf(tenant: string, id: string): Principal {
  return { tenant, id, roles: ["approver"], attributes: {}, onBehalfOf: null, allow: everything };
}

/** Two people are here: the second is asked where the risk takes two. */
async function sign(house: House, { tenant, decisionId, environment }: Proposed): Promise<void> {
  const { building, payloadKey, ids, deskKey, storeTime } = house;
  const { project, policy, databases } = building;
  const parts = { project, policy, database: databases.desk, clock: systemClock, ids, environment, deskKey: deskKey.secret };
  const desk = createDesk({ ...parts, payloadKey, storeTime });
  const [first, second] = [approverOf(tenant, "release-first"), approverOf(tenant, "release-second")];
  await desk.approve({ principal: first, decisionId });
  const { effects } = await desk.decision({ principal: second, decisionId });
  if (effects.some(({ state }) => state === "half_signed")) await desk.approve({ principal: second, decisionId });
}

async function work(house: House, { hands, isCredentialSpoilt, ...proposed }: Working): Promise<void> {
  const { building, payloadKey, ids, deskKey, policyKey, storeTime } = house;
  const { project, policy, databases, secrets, effect } = building;
  const faults: unknown[] = [];
  const spoilt = isCredentialSpoilt ? withSpoiltHouse(building, hands) : { hands, close: async () => {} };
  const worker = createWorker({
    ...{ project, policy, hands: spoilt.hands, database: databases.acting, clock: systemClock, ids },
    environment: proposed.environment,
    vault: vaultOf({ hands, secrets: isCredentialSpoilt ? withSpoilt({ hands, secrets, effect }) : secrets }),
    ...{ pinnedKeys: [deskKey.open], policyKey: policyKey.secret, payloadKey, storeTime },
    headKeeper: memoryHeads(),
    onError: (thrown) => faults.push(thrown),
  });
  try {
    for (let round = 0; round < mostRounds; round += 1) {
      await worker.runOnce();
      const { story, now } = await readStory(house, proposed);
      const rest = restOf(story, { now, round });
      if (rest === null) return;
      house.pass(rest);
    }
    if (faults.length > 0) throw faults[0];
  } finally {
    await worker.stop();
    await spoilt.close();
  }
}

async function readStory({ building: { databases }, keys, storeTime }: House, { tenant, decisionId }: Proposed) {
  return databases.acting.inTenant(tenant, async (tx) => {
    const story = await readDecision({ tx, tenant, decisionId, keys });
    if (story === null) throw new CountersignError("internal", "a proposal of this run is gone");
    return { story, now: await storeTime(tx) };
  });
}

async function told({ building: { databases } }: House, { tenant, decisionId }: Proposed): Promise<readonly string[]> {
  const rows = await databases.acting.inTenant(tenant, (tx) =>
    tx
      .selectFrom("notice")
      .select(["kind", "to_name"])
      .where("tenant", "=", tenant)
      .where("decision_id", "=", decisionId)
      .execute(),
  );
  return rows.map(({ kind, to_name }) => `${kind} ${to_name}`);
}

async function look(
  { building: { hands, effect }, clients }: House,
  { tenant, params }: Parameters<Bench["look"]>[0],
): Promise<Snapshot> {
  const hand = hands.hands.find((one) => one.effect === effect);
  if (hand === undefined) throw new CountersignError("effect_unknown", `no hands are registered for effect \`${effect.name}\``);
  const read = await hand.observe.bind(clients);
  return read(params, { tenant });
}

function vaultOf({ hands, secrets }: Pick<ReleaseParts, "hands" | "secrets">): Vault {
  // Nobody is told of what happens here, so the secrets of channels are not asked for.
  return environmentVault({ side: "acting", env: secrets, declared: secretsOf({ records: hands.records, hands: hands.hands }) });
}

function withSpoilt({ hands, secrets, effect }: Pick<ReleaseParts, "hands" | "secrets" | "effect">): SecretsByName {
  const name = hands.hands.find((one) => one.effect === effect)?.apply.connector.secret ?? "";
  return { ...secrets, [name]: spoiltSecret(secrets[name] ?? "") };
}

/** Hands over the house itself have no secret of their own: what its database does not take is then the login that they write by. */
function withSpoiltHouse({ effect, project, urls }: Building, hands: Hands): { hands: Hands; close: () => Promise<void> } {
  const database = openDatabase({ url: spoiltSecret(urls.acting), role: "acting", connections: 1 });
  const clients = openClients({ secret: () => "" }, houseClients({ database, project }));
  const spoil = (hand: Hands["hands"][number]) =>
    hand.effect === effect && isHouseSecret(hand.apply.connector.secret)
      ? { ...hand, apply: { ...hand.apply, bind: () => hand.apply.bind(clients) } }
      : hand;
  return { hands: { ...hands, hands: hands.hands.map(spoil) }, close: database.close };
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
