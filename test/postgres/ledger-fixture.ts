import pg from "pg";
import type { DecisionRecord, DecisionRequest } from "../../src/contract/decision.ts";
import { everything } from "../../src/contract/principal.ts";
import { createJournal, type DurableJournal, type JournalOptions } from "../../src/ledger/journal.ts";
import { type PayloadKeys, payloadKeys } from "../../src/ledger/payload.ts";
import { systemClock } from "../../src/store/clock.ts";
import { type Database, openDatabase } from "../../src/store/database.ts";
import { uuidIds } from "../../src/store/ids.ts";
import { createMigratedDatabase, type MigratedDatabase } from "../setup/project-database.ts";

/** How long to wait for what other test files on the same server can delay: an entry settles when every older transaction has ended. */
export const patience = { timeout: 15_000 };

/** Makes ids of the real kind. */
export const ids = uuidIds(systemClock);

/** A ledger of one test file: its database, a journal, and the owner's connection for looking and for tampering. */
export interface LedgerFixture {
  readonly database: MigratedDatabase;
  readonly keys: PayloadKeys;
  readonly journal: DurableJournal;
  readonly deciding: Database;
  readonly acting: Database;
  readonly owner: pg.Client;
  /** Opens a further journal on the same database, stopped with the fixture. */
  readonly anotherJournal: (options?: Partial<JournalOptions>) => DurableJournal;
  readonly close: () => Promise<void>;
}

/** Makes the fixture over a fresh database. */
export async function openLedger(): Promise<LedgerFixture> {
  const database = await createMigratedDatabase();
  const keys = payloadKeys(Buffer.alloc(32, 7));
  const owner = new pg.Client({ connectionString: database.adminUrl });
  await owner.connect();
  const journals: DurableJournal[] = [];
  const anotherJournal = (options: Partial<JournalOptions> = {}) => {
    const journal = createJournal({ url: database.urls.deciding, clock: systemClock, keys, ...options });
    journals.push(journal);
    return journal;
  };
  const deciding = openDatabase({ url: database.urls.deciding, role: "deciding", connections: 4 });
  const acting = openDatabase({ url: database.urls.acting, role: "acting", connections: 4 });
  return {
    ...{ database, keys, deciding, acting, owner, anotherJournal },
    journal: anotherJournal(),
    close: async () => {
      await Promise.all(journals.map((journal) => journal.stop()));
      await Promise.all([deciding.close(), acting.close(), owner.end()]);
      await database.drop();
    },
  };
}

/** A request of `acme` that differs from every other in its ids only. */
export function request(changes: Partial<DecisionRequest> & { tenant?: string } = {}): DecisionRequest {
  const { tenant = "acme", ...rest } = changes;
  return {
    decisionId: ids.next(),
    entryId: ids.next(),
    principal: { tenant, id: "ada", roles: ["employee"], attributes: {}, onBehalfOf: null, allow: everything },
    capability: "replace-device",
    inputs: { text: "the battery of my laptop is swollen" },
    idempotencyKey: null,
    cause: null,
    ...rest,
  };
}

/** The record of a decision that went through, without effects unless changed. */
export function record(of: DecisionRequest, changes: Partial<DecisionRecord> = {}): DecisionRecord {
  return {
    ...{ kind: "decided", request: of, at: 1_764_460_800_000, environment: "demo", capabilityVersion: "1.0.0" },
    ...{ model: "scripted/it-support-1", prompt: "replace-device/3", policy: "built-in/1", calibration: "starting-weights/1" },
    ...{ label: "replace", route: "auto", rule: "no_effects", loweredBy: [], slice: "laptop", thresholdPpm: 1_000_001 },
    ...{
      confidencePpm: 870_000,
      signals: [{ name: "verification", ppm: 1_000_000, weightPpm: 500_000 }],
      verified: true,
      stop: null,
    },
    contextDigest: "ab".repeat(32),
    proposal: null,
    calls: [
      {
        ...{
          node: "llm_decision",
          purpose: "decide",
          step: 0,
          attempt: 1,
          send: 1,
          model: "scripted/it-support-1",
          isScripted: true,
          outcome: "fits",
          boundary: "off",
        },
        ...{ fault: null, stopReason: "end", requestDigest: "cd".repeat(32), isUsageAssumed: false },
        usage: { inputTokens: 900, cachedTokens: 0, cacheWriteTokens: 0, outputTokens: 60, reasoningTokens: 0 },
        ...{ costMicros: 12, ms: 1, reply: "{}", isReplyWhole: true, problem: null },
      },
    ],
    notes: [{ text: "one line\nand another" }],
    bodies: { trace: [{ node: "entry", ms: 1, outcome: "added" }], context: { items: [] } },
    ...changes,
  };
}

/** Opens and closes a decision, and returns its request. */
export async function decide(journal: DurableJournal, of: DecisionRequest = request()): Promise<DecisionRequest> {
  await journal.open(of, 0);
  await journal.close(record(of));
  return of;
}

/** The value of the first column of the first row. */
export async function one(client: pg.Client, sql: string, values: readonly unknown[] = []): Promise<unknown> {
  const { rows } = await client.query({ text: sql, values: [...values], rowMode: "array" });
  return rows[0]?.[0];
}

/** Kinds of the entries of a decision, in the order they were written. */
export async function kindsOf(client: pg.Client, decisionId: string): Promise<readonly string[]> {
  const { rows } = await client.query<{ kind: string }>("select kind from countersign.entry where decision_id = $1 order by n", [
    decisionId,
  ]);
  return rows.map(({ kind }) => kind);
}
