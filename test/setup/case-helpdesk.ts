import { generateKeyPairSync, randomBytes } from "node:crypto";
import { vi } from "vitest";
import parts from "../../examples/it-support/decide.ts";
import hands from "../../examples/it-support/hands.ts";
import { people, tenant } from "../../examples/it-support/people.ts";
import project from "../../examples/it-support/project.ts";
import { installSandbox } from "../../examples/it-support/sandbox/install.ts";
import { seedDemo } from "../../examples/it-support/sandbox/seed.ts";
import type { AnyCase } from "../../src/contract/case.ts";
import type { CaseView } from "../../src/contract/case-view.ts";
import type { Clock } from "../../src/contract/ports.ts";
import { everything } from "../../src/contract/principal.ts";
import { createDecider } from "../../src/decider.ts";
import { createDesk, type Desk } from "../../src/desk.ts";
import { openDatabase } from "../../src/store/database.ts";
import { uuidIds } from "../../src/store/ids.ts";
import { databaseTime, type StoreTime } from "../../src/store/time.ts";
import { environmentVault } from "../../src/vault/environment.ts";
import { createWorker, secretsOf } from "../../src/worker.ts";
import { fileExampleDocuments } from "./file-documents.ts";
import { putAccounts } from "./people.ts";
import { shippedPolicy } from "./policy.ts";
import { createMigratedDatabase } from "./project-database.ts";

const principalOf = ({ id, roles }: { id: string; roles: readonly string[] }) => ({
  tenant,
  id,
  roles,
  attributes: {},
  onBehalfOf: null,
  allow: everything,
});

/** The example with its help desk, all three halves over one database, and a clock that a test moves. */
export async function openCaseHelpdesk() {
  const store = await createMigratedDatabase();
  const passwords = { read: "read-in-tests", write: "write-in-tests", observe: "observe-in-tests" };
  const urls = await installSandbox({ adminUrl: store.adminUrl, passwords });
  await seedDemo({ adminUrl: store.adminUrl, tenant });
  await putAccounts(store.adminUrl, Object.values(people).map(principalOf));
  await fileExampleDocuments({ project, example: "it-support", store });
  const time = { aheadMs: 0 };
  const clock: Clock = { now: () => Date.now() + time.aheadMs, monotonic: () => performance.now() };
  const storeTime: StoreTime = async (tx) => (await databaseTime(tx)) + time.aheadMs;
  const faults: unknown[] = [];
  const onError = (thrown: unknown) => void faults.push(thrown);
  const common = { clock, ids: uuidIds(clock), environment: "demo", payloadKey: randomBytes(32) };
  const [deskKey, policyKey] = [newKey(), newKey()];
  const deciding = openDatabase({ url: store.urls.deciding, role: "deciding" });
  const signing = openDatabase({ url: store.urls.desk, role: "desk" });
  const acting = openDatabase({ url: store.urls.acting, role: "acting" });
  const read = environmentVault({ side: "deciding", env: urls, declared: { reads: ["HELPDESK_READ_URL"] } });
  const decider = await createDecider({
    policy: shippedPolicy,
    ...common,
    project,
    parts,
    database: deciding,
    vault: read,
    onError,
  });
  const deskOf = (cases: readonly AnyCase[]): Desk =>
    createDesk({
      policy: shippedPolicy,
      ...common,
      project: { ...project, cases },
      database: signing,
      deskKey: deskKey.secret,
      storeTime,
    });
  const workerOf = (cases: readonly AnyCase[]) =>
    createWorker({
      policy: shippedPolicy,
      ...{ ...common, project: { ...project, cases }, hands, database: acting, storeTime, onError },
      vault: environmentVault({ side: "acting", env: urls, declared: secretsOf(hands) }),
      ...{ pinnedKeys: [deskKey.open], policyKey: policyKey.secret },
      headKeeper: { read: async () => null, keep: async () => {} },
    });
  let worker = workerOf(project.cases);
  worker.start();
  const desk = deskOf(project.cases);
  const patience = { timeout: 15_000, interval: 25 };
  return {
    ...{ time, faults, desk },
    mira: principalOf(people.employee),
    jonas: principalOf(people.approver),
    sanna: principalOf(people.owner),
    /** Another version is deployed: the old worker ends, a new one begins; returns the new desk. */
    deploy: async (cases: readonly AnyCase[]): Promise<Desk> => {
      await worker.stop();
      worker = workerOf(cases);
      worker.start();
      return deskOf(cases);
    },
    until: (id: string, holds: (view: CaseView) => boolean): Promise<CaseView> =>
      vi.waitFor(async () => {
        const view = await desk.cases.one({ principal: principalOf(people.owner), id });
        if (holds(view)) return view;
        throw new Error(`not yet: ${JSON.stringify(view)} ${faults.map(String).join("; ")}`);
      }, patience),
    /** Who was told that the case is late, as owners. */
    told: (id: string): Promise<readonly string[]> =>
      signing.inTenant(tenant, async (tx) => {
        const query = tx.selectFrom("notice").select("to_name").where("case_id", "=", id).where("kind", "=", "escalated");
        return (await query.orderBy("at").execute()).map(({ to_name }) => to_name);
      }),
    close: async () => {
      await worker.stop();
      await decider.close();
      await Promise.all([deciding.close(), signing.close(), acting.close()]);
      await store.drop();
    },
  };
}

function newKey(): { secret: string; open: string } {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  return {
    secret: privateKey.export({ format: "der", type: "pkcs8" }).toString("base64"),
    open: publicKey.export({ format: "der", type: "spki" }).toString("base64"),
  };
}
