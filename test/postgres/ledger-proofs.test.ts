import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { checkBy, checkHere } from "../../benchmarks/ledger/check-handed.ts";
import { newKey } from "../../benchmarks/ledger/sample.ts";
import { openErasures } from "../../src/ledger/erasure/erasures.ts";
import { requestErasure } from "../../src/ledger/erasure/manage-erasure.ts";
import { createHeadKeeper, type FileHeadKeeper } from "../../src/ledger/head.ts";
import { checkKept } from "../../src/ledger/proofs/check-kept.ts";
import { type Checkpoint, readCheckpoint } from "../../src/ledger/proofs/checkpoint.ts";
import { openCheckpointFolder } from "../../src/ledger/proofs/checkpoint-folder.ts";
import { textOf } from "../../src/ledger/proofs/export-form.ts";
import { proveConsistency, proveInclusion, treeNow } from "../../src/ledger/proofs/ledger-tree.ts";
import { keepCheckpoint, type Ledgers, noteKeyOf, openWatch, originOf, readKept } from "../../src/ledger/proofs/publisher.ts";
import { entryNamed } from "../../src/ledger/proofs/read-sealed.ts";
import { readNoteKey } from "../../src/ledger/proofs/signed-note.ts";
import { openWitness, type Witness } from "../../src/ledger/proofs/witness.ts";
import { writeExport } from "../../src/ledger/proofs/write-export.ts";
import { sealTenant } from "../../src/ledger/seal.ts";
import { databaseTime } from "../../src/store/time.ts";
import { decide, ids, type LedgerFixture, one, openLedger, patience } from "./ledger-fixture.ts";

const tenant = "acme";
let ledger: LedgerFixture;
let directory: string;
let headKeeper: FileHeadKeeper;
let ledgers: Ledgers;
let decisions: readonly string[];
/** Background faults, which the tests look at. */
let errors: unknown[];

beforeAll(async () => {
  ledger = await openLedger();
  await tamper("alter table countersign.entry drop constraint entry_hash_is_of_its_body");
});
beforeEach(async () => {
  await tamper(
    "truncate countersign.seal, countersign.payload, countersign.entry, countersign.intent, countersign.halt, countersign.notice",
  );
  directory = await mkdtemp(join(tmpdir(), "countersign-proofs-"));
  errors = [];
  headKeeper = createHeadKeeper({ directory: join(directory, "heads"), onError: (thrown) => errors.push(thrown) });
  ledgers = { key: newKey(), name: "ledger.example.com", folder: openCheckpointFolder(join(directory, "checkpoints")) };
  decisions = await decideAndSeal(6);
});
afterEach(() => rm(directory, { recursive: true, force: true }));
afterAll(() => ledger.close());

/** `others`: entries that were written beside, and are sealed too. */
async function decideAndSeal(count: number, others = 0): Promise<readonly string[]> {
  const before = Number(await one(ledger.owner, "select count(*) from countersign.seal"));
  const made: string[] = [];
  for (let i = 0; i < count; i += 1) made.push((await decide(ledger.journal)).decisionId);
  const seal = async () => {
    await sealTenant({ database: ledger.acting, tenant, headKeeper });
    await headKeeper.stop();
    return Number(await one(ledger.owner, "select count(*) from countersign.seal"));
  };
  await expect.poll(seal, patience).toBe(before + count + others);
  return made;
}

/** What the owner of a database can do: no trigger, no policy and no foreign key applies. */
async function tamper(...statements: readonly string[]): Promise<void> {
  await ledger.owner.query("set session_replication_role = replica");
  for (const statement of statements) await ledger.owner.query(statement);
  await ledger.owner.query("set session_replication_role = origin");
}

const of = () => ({ database: ledger.acting, tenant });
const noteKey = () => noteKeyOf(ledgers, tenant);

async function checkpointed(): Promise<{ text: string; checkpoint: Checkpoint }> {
  const kept = (await readKept(ledgers, tenant)).flatMap(({ said }) => said ?? []);
  const text = await keepCheckpoint(ledgers, { tenant, ...(await treeNow(of(), kept)) });
  const checkpoint = readCheckpoint(text, [readNoteKey(noteKey())]);
  if (typeof checkpoint === "string") throw new Error(checkpoint);
  return { text, checkpoint };
}

async function exported(): Promise<Buffer> {
  const checkpoints = (await readKept(ledgers, tenant)).map(({ text }) => text);
  const parts: string[] = [];
  await writeExport({ ...of(), origin: originOf(ledgers, tenant), checkpoints }, async (text) => void parts.push(text));
  return Buffer.from(parts.join(""));
}

describe("what is proved of a ledger", () => {
  test("each decision is proved against a checkpoint, and a later checkpoint continues it; both hold elsewhere", async () => {
    const five = await checkpointed();
    const proofs: string[] = [];
    for (const id of decisions) {
      const entryId = (await entryNamed(of(), id)) ?? "";
      proofs.push(`${textOf(await proveInclusion(of(), { entryId, ...five }))}\n`);
    }
    await decideAndSeal(3);
    const later = await checkpointed();
    const texts = { from: five.text, to: later.text };
    proofs.push(`${textOf(await proveConsistency(of(), { from: five.checkpoint, to: later.checkpoint, texts }))}\n`);
    const keys = [noteKey()];
    for (const proof of proofs) {
      const handed = { export: null, proof, keys, given: [] };
      const here = await checkHere(handed);
      expect(JSON.parse(here[0] ?? "")).toMatchObject({ verified: true });
      expect(await checkBy("verify.mjs", handed)).toEqual({ code: 0, lines: here });
    }
  });

  test("an entry after the checkpoint, one that is not there, and checkpoints in the wrong order are refused", async () => {
    const early = await checkpointed();
    const [late = ""] = await decideAndSeal(1);
    const later = await checkpointed();
    const entryId = (await entryNamed(of(), late)) ?? "";
    await expect(proveInclusion(of(), { entryId, ...early })).rejects.toMatchObject({ code: "not_found" });
    await expect(proveInclusion(of(), { entryId: decisions[0] ?? "", ...early })).rejects.toMatchObject({ code: "not_found" });
    const wrong = { from: later.checkpoint, to: early.checkpoint, texts: { from: later.text, to: early.text } };
    await expect(proveConsistency(of(), wrong)).rejects.toMatchObject({ code: "bad_request" });
  });

  test("an export of a ledger of which something was erased holds in every verifier, and says so", async () => {
    const [decisionId = ""] = decisions;
    await requestErasure(ledger.database.adminUrl, { tenant, of: { decisionId }, reason: "letter 12" });
    const parts = { database: ledger.acting, keys: ledger.keys, ids, storeTime: databaseTime, declared: new Map() };
    expect(await openErasures({ ...parts, onError: (thrown) => errors.push(thrown) }).carryOut()).toBe(1);
    await decideAndSeal(0, 1);
    await checkpointed();
    const handed = { export: await exported(), keys: [noteKey()], given: [] };
    const here = await checkHere(handed);
    expect(JSON.parse(here[0] ?? "")).toMatchObject({ verified: true, entries: 7, covered: 7, erasures: 1 });
    expect(await checkBy("verify.mjs", handed)).toEqual({ code: 0, lines: here });
    const python = await checkBy("verify.py", handed);
    if (python !== null) expect(python).toEqual({ code: 0, lines: here });
    expect(handed.export.toString()).not.toContain("letter 12");
  });

  test("an export holds, without payloads, and finds what the database's owner changed", async () => {
    await checkpointed();
    const handed = { export: await exported(), keys: [noteKey()], given: [] };
    const here = await checkHere(handed);
    expect(JSON.parse(here[0] ?? "")).toEqual({
      verified: true,
      kind: "export",
      tenant,
      entries: 6,
      covered: 6,
      checkpoints: 1,
      erasures: 0,
    });
    expect(await checkBy("verify.mjs", handed)).toEqual({ code: 0, lines: here });
    expect(handed.export.toString()).not.toContain("swollen");
    await tamper(
      `update countersign.entry set body = replace(body, '"label":"replace"', '"label":"refused"') where id = (select entry_id from countersign.seal where seq = 3)`,
    );
    const [changed = ""] = await checkHere({ ...handed, export: await exported() });
    expect(JSON.parse(changed)).toMatchObject({ verified: false, fault: "entry_altered", seq: 3 });
    await tamper("delete from countersign.entry where id = (select entry_id from countersign.seal where seq = 2)");
    const [gone = ""] = await checkHere({ ...handed, export: await exported() });
    expect(JSON.parse(gone)).toMatchObject({ verified: false, fault: "seal_missing", seq: 2 });
  });

  test("no checkpoint is signed over a ledger that an earlier one was not signed over", async () => {
    await checkpointed();
    await tamper("delete from countersign.seal where seq > 4");
    await expect(checkpointed()).rejects.toMatchObject({ code: "ledger_broken", message: expect.stringContaining("ends at 4") });
    await tamper("update countersign.seal set entry_hash = sha256('x') where seq = 4");
    await tamper("delete from countersign.seal where seq = 2");
    await expect(checkpointed()).rejects.toMatchObject({ code: "ledger_broken", facts: { seq: 2 } });
  });

  test("thirty-two checkpoints of a day are kept, and the first of it", async () => {
    for (let size = 1; size <= 40; size += 1) await keepCheckpoint(ledgers, { tenant, size, root: Buffer.alloc(32) });
    const kept = (await readKept(ledgers, tenant)).map(({ said }) => said?.size);
    expect(kept).toEqual([1, ...Array.from({ length: 32 }, (_, i) => i + 9)]);
  });
});

describe("the watch of a worker", () => {
  let now = 0;
  const clock = { now: () => now, monotonic: () => now };
  const watching = (witness: Witness | null = null) =>
    openWatch({ ...{ database: ledger.acting, headKeeper, clock, ledgers, witness }, onError: (thrown) => errors.push(thrown) });
  const stops = async () =>
    (await ledger.owner.query("select scope, name, is_stopped, by_principal, reason, writer from countersign.halt")).rows;

  test("checks what is new, and publishes it at most once a minute", async () => {
    const watch = watching(openWitness(join(directory, "witness")));
    expect(await watch.round()).toBe(6);
    await decideAndSeal(2);
    expect(await watch.round()).toBe(2);
    const sizes = async () => (await readKept(ledgers, tenant)).map(({ said }) => said?.size);
    expect(await sizes()).toEqual([6]);
    now += 60_000;
    expect(await watch.round()).toBe(0);
    expect(await sizes()).toEqual([6, 8]);
    now += 60_000;
    await watch.round();
    expect(await sizes()).toEqual([6, 8]);
    expect(await readdir(join(directory, "witness"))).toEqual(await readdir(join(directory, "checkpoints")));
    expect(errors).toEqual([]);
    expect(await stops()).toEqual([]);
  });

  test("a witness by HTTP is sent the checkpoint; one that refuses it is told, and nothing waits for it", async () => {
    const bodies: string[] = [];
    let status = 200;
    const server: Server = createServer((request, response) => {
      let body = "";
      request.on("data", (chunk) => {
        body += chunk;
      });
      request.on("end", () => {
        bodies.push(body);
        response.writeHead(status).end();
      });
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    try {
      const watch = watching(openWitness(`http://127.0.0.1:${port}/checkpoints`));
      await watch.round();
      const [text = ""] = await ledgers.folder.read(tenant);
      expect(bodies).toEqual([text]);
      status = 503;
      await decideAndSeal(1);
      now += 60_000;
      expect(await watch.round()).toBe(1);
      expect(errors).toMatchObject([{ code: "witness_unavailable" }]);
      expect(await ledgers.folder.read(tenant)).toHaveLength(2);
    } finally {
      server.close();
    }
    for (const place of ["http://witness.example.com", "https://ada:secret@witness.example.com", "ftp://127.0.0.1/x"])
      expect(() => openWitness(place)).toThrow(expect.objectContaining({ code: "configuration_invalid" }));
  });

  test("a break stops the tenant until an owner has looked, tells the owners, and publishes nothing more", async () => {
    const watch = watching();
    await watch.round();
    await tamper("update countersign.seal set entry_hash = sha256('x') where seq = 3");
    await decideAndSeal(1);
    expect(await watch.round()).toBe(1);
    // Only a check from the beginning sees what was changed behind it: once a day.
    now += 86_400_000;
    await watch.round();
    const stop = { scope: "tenant", name: "*", is_stopped: true, by_principal: "ledger-check", writer: "acting" };
    expect(await stops()).toEqual([{ ...stop, reason: expect.stringContaining("does not verify: entry_replaced at 3") }]);
    expect(errors).toMatchObject([{ code: "ledger_broken", facts: { tenant, fault: "entry_replaced", seq: 3 } }]);
    const { rows } = await ledger.owner.query("select kind, to_kind, to_name from countersign.notice");
    expect(rows).toEqual([{ kind: "escalated", to_kind: "role", to_name: "owner" }]);
    const published = await ledgers.folder.read(tenant);
    now += 60_000;
    await watch.round();
    expect(await ledgers.folder.read(tenant)).toEqual(published);
    // Found again a day later, also after somebody lifted the stop: the log says it, and the stop is theirs.
    await ledger.owner.query(
      "insert into countersign.halt (tenant, id, scope, name, is_stopped, by_principal, reason) values ('acme', gen_random_uuid(), 'tenant', '*', false, 'olga', 'a test of mine')",
    );
    now += 86_400_000;
    await watch.round();
    expect(await stops()).toHaveLength(2);
    expect(errors).toHaveLength(2);
  });

  test("an end that is cut off between two rounds is a break", async () => {
    const watch = watching();
    await watch.round();
    await tamper("delete from countersign.seal where seq > 4");
    await watch.round();
    expect(errors).toMatchObject([{ code: "ledger_broken", facts: { fault: "tail_cut", seq: 5 } }]);
    expect(await stops()).toHaveLength(1);
  });

  test("a chain that was rewritten whole, its kept head with it, is not the one that was signed over", async () => {
    await checkpointed();
    await rm(join(directory, "heads"), { recursive: true });
    await tamper("truncate countersign.seal, countersign.entry, countersign.payload");
    headKeeper = createHeadKeeper({ directory: join(directory, "heads"), onError: (thrown) => errors.push(thrown) });
    await decideAndSeal(6);
    await watching().round();
    expect(errors).toMatchObject([{ code: "ledger_broken", facts: { fault: "checkpoint_differs", seq: 6 } }]);
    expect(await checkKept(of(), ledgers)).toMatchObject({ checkpoints: 1, broken: { fault: "checkpoint_differs", seq: 6 } });
    expect(
      await readFile(join(directory, "checkpoints", (await readdir(join(directory, "checkpoints")))[0] ?? ""), "utf8"),
    ).toContain("ledger.example.com/acme\n6\n");
  });
});
