/**
 * Builds the acting half: verifies what people and policy signed, changes the world through one door, looks, and seals the book.
 * Never asks a model, never signs for a person. Any number of workers may share one database.
 */

import type { Acting } from "./act/acting.ts";
import { tendSlices } from "./act/autonomy/tend-slices.ts";
import { createCaseRunner } from "./act/cases/runner.ts";
import { checkHands } from "./act/check-hands.ts";
import { type HouseClient, openClients } from "./act/clients.ts";
import type { Hands } from "./act/hands.ts";
import { keeper, keptSight } from "./act/keeping.ts";
import { createLanes } from "./act/lanes.ts";
import { type Leases, openLeases } from "./act/leases.ts";
import { createSender, type Sender } from "./act/notify/sender.ts";
import { createPauses } from "./act/pauses.ts";
import { openRecorder } from "./act/record.ts";
import { createRefresher, type Refresher } from "./act/refresh-views.ts";
import { hasDone, noCounts, type RoundCounts, workRound } from "./act/round.ts";
import { openStops } from "./act/stops.ts";
import { tellDueModels } from "./act/tell-models.ts";
import { tendAll } from "./act/tend-all.ts";
import type { RolesFrom } from "./approve/accounts.ts";
import type { Measure } from "./approve/licence.ts";
import type { Admitting } from "./approve/policy-grant.ts";
import { CountersignError } from "./contract/errors.ts";
import { limits } from "./contract/limits.ts";
import type { Clock, HeadKeeper, Ids, Spans, Vault } from "./contract/ports.ts";
import type { Project } from "./define/project.ts";
import type { Policy } from "./guard/policy/policy.ts";
import { openFactKeeper, openFactSight } from "./know/facts/keep.ts";
import { factRecords } from "./know/facts/sight.ts";
import { openMemoryKeeper, openMemorySight } from "./know/memory/keep.ts";
import { expireAllMemory } from "./know/memory/write.ts";
import { openRecords } from "./know/records/records.ts";
import { type Erasures, openErasures } from "./ledger/erasure/erasures.ts";
import { payloadKeys } from "./ledger/payload.ts";
import type { LedgerWatch } from "./ledger/proofs/watch-ledger.ts";
import { pooledRandom } from "./ledger/random.ts";
import { createSealer, type Sealer, sealTenant } from "./ledger/seal.ts";
import { systemDeadline } from "./store/clock.ts";
import type { Database } from "./store/database.ts";
import { type Loop, startLoop } from "./store/loop.ts";
import { publicKeysOf, readPublicKeys, readSigningKey } from "./store/signature.ts";
import { databaseTime, type StoreTime } from "./store/time.ts";

export { checkHands, secretsOf } from "./act/check-hands.ts";
export type { Hands } from "./act/hands.ts";

/** What a worker is built from. Keys come from this process's own configuration, never from the database. */
export interface WorkerParts {
  readonly project: Project;
  readonly hands: Hands;
  /** Under the role `acting`; the caller closes it. */
  readonly database: Database;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly environment: string;
  readonly policy: Policy;
  /** Public keys of the desks that are believed (SPKI, DER, base64). */
  readonly pinnedKeys: readonly string[];
  /** The private key of policy (PKCS8, DER, base64). */
  readonly policyKey: string;
  /** 32 bytes. */
  readonly payloadKey: Buffer;
  readonly headKeeper: HeadKeeper;
  /** Checks what is sealed and publishes checkpoints of it; none in an installation without a key for them. */
  readonly watch?: LedgerWatch;
  /** Where people's roles stand, by this process's own configuration; in their accounts unless told. */
  readonly rolesFrom?: RolesFrom;
  /** Told of every fault; the work goes on with the next piece. Without a listener nobody would learn that nothing is done. */
  readonly onError: (thrown: unknown) => void;
  /** How long a worker holds an operation without renewing it, in milliseconds: within it a dead one's work is taken over. */
  readonly takeOverMs?: number;
  /** The store's clock; another one only in tests. */
  readonly storeTime?: StoreTime;
  /** Who watches; nobody unless told. */
  readonly spans?: Spans | null;
}

/** What one round did. */
export interface WorkCounts extends Readonly<RoundCounts> {
  readonly sealed: number;
  /** Proposals that wait no more: their time ran out, or their capability has another version. */
  readonly lapsed: number;
  /** Notices that were sent, or given up. */
  readonly told: number;
  /** Slices that were taken back for what was seen of them beside a verdict. */
  readonly demoted: number;
  /** Moves of cases. */
  readonly moved: number;
  /** Pieces of memory whose time was over, and which are gone. */
  readonly forgotten: number;
  /** Bodies that were asked to be erased, or whose days were over. */
  readonly erased: number;
}

/** The acting half. `start` works until `stop`, which waits for what was begun; `runOnce` does one round, in a fixed order. */
export interface Worker {
  readonly runOnce: () => Promise<WorkCounts>;
  readonly start: () => void;
  readonly stop: () => Promise<void>;
}

/** How many operations one worker has in hand at a time, and how long it rests when there is nothing to do, in milliseconds. */
const laneCount = 512;
const restMs = 100;
/** How often what waits for people, and what is open, is looked after, in milliseconds. */
const tendMs = 1_000;
/** How often notices that are due are looked for, in milliseconds. */
const tellMs = 500;
/** How often memory whose time is over is removed, in milliseconds; nothing reads it meanwhile. */
const forgetMs = 60_000;
/** How often is looked whose models go out of service, in milliseconds. */
const tellModelsMs = 60 * 60_000;
/** How often the next entries of the ledger are checked, in milliseconds. */
const watchMs = 1_000;

/**
 * Builds a worker. Throws `definition_invalid` for hands that cannot act safely, `configuration_invalid` for unusable keys and
 * secrets of channels, `secret_missing` for those that are not there.
 */
export function createWorker(parts: WorkerParts): Worker {
  const { project, hands, database, headKeeper, onError } = parts;
  checkHands({ project, hands });
  const { acting, admitting, sender, refresher, leases, erasures, close } = assemble(parts);
  const lanes = createLanes({ count: laneCount, onError });
  const pauses = createPauses(parts.clock);
  const places = new Map();
  const { measure, ids, storeTime } = acting;
  const casing = { cases: project.cases, rules: measure.policy.cases, keys: measure.payloadKeys };
  const cases = createCaseRunner({ ...casing, database, ids, storeTime, rolesFrom: measure.rolesFrom, onError });
  const forget = () => expireAllMemory(database, onError);
  let isStopping = false;
  let running: { readonly loops: readonly Loop[]; readonly sealer: Sealer } | null = null;
  return {
    async runOnce() {
      const counts = noCounts();
      // One lane and no pauses: what a round does depends on nothing but what is there.
      const alone = {
        lanes: createLanes({ count: 1, onError }),
        isAlone: true,
        pauses: createPauses(parts.clock),
        places: new Map(),
      };
      const lapsed = await tendAll(acting, onError);
      const demoted = await tendSlices(acting, onError);
      await workRound({ acting, admitting, ...alone, counts, onError });
      const moved = await cases.round();
      const told = await sender.round();
      const forgotten = await forget();
      const erased = await erasures.round();
      return { ...counts, lapsed, demoted, told, moved, forgotten, erased, sealed: await sealAll(parts) };
    },
    start() {
      if (running !== null) return;
      isStopping = false;
      const work = async () => {
        // While there is something to do there is no rest; where all hands are full, the next that is free goes on.
        while (!isStopping && (await round())) await lanes.change(restMs);
      };
      const round = async () => {
        const counts = noCounts();
        const isMore = await workRound({ acting, admitting, lanes, isAlone: false, pauses, places, counts, onError });
        return isMore || hasDone(counts);
      };
      running = {
        loops: [
          startLoop({ work, everyMs: restMs, onError }),
          cases.start(),
          startLoop({ work: forget, everyMs: forgetMs, onError }),
          ...startChores(parts, { acting, sender, refresher, erasures }),
        ],
        sealer: createSealer({ database, headKeeper, onError }),
      };
    },
    async stop() {
      isStopping = true;
      sender.stop();
      erasures.stop();
      for (const loop of running?.loops ?? []) await loop.stop();
      // What was begun is carried to its end; nothing new is begun.
      await lanes.idle();
      await acting.recorder.idle();
      leases.stop();
      await running?.sealer.stop();
      running = null;
      await close();
    },
  };
}

interface Assembled {
  readonly acting: Acting;
  readonly admitting: Admitting;
  readonly sender: Sender;
  readonly refresher: Refresher;
  readonly leases: Leases;
  readonly erasures: Erasures;
  readonly close: () => Promise<void>;
}

function assemble(parts: WorkerParts): Assembled {
  const { project, hands, database, vault, clock, ids, environment, policy, storeTime = databaseTime } = parts;
  const policyKey = readSigningKey(parts.policyKey);
  const keys = { person: readPublicKeys(parts.pinnedKeys), policy: publicKeysOf(policyKey) };
  const measure: Measure = {
    project,
    environment,
    keys,
    policy,
    payloadKeys: payloadKeys(parts.payloadKey, pooledRandom(), database),
    rolesFrom: parts.rolesFrom ?? "account",
  };
  const deadline = systemDeadline;
  const clients = openClients(vault, houseClients({ database, project }));
  const records = openRecords({ sources: [...hands.records, factRecords(database)], vault, clock, deadline, permit: policy });
  const { readRecords } = records;
  const leaseMs = leaseOf(parts);
  const leases = openLeases({ database, clock, storeTime, leaseMs, onError: parts.onError });
  const refresher = createRefresher({ refreshes: hands.refreshes ?? [], vault, clock, onError: parts.onError });
  const recorder = openRecorder({ database, measure, ids, storeTime });
  const reading = { hands, clients, readRecords, clock, deadline, storeTime, ids };
  return {
    acting: { database, measure, ...reading, leaseMs, leases, recorder, stops: openStops(database), spans: parts.spans ?? null },
    leases,
    refresher,
    erasures: openErasures({
      ...{ database, keys: measure.payloadKeys, ids, storeTime, onError: parts.onError },
      declared: new Map(project.capabilities.map(({ name, retention = {} }) => [name, retention])),
    }),
    admitting: { measure, policyKey, ids },
    sender: createSender({ channels: hands.notify ?? [], database, vault, clock, storeTime, onError: parts.onError }),
    close: async () => {
      await Promise.all([clients.close(), records.close(), refresher.close()]);
    },
  };
}

/** What the hands of effects on the house's own knowledge are handed, by whoever carries them out or looks. */
export function houseClients({ database, project }: Pick<WorkerParts, "database" | "project">): readonly HouseClient[] {
  const rememberedBy = (name: string) => project.capabilities.find((one) => one.name === name)?.remembers ?? [];
  return [
    [keeper, { ...openFactKeeper(database), ...openMemoryKeeper({ database, rememberedBy }) }],
    [keptSight, { ...openFactSight(database), ...openMemorySight(database) }],
  ];
}

function leaseOf({ takeOverMs = limits.operationLeaseMs }: WorkerParts): number {
  if (Number.isInteger(takeOverMs) && takeOverMs >= 100 && takeOverMs <= 600_000) return takeOverMs;
  throw new CountersignError("configuration_invalid", "a worker holds an operation for 100 to 600000 whole milliseconds");
}

/** What is looked after beside the work itself, each as often as it needs. */
function startChores(
  { database, watch, onError }: WorkerParts,
  { acting, sender, refresher, erasures }: Pick<Assembled, "acting" | "sender" | "refresher" | "erasures">,
): readonly Loop[] {
  return [
    startLoop({ work: () => tendAll(acting, onError), everyMs: tendMs, onError }),
    startLoop({ work: async () => void (await tendSlices(acting, onError)), everyMs: tendMs, onError }),
    startLoop({ work: sender.round, everyMs: tellMs, onError }),
    startLoop({ work: refresher.round, everyMs: tendMs, onError }),
    startLoop({ work: () => tellDueModels(database, onError), everyMs: tellModelsMs, onError }),
    ...erasures.start(),
    ...(watch === undefined ? [] : [startLoop({ work: watch.round, everyMs: watchMs, onError })]),
  ];
}

async function sealAll({ database, headKeeper, onError }: WorkerParts): Promise<number> {
  let sealed = 0;
  for (const tenant of await database.tenants()) {
    try {
      sealed += (await sealTenant({ database, tenant, headKeeper })).entries;
    } catch (thrown) {
      onError(thrown);
    }
  }
  return sealed;
}
