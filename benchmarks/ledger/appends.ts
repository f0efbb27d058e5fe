import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import type { DecisionRecord, DecisionRequest } from "../../src/contract/decision.ts";
import type { Journal } from "../../src/contract/ports.ts";
import { everything } from "../../src/contract/principal.ts";
import { createHeadKeeper } from "../../src/ledger/head.ts";
import { createJournal } from "../../src/ledger/journal.ts";
import { payloadKeys } from "../../src/ledger/payload.ts";
import { createSealer } from "../../src/ledger/seal.ts";
import { verifyLedger } from "../../src/ledger/verify.ts";
import { systemClock } from "../../src/store/clock.ts";
import { openDatabase } from "../../src/store/database.ts";
import { startEmbedded } from "../../src/store/embedded.ts";
import { uuidIds } from "../../src/store/ids.ts";
import { migrate, roleUrl } from "../../src/store/migrate.ts";

const ids = uuidIds(systemClock);
const lanes = 64;
const tenant = "acme";

/** What writing and sealing came to on a database of its own. */
export interface Appends {
  readonly decisions: number;
  readonly concurrent: number;
  /** Decisions a second that were opened, and closed with their entry and its payload. */
  readonly appends_per_second: number;
  /** From the time that an entry says it was made to the time that its seal was written. */
  readonly seal_lag_p50_ms: number;
  readonly seal_lag_p99_ms: number;
  /** Entries a second that `ledger verify` looked at in the store, with their payloads. */
  readonly verified_in_store_per_second: number;
  readonly is_verified: boolean;
}

/** Writes decisions from one process for `seconds`, with a sealer beside it, and verifies what became of them. */
export async function measureAppends(seconds: number): Promise<Appends> {
  const directory = await mkdtemp(join(tmpdir(), "countersign-bench-ledger-"));
  const server = await startEmbedded({ directory });
  const passwords = { deciding: randomBytes(12).toString("hex"), acting: randomBytes(12).toString("hex") };
  await migrate({ adminUrl: server.adminUrl, passwords });
  const owner = new pg.Client({ connectionString: server.adminUrl });
  await owner.connect();
  await owner.query("insert into countersign.tenant (id, name) values ($1, 'Acme')", [tenant]);
  const urlOf = (role: "deciding" | "acting") => roleUrl({ adminUrl: server.adminUrl, role, password: passwords[role] });
  const acting = openDatabase({ url: urlOf("acting"), role: "acting" });
  const keys = payloadKeys(Buffer.alloc(32, 7));
  const journal = createJournal({ url: urlOf("deciding"), clock: systemClock, keys });
  const faults: unknown[] = [];
  const onError = (thrown: unknown): void => void faults.push(thrown);
  const headKeeper = createHeadKeeper({ directory: join(directory, "heads"), onError });
  const sealer = createSealer({ database: acting, headKeeper, onError });
  try {
    const written = await write(journal, seconds);
    await journal.stop();
    await sealer.stop();
    await headKeeper.stop();
    // As autovacuum does within a minute. Before it, a check of some thousand entries reads far more than it must.
    await owner.query("analyze countersign.seal, countersign.entry, countersign.payload");
    const begun = performance.now();
    const report = await verifyLedger({ database: acting, tenant, headKeeper, keys });
    const tookSeconds = (performance.now() - begun) / 1_000;
    return {
      ...{ ...written, concurrent: lanes, ...(await lagsOf(owner)) },
      verified_in_store_per_second: Math.round(report.sealed / tookSeconds),
      is_verified: report.broken === null && report.sealed === written.decisions && faults.length === 0,
    };
  } finally {
    await acting.close();
    await owner.end();
    await server.stop();
    await rm(directory, { recursive: true, force: true });
  }
}

async function write(journal: Journal, seconds: number): Promise<Pick<Appends, "decisions" | "appends_per_second">> {
  const begun = performance.now();
  const ends = begun + seconds * 1_000;
  let decisions = 0;
  const lane = async (): Promise<void> => {
    while (performance.now() < ends) {
      const of = request();
      await journal.open(of, 0);
      await journal.close(record(of));
      decisions += 1;
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return { decisions, appends_per_second: Math.round(decisions / ((performance.now() - begun) / 1_000)) };
}

async function lagsOf(owner: pg.Client): Promise<Pick<Appends, "seal_lag_p50_ms" | "seal_lag_p99_ms">> {
  const { rows } = await owner.query<{ p50: number; p99: number }>(`
    select percentile_cont(0.5) within group (order by lag)::float as p50, percentile_cont(0.99) within group (order by lag)::float as p99
    from (select extract(epoch from seal.sealed_at) * 1000 - entry.ts as lag from countersign.seal
      join countersign.entry on entry.tenant = seal.tenant and entry.id = seal.entry_id) as lags`);
  return { seal_lag_p50_ms: Math.round(rows[0]?.p50 ?? 0), seal_lag_p99_ms: Math.round(rows[0]?.p99 ?? 0) };
}

function request(): DecisionRequest {
  return {
    ...{ decisionId: ids.next(), entryId: ids.next(), capability: "replace-device", idempotencyKey: null, cause: null },
    principal: { tenant, id: "ada", roles: ["employee"], attributes: {}, onBehalfOf: null, allow: everything },
    inputs: { text: "the battery of my laptop is swollen" },
  };
}

function record(of: DecisionRequest): DecisionRecord {
  return {
    ...{ kind: "decided", request: of, at: Date.now(), environment: "bench", capabilityVersion: "1.0.0" },
    ...{ model: "scripted/it-support-1", prompt: "replace-device/3", policy: "built-in/1", calibration: "starting-weights/1" },
    ...{ label: "replace", route: "auto", rule: "no_effects", loweredBy: [], slice: "laptop", thresholdPpm: 1_000_001 },
    ...{ confidencePpm: 870_000, verified: true, stop: null, contextDigest: "ab".repeat(32), proposal: null, calls: [] },
    signals: [{ name: "verification", ppm: 1_000_000, weightPpm: 500_000 }],
    notes: [{ text: "one line\nand another" }],
    bodies: { trace: [{ node: "entry", ms: 1, outcome: "added" }], context: { items: [] } },
  };
}
