/** The server and the database of the kill suite. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHeadKeeper } from "../../src/ledger/head.ts";
import { payloadKeys } from "../../src/ledger/payload.ts";
import { sealTenant } from "../../src/ledger/seal.ts";
import { verifyLedger } from "../../src/ledger/verify.ts";
import { openDatabase } from "../../src/store/database.ts";
import { startEmbedded } from "../../src/store/embedded.ts";
import { query, until } from "../postgres/embedded/server.ts";
import { createMigratedDatabase } from "../setup/project-database.ts";
import { rootKey } from "./decider-plan.ts";

/** Where deciders find their database, and where Node keeps the compiled modules so that the next one starts sooner. */
export interface House {
  readonly adminUrl: string;
  readonly decidingUrl: string;
  readonly compileCache: string;
}

/** A house with its own durable server, since the one that tests share does without fsync. */
export interface CrashHouse extends House {
  /** The deciding role's login for sweepers, whose sessions are not waited for. */
  readonly sweepingUrl: string;
  /**
   * Waits until the server has let go of every killed decider and no intent is open. Gives up after a minute: what is left open
   * is a fault, and the faults tell more than a time-out.
   */
  readonly settle: () => Promise<void>;
  /** Seals and verifies every tenant's ledger, and tells what is wrong with it. */
  readonly ledgerFaults: () => Promise<readonly string[]>;
  readonly close: () => Promise<void>;
}

const tenants = ["acme", "globex"];
const patienceMs = 60_000;

/** Starts a server and makes a database on it; close it. */
export async function openCrashHouse(): Promise<CrashHouse> {
  const folder = await mkdtemp(join(tmpdir(), "countersign-kills-"));
  const server = await startEmbedded({ directory: join(folder, "project") });
  const { adminUrl, urls } = await createMigratedDatabase(server.adminUrl);
  return {
    adminUrl,
    // Sessions of deciders bear a name, so that the end of the last one can be waited for.
    decidingUrl: `${urls.deciding}?application_name=killed`,
    sweepingUrl: urls.deciding,
    compileCache: join(folder, "compiled"),
    settle: () => settle(adminUrl),
    ledgerFaults: () => ledgerFaults({ adminUrl, actingUrl: urls.acting, heads: join(folder, "heads") }),
    close: async () => {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function settle(adminUrl: string): Promise<void> {
  await untilOrLate(async () => {
    const [left] = await query(
      adminUrl,
      `select (select count(*) from pg_stat_activity where application_name = 'killed')
        + (select count(*) from countersign.intent where not ended) as n`,
    );
    return Number(left?.["n"]) === 0;
  });
}

function untilOrLate(condition: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + patienceMs;
  return until(async () => (await condition()) || performance.now() > deadline);
}

async function ledgerFaults({
  adminUrl,
  actingUrl,
  heads,
}: {
  adminUrl: string;
  actingUrl: string;
  heads: string;
}): Promise<readonly string[]> {
  const database = openDatabase({ url: actingUrl, role: "acting", connections: 2 });
  const headKeeper = createHeadKeeper({
    directory: heads,
    onError: (thrown) => {
      throw thrown;
    },
  });
  const faults: string[] = [];
  for (const tenant of tenants) {
    const [stored] = await query(adminUrl, `select count(*)::integer as n from countersign.entry where tenant = '${tenant}'`);
    // Any transaction of the server, such as its own upkeep, can hold back what may be sealed.
    const seal = async (): Promise<boolean> => (await sealTenant({ database, tenant, headKeeper })).head?.seq === stored?.["n"];
    await untilOrLate(seal);
    await headKeeper.stop();
    const report = await verifyLedger({ database, tenant, headKeeper, keys: payloadKeys(rootKey) });
    const isSound = report.broken === null && report.unsealed.count === 0 && report.unprotected === 0;
    if (!isSound || report.sealed !== stored?.["n"] || report.sealed === 0) faults.push(JSON.stringify({ ...report, stored }));
  }
  await database.close();
  return faults;
}
