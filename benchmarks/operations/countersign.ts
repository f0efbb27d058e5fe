/** Countersign in the comparison: approvals that people signed, carried out by worker processes and verified by a separate read. */
import { randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { messageOf } from "../../src/contract/errors.ts";
import { migrate } from "../../src/store/migrate.ts";
import { databaseTime } from "../../src/store/time.ts";
import { rowsInStatement, writeApprovals, writeDecisions } from "./approvals.ts";
import { checkWork, signAtDesk } from "./check.ts";
import { toldBy } from "./child.ts";
import { approver, decisionOf, requester, tenant } from "./decisions.ts";
import { databaseUrl, startServer } from "./server.ts";
import type { Stage, System } from "./system.ts";
import { openWorkPlace, type WorkPlace } from "./work-place.ts";

/** Starts the server and prepares the database that each stretch begins with. */
export async function openCountersign(version: string): Promise<System> {
  const server = await startServer();
  const password = randomBytes(12).toString("hex");
  const template = await server.newDatabase();
  const adminUrl = databaseUrl(server.adminUrl, template.name);
  await migrate({ adminUrl, passwords: { deciding: password, desk: password, acting: password } });
  await template.owner.query("insert into countersign.tenant (id, name) values ($1, 'Tenant')", [tenant]);
  for (const { id, roles } of [requester, approver])
    await template.owner.query(
      "insert into countersign.account (tenant, id, kind, name, roles) values ($1, $2, 'person', $2, $3)",
      [tenant, id, roles],
    );
  await template.owner.query("vacuum analyze");
  await template.close();
  return {
    name: "countersign",
    version,
    setUp: "worker processes with their sealers, one tenant, approvals by a person",
    openStage: async (workers) => {
      const store = await server.newDatabase(template.name);
      return stageOf(await openWorkPlace({ store, password, directory: server.directory, workers }));
    },
    close: server.close,
  };
}

function stageOf(place: WorkPlace): Stage {
  const { store } = place;
  let opening: { readonly go: () => void; readonly written: Promise<unknown> } | null = null;
  let numbered = 0;
  let atDesk: string | null = null;
  return {
    async prepare(count) {
      const devices = Array.from({ length: count }, () => `lt-${numbered++}`);
      await decide(place, devices);
      await sealed(place);
      await store.owner.query("vacuum analyze");
    },
    async fill(count) {
      const records = place.decided.splice(0, count);
      // The first of the warm-up goes over the real desk, to hold what is written in bulk against it.
      if (atDesk === null) atDesk = await signAtDesk(place, records.shift());
      opening = await writtenBehindGate(place, records);
    },
    async open() {
      opening?.go();
      await opening?.written;
    },
    done: () => store.count("select count(*) from countersign.operation where state = 'complete'"),
    settle: () => sealed(place),
    told: () => toldBy(place.workers),
    use: store.use,
    check: async (total) => checkWork(place, { total, atDesk, told: await toldBy(place.workers) }),
    trouble: () => troubleOf(place),
    close: async () => {
      opening?.go();
      await opening?.written.catch(() => {});
      await place.close();
    },
  };
}

async function decide(place: WorkPlace, devices: readonly string[]): Promise<void> {
  const { deciding, signing, replacement, keys } = place;
  for (let from = 0; from < devices.length; from += rowsInStatement) {
    await deciding.inTenant(tenant, async (tx) => {
      const at = await databaseTime(tx);
      const records = devices
        .slice(from, from + rowsInStatement)
        .map((device) => decisionOf({ device, at, ids: signing.ids, replacement }));
      await writeDecisions(tx, { records, keys });
      place.decided.push(...records);
    });
  }
}

/** Writes approvals in one transaction that stays open until `go`. */
async function writtenBehindGate(place: WorkPlace, records: WorkPlace["decided"]) {
  const gate = Promise.withResolvers<void>();
  const isWritten = Promise.withResolvers<void>();
  const written = place.desk.inTenant(tenant, async (tx) => {
    const now = await databaseTime(tx);
    for (let from = 0; from < records.length; from += rowsInStatement) {
      const part = records.slice(from, from + rowsInStatement);
      await writeApprovals(tx, { records: part, approver, now, signing: place.signing });
    }
    isWritten.resolve();
    await gate.promise;
  });
  written.catch(isWritten.reject);
  await isWritten.promise;
  return { go: gate.resolve, written };
}

/** Waits until the workers' sealers have sealed every entry. */
async function sealed({ store }: WorkPlace): Promise<void> {
  // The chain of the one tenant has no gaps, so its last number says how many there are.
  const unsealed =
    "select (select count(*) from countersign.entry) - (select coalesce(max(seq), 0) from countersign.seal) as count";
  while ((await store.count(unsealed)) > 0) await pause(50);
}

async function troubleOf({ store }: WorkPlace): Promise<string> {
  try {
    const { rows } = await store.owner.query(
      `select 'operation ' || state as what, count(*)::int from countersign.operation group by 1
       union all select 'approval ' || state, count(*)::int from countersign.approval group by 1`,
    );
    return JSON.stringify(rows);
  } catch (thrown) {
    return messageOf(thrown);
  }
}
