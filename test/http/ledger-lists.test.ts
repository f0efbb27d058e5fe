import { hash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newKey } from "../../benchmarks/ledger/sample.ts";
import { createHeadKeeper, type FileHeadKeeper } from "../../src/ledger/head.ts";
import { openCheckpointFolder } from "../../src/ledger/proofs/checkpoint-folder.ts";
import { openWatch } from "../../src/ledger/proofs/publisher.ts";
import { readNoteKey } from "../../src/ledger/proofs/signed-note.ts";
import { verifyProof } from "../../src/ledger/proofs/verify-proof.ts";
import { sealTenant } from "../../src/ledger/seal.ts";
import { systemClock } from "../../src/store/clock.ts";
import { type Database, openDatabase } from "../../src/store/database.ts";
import { patience } from "../postgres/ledger-fixture.ts";
import { callerOf } from "./boards-house.ts";
import { type DeskHouse, keyOf, openDeskHouse } from "./desk-house.ts";

// The ledger as the console shows it: real seals, a real watch that signs checkpoints, and a chain that somebody changed.
let house: DeskHouse;
let acting: Database;
let directory: string;
let headKeeper: FileHeadKeeper;
const faults: unknown[] = [];
const { call, waiting, pages } = callerOf(() => house);
let answer: string;
let note: string;

beforeAll(async () => {
  house = await openDeskHouse({ isDemo: false });
  acting = openDatabase({ url: house.urls.acting, role: "acting", connections: 2 });
  directory = await mkdtemp(join(tmpdir(), "countersign-lists-"));
  headKeeper = createHeadKeeper({ directory: join(directory, "heads"), onError: (thrown) => faults.push(thrown) });
  answer = (await call("ada", "/decisions", { capability: "say_nothing", inputs: { text: "why?" } })).json.id;
  note = await waiting("ada", "a note that is signed");
  await call("ben", `/reviews/${note}/approve`, {});
}, 120_000);
afterAll(async () => {
  await headKeeper?.stop();
  await acting?.close();
  await house?.close();
  if (directory !== undefined) await rm(directory, { recursive: true, force: true });
});

async function seal(): Promise<void> {
  const left = async () => {
    await sealTenant({ database: acting, tenant: "acme", headKeeper });
    return (await call("audra", "/ledger")).json.unsealed.count;
  };
  await expect.poll(left, patience).toBe(0);
  await headKeeper.stop();
}

const openRound = () => {
  const ledgers = { key: newKey(), name: "ledger.example.com", folder: openCheckpointFolder(join(directory, "checkpoints")) };
  const clock = systemClock;
  return openWatch({ database: acting, headKeeper, clock, ledgers, witness: null, onError: (thrown) => faults.push(thrown) });
};
const idsOf = (items: readonly { id: string }[]) => items.map(({ id }) => id);

describe("the ledger", () => {
  it("tells of entries that wait for their seal apart, and claims nothing that no check has seen", async () => {
    const { json } = await call("audra", "/ledger");
    expect(json).toMatchObject({ head: 0, headHash: null, state: "unverified", verifiedTo: 0, checkpoint: null, break: null });
    expect(json.unsealed).toMatchObject({ count: 3, isOver: false });
    const unsealed = await call("audra", "/ledger/entries?sealed=false");
    expect(unsealed.json.items.map(({ kind, seq }: { kind: string; seq: null }) => [kind, seq])).toEqual([
      ["decided", null],
      ["decided", null],
      ["approved", null],
    ]);
    expect((await call("audra", "/ledger/entries")).json).toEqual({ items: [], next: null });
    expect((await call("audra", "/ledger/entries?sealed=false&kind=decided")).status).toBe(400);
  });

  it("lists what is sealed, the last first, in pages", async () => {
    await seal();
    const { json } = await call("audra", "/ledger/entries");
    expect(json.items.map(({ seq, kind, word, writer }: Record<string, unknown>) => [seq, kind, word, writer])).toEqual([
      [3, "approved", "person", "desk"],
      [2, "decided", "hitl_recommended", "deciding"],
      [1, "decided", "auto", "deciding"],
    ]);
    expect(json.items[0]).toMatchObject({ decisionId: note, effectIndex: 0, what: "Keep the note a note that is signed" });
    const paged = await pages("audra", "/ledger/entries?limit=2");
    expect(paged.map((page) => page.length)).toEqual([2, 1]);
    expect(paged.flat()).toEqual(json.items);
  });

  it("is narrowed by kind, writer, decision and the time of sealing", async () => {
    const seqs = async (query: string) => (await pages("audra", `/ledger/entries?${query}`)).flat().map(({ seq }) => seq);
    expect(await seqs("kind=decided")).toEqual([2, 1]);
    expect(await seqs("writer=desk")).toEqual([3]);
    expect(await seqs(`decision=${note}`)).toEqual([3, 2]);
    expect(await seqs(`decision=${answer}&kind=approved`)).toEqual([]);
    const [last] = (await call("audra", "/ledger/entries")).json.items;
    expect(await seqs(`before=${last.sealedAt + 1}`)).toEqual([3, 2, 1]);
    expect(await seqs(`from=${last.sealedAt + 1}`)).toEqual([]);
    expect(await seqs("before=1")).toEqual([]);
  });

  it("shows an approver nothing of an answer to somebody else", async () => {
    const all = (await call("audra", "/ledger/entries")).json.items;
    const seen = (await pages("ben", "/ledger/entries?limit=1")).flat();
    expect(idsOf(seen)).toEqual(idsOf(all).slice(0, 2));
    expect((await call("ben", `/ledger/entries/${all[2].id}`)).status).toBe(404);
    expect((await call("ben", `/ledger/proof?entry=${all[2].id}`)).status).toBe(404);
    expect((await call("ada", "/ledger")).status).toBe(403);
    expect((await call("gus", "/ledger/entries")).json.items).toEqual([]);
  });

  it("shows one entry whole: bytes that give the hash, its seal, and of its payload what the reader may see", async () => {
    const [approved, decided] = (await call("audra", "/ledger/entries")).json.items;
    const { json: whole } = await call("audra", `/ledger/entries/${decided.id}`);
    expect(hash("sha256", whole.bytes)).toBe(decided.hash);
    expect(whole).toMatchObject({ payloadState: "kept", body: { capability: "keep_notes" } });
    expect(Object.keys(whole.payload)).toContain("proposal");
    const { json: reviewed } = await call("ben", `/ledger/entries/${decided.id}`);
    expect(reviewed.bytes).toBe(whole.bytes);
    expect(Object.keys(reviewed.payload ?? {})).not.toContain("proposal");
    const { json: next } = await call("ben", `/ledger/entries/${approved.id}`);
    expect(next.prevHash).toBe(whole.sealHash);
    expect((await call("audra", "/ledger")).json.headHash).toBe(next.sealHash);
  });
});

describe("the check of it", () => {
  it("says how far it came, and hands out the checkpoint and a proof that a verifier takes", async () => {
    const watch = openRound();
    expect((await call("audra", "/ledger/checkpoint")).status).toBe(404);
    await watch.round();
    const { json: state } = await call("audra", "/ledger");
    expect(state).toMatchObject({ head: 3, state: "verified", verifiedTo: 3, break: null });
    expect(state.checkpoint).toMatchObject({ origin: "ledger.example.com/acme", size: 3, witness: "none", uncovered: 0 });
    const { json: checkpoint } = await call("audra", "/ledger/checkpoint");
    expect(checkpoint.text.split("\n").slice(0, 2)).toEqual(["ledger.example.com/acme", "3"]);
    const [, decided] = (await call("ben", "/ledger/entries")).json.items;
    const headers = { authorization: `Bearer ${keyOf("ben")}` };
    const proof = await (await fetch(`${house.url}/v1/ledger/proof?entry=${decided.id}`, { headers })).text();
    const verified = (text: string) => verifyProof(text, [readNoteKey(checkpoint.noteKey)]);
    expect(verified(proof)).toMatchObject({ isVerified: true, kind: "inclusion", seq: 2, entryId: decided.id, size: 3 });
    expect(verified(proof.replace('"index":1', '"index":0'))).toMatchObject({ isVerified: false, fault: "proof_invalid" });
  });

  it("is behind what came since, until it has seen that too", async () => {
    await waiting("ada", "one more note");
    await seal();
    const { json } = await call("audra", "/ledger");
    expect(json).toMatchObject({ head: 4, state: "checking", verifiedTo: 3, checkpoint: { size: 3, uncovered: 1 } });
    const [last] = (await call("audra", "/ledger/entries")).json.items;
    const { status, json: late } = await call("audra", `/ledger/proof?entry=${last.id}`);
    expect([status, late.code]).toEqual([404, "not_found"]);
  });

  it("names the entry that somebody changed, and a whole walk over a mended chain takes it back", async () => {
    const change = (text: string) =>
      house.owner.query(
        `update countersign.entry set body = replace(body, $1, $2) where id = (select entry_id from countersign.seal where seq = 2 and tenant = 'acme')`,
        text === "back" ? ["keep_notez", "keep_notes"] : ["keep_notes", "keep_notez"],
      );
    await house.owner.query("alter table countersign.entry drop constraint entry_hash_is_of_its_body");
    await house.owner.query("alter table countersign.entry disable trigger entry_is_final");
    await change("forth");
    await openRound().round();
    const { json } = await call("audra", "/ledger");
    expect(json).toMatchObject({ state: "tampered", break: { seq: 2, fault: "entry_altered" } });
    expect(faults).toMatchObject([{ code: "ledger_broken" }]);
    await change("back");
    await openRound().round();
    expect((await call("audra", "/ledger")).json).toMatchObject({ state: "verified", verifiedTo: 4, break: null });
  });
});
