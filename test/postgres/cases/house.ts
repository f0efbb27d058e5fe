import { generateKeyPairSync, randomBytes } from "node:crypto";
import pg from "pg";
import { vi } from "vitest";
import type { AnyCase } from "../../../src/contract/case.ts";
import type { CaseView } from "../../../src/contract/case-view.ts";
import type { ChainHead, Clock, HeadKeeper } from "../../../src/contract/ports.ts";
import { everything, type Principal } from "../../../src/contract/principal.ts";
import { createDecider, type Decider } from "../../../src/decider.ts";
import { createDesk, type Desk } from "../../../src/desk.ts";
import { openDatabase } from "../../../src/store/database.ts";
import { uuidIds } from "../../../src/store/ids.ts";
import { databaseTime, type StoreTime } from "../../../src/store/time.ts";
import { environmentVault } from "../../../src/vault/environment.ts";
import { createWorker, secretsOf, type Worker } from "../../../src/worker.ts";
import { putAccounts } from "../../setup/people.ts";
import { shippedPolicy } from "../../setup/policy.ts";
import { createMigratedDatabase } from "../../setup/project-database.ts";
import { caseDeciding, caseHands, caseProject, sandboxSql } from "./project.ts";

const person = (id: string, ...roles: string[]): Principal => ({
  tenant: "acme",
  id,
  roles,
  attributes: {},
  onBehalfOf: null,
  allow: everything,
});

/** Made-up people: who starts cases, who signs, who owns, who keeps the warehouse, who audits. */
export const people = {
  cora: person("cora", "clerk"),
  carl: person("carl", "clerk"),
  ada: person("ada", "approver"),
  ben: person("ben", "approver"),
  oda: person("oda", "owner"),
  wes: person("wes", "warehouse"),
  aud: person("aud", "auditor"),
  gus: { ...person("gus", "clerk"), tenant: "globex" },
};

/** Decider, desk and workers over a database of their own, with one clock that a test moves. */
export type CaseHouse = Awaited<ReturnType<typeof openCaseHouse>>;

/** Opens the house for these cases, with the slice of low risk open. Faults of the background are collected. */
export async function openCaseHouse(cases: readonly AnyCase[]) {
  const store = await createMigratedDatabase();
  const owner = new pg.Pool({ connectionString: store.adminUrl, max: 2 });
  await owner.query(sandboxSql);
  await putAccounts(store.adminUrl, Object.values(people));
  const time = { aheadMs: 0 };
  const gate = { during: async () => {} };
  const clock: Clock = { now: () => Date.now() + time.aheadMs, monotonic: () => performance.now() };
  const storeTime: StoreTime = async (tx) => (await databaseTime(tx)) + time.aheadMs;
  const common = { clock, ids: uuidIds(clock), environment: "demo", payloadKey: randomBytes(32) };
  const faults: unknown[] = [];
  const onError = (thrown: unknown) => void faults.push(thrown);
  const [deskKey, policyKey] = [newKey(), newKey()];
  const deciding = openDatabase({ url: store.urls.deciding, role: "deciding" });
  const signing = openDatabase({ url: store.urls.desk, role: "desk" });
  const acting = openDatabase({ url: store.urls.acting, role: "acting" });
  const heads = memoryHeads();
  const stops: (() => Promise<void>)[] = [];
  const openDecider = async (of = cases): Promise<Decider> => {
    const vault = environmentVault({
      side: "deciding",
      env: { LINES_READ: store.adminUrl },
      declared: { reads: ["LINES_READ"] },
    });
    const decider = await createDecider({
      policy: shippedPolicy,
      ...common,
      project: caseProject(of),
      parts: caseDeciding(),
      database: deciding,
      vault,
      onError,
    });
    stops.push(decider.close);
    return decider;
  };
  const openDesk = (of = cases): Desk =>
    createDesk({
      policy: shippedPolicy,
      ...common,
      project: caseProject(of),
      database: signing,
      deskKey: deskKey.secret,
      storeTime,
    });
  const openWorker = (of = cases): Worker => {
    const hands = caseHands(() => gate.during());
    const env = { LINES_WRITE: store.adminUrl, LINES_OBSERVE: store.adminUrl };
    const worker = createWorker({
      policy: shippedPolicy,
      ...{ ...common, project: caseProject(of), hands, database: acting, headKeeper: heads, storeTime, onError },
      vault: environmentVault({ side: "acting", env, declared: secretsOf(hands) }),
      ...{ pinnedKeys: [deskKey.open], policyKey: policyKey.secret },
    });
    let isStopped = false;
    const stop = async () => {
      if (!isStopped) await worker.stop();
      isStopped = true;
    };
    stops.unshift(stop);
    return { ...worker, stop };
  };
  const desk = openDesk();
  return {
    ...{ store, owner, time, gate, faults, common, deskKey, policyKey, acting, signing, deciding, storeTime },
    ...{ openDecider, openDesk, openWorker },
    desk,
    /** Lets policy pass low risk alone. */
    openSlice: async (worker: Worker) => {
      await desk.openSlice({ principal: people.oda, capability: "write_line", slice: "all", thresholdPpm: 0 });
      await vi.waitFor(async () => {
        await worker.runOnce();
        const { rows } = await owner.query("select 1 from countersign.slice");
        if (rows.length === 0) throw new Error("the slice is not open yet");
      }, patience);
    },
    /** Waits until a case stands as it should; whoever works does so in the background. */
    until: (id: string, holds: (view: CaseView) => boolean, of = desk): Promise<CaseView> =>
      vi.waitFor(async () => {
        const view = await of.cases.one({ principal: people.aud, id });
        if (holds(view)) return view;
        throw new Error(`not yet: ${JSON.stringify({ ...view, moves: movesOf(view) })} ${faults.map(String).join("; ")}`);
      }, patience),
    start: async (name: string, input: unknown, key: string | null = null, of = desk): Promise<CaseView> =>
      (await of.cases.start({ principal: people.cora, case: name, key, input })).view,
    lines: async (name: string): Promise<string[]> =>
      (await owner.query("select note from sandbox.line where name = $1 order by id", [name])).rows.map(({ note }) => note),
    rows: async (sql: string, values: readonly unknown[] = []) => (await owner.query(sql, [...values])).rows,
    close: async () => {
      for (const stop of stops) await stop();
      await Promise.all([deciding.close(), signing.close(), acting.close(), owner.end()]);
      await store.drop();
    },
  };
}

const patience = { timeout: 60_000, interval: 25 };

/** The hand-off edges of a case as words, such as `order -done-> wait`. */
export function movesOf({ moves }: Pick<CaseView, "moves">): string[] {
  return moves.map(({ kind, from, step, outcome, code }) => {
    if (kind !== "entered") return `${kind} ${step}${code === null ? "" : ` ${code}`}`;
    return from === null ? step : `${from} -${outcome}-> ${step}`;
  });
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
