// What the console computes of a ledger in the browser, held to what the ledger itself writes and signs.
import { generateKeyPairSync, hash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { checkEntry } from "../../console/src/pages/ledger/check-entry.ts";
import { leadsToRoot } from "../../console/src/pages/ledger/check-inclusion.ts";
import { checkSignature, readCheckpoint } from "../../console/src/pages/ledger/check-note.ts";
import { checkShown } from "../../console/src/pages/ledger/check-shown.ts";
import type { InclusionProof, LedgerEntryView } from "../../src/contract/ledger-view.ts";
import { genesisHash, linkHash } from "../../src/ledger/chain.ts";
import { signCheckpoint } from "../../src/ledger/proofs/checkpoint.ts";
import { leafHash, nodeHash } from "../../src/ledger/proofs/merkle.ts";
import { noteKeyText } from "../../src/ledger/proofs/signed-note.ts";

const tenant = "acmé";
const origin = "ledger.example.com/acme";
const signing = { privateKey: generateKeyPairSync("ed25519").privateKey } as Parameters<typeof noteKeyText>[0]["key"];

function sealed(seq: number, prevHash: Buffer): LedgerEntryView {
  const id = `00000000-0000-7000-8000-${String(seq).padStart(12, "0")}`;
  const bytes = JSON.stringify({ id, kind: "decided", tenant });
  const entryHash = hash("sha256", bytes, "buffer");
  const own = linkHash({ tenant, seq, entryId: id, prevHash, entryHash }).toString("hex");
  return {
    ...{
      id,
      seq,
      kind: "decided",
      ts: 0,
      sealedAt: 0,
      writer: "deciding",
      decisionId: null,
      capability: null,
      word: null,
      what: null,
    },
    ...{ effectIndex: null, hash: entryHash.toString("hex"), cause: null, bytes, body: {}, payload: null, payloadState: "none" },
    ...{ sealHash: own, prevHash: prevHash.toString("hex") },
  };
}

function chain(length: number): readonly LedgerEntryView[] {
  const entries: LedgerEntryView[] = [];
  for (let seq = 1; seq <= length; seq += 1) {
    const before = entries.at(-1)?.sealHash;
    entries.push(sealed(seq, before === undefined || before === null ? genesisHash : Buffer.from(before, "hex")));
  }
  return entries;
}

describe("an entry, computed anew in the browser", () => {
  const [entry] = chain(1);
  if (entry === undefined) throw new Error("no entry");

  it("holds as the ledger wrote and sealed it", async () => {
    expect(await checkEntry(entry, tenant)).toBeNull();
  });

  it.each([
    ["other bytes", { bytes: `${entry.bytes} ` }, "entry_altered"],
    ["another entry's bytes", { id: entry.id.replace(/1$/, "2") }, "entry_replaced"],
    ["another place", { seq: 2 }, "seal_altered"],
    ["another seal before", { prevHash: "11".repeat(32) }, "seal_altered"],
    ["no seal before", { prevHash: null }, "seal_altered"],
  ] as const)("does not hold with %s", async (_what, changed, fault) => {
    expect(await checkEntry({ ...entry, ...changed }, tenant)).toBe(fault);
  });

  it("does not hold in another tenant", async () => {
    expect(await checkEntry(entry, "acme")).toBe("entry_replaced");
  });
});

describe("what a page shows, computed anew", () => {
  const entries = chain(5);
  const head = entries[4]?.sealHash ?? null;
  const state = { head: 5, headHash: head } as Parameters<typeof checkShown>[0]["state"];
  const shown = (changed: ReadonlyMap<number, Partial<LedgerEntryView>>, headState = state) =>
    checkShown({
      lines: entries.toReversed(),
      tenant,
      state: headState,
      read: async (id) => {
        const one = entries.find((entry) => entry.id === id);
        if (one === undefined) throw new Error("no such entry");
        return { ...one, ...changed.get(one.seq ?? 0) };
      },
      onCount: () => undefined,
    });

  it("says how much of it was compared", async () => {
    expect(await shown(new Map())).toMatchObject({
      checked: 5,
      sealed: 5,
      from: 1,
      to: 5,
      joins: 4,
      isHead: true,
      faults: [],
      left: 0,
    });
  });

  it("names the entry that was changed, and the head that is not the desk's", async () => {
    const { faults } = await shown(new Map([[3, { bytes: "{}" }]]), { ...state, headHash: "00" } as typeof state);
    expect(faults.map(({ seq, fault }) => [seq, fault])).toEqual([
      [3, "entry_altered"],
      [5, "head_differs"],
    ]);
  });

  it("names the seal that continues another one than that before it", async () => {
    const other = sealed(4, Buffer.alloc(32, 7));
    const { faults, joins } = await shown(new Map([[4, other]]));
    expect(faults.map(({ seq, fault }) => [seq, fault])).toEqual([
      [4, "chain_broken"],
      [5, "chain_broken"],
    ]);
    expect(joins).toBe(2);
  });
});

describe("a checkpoint and its proofs", () => {
  const leaves = (size: number) => Array.from({ length: size }, (_, at) => `{"at":${at}}`);
  const leaf = (body: string) => leafHash(hash("sha256", body, "buffer"));

  function split(size: number): number {
    let at = 1;
    while (at * 2 < size) at *= 2;
    return at;
  }
  function rootOf(hashes: readonly Buffer[]): Buffer {
    const [only] = hashes;
    if (hashes.length === 1 && only !== undefined) return only;
    const at = split(hashes.length);
    return nodeHash(rootOf(hashes.slice(0, at)), rootOf(hashes.slice(at)));
  }
  function pathOf(index: number, hashes: readonly Buffer[]): readonly Buffer[] {
    if (hashes.length === 1) return [];
    const at = split(hashes.length);
    const [left, right] = [hashes.slice(0, at), hashes.slice(at)];
    return index < at ? [...pathOf(index, left), rootOf(right)] : [...pathOf(index - at, right), rootOf(left)];
  }
  function proofOf(index: number, size: number): InclusionProof {
    const bodies = leaves(size);
    const hashes = bodies.map(leaf);
    const checkpoint = signCheckpoint({ origin, size, root: rootOf(hashes) }, signing);
    const path = pathOf(index, hashes).map((one) => one.toString("hex"));
    return { kind: "inclusion", v: 1, tenant, entryId: "", body: bodies[index] ?? "", index, hashes: path, checkpoint };
  }

  it("leads from every entry of every tree to its root, and from nothing else", async () => {
    for (let size = 1; size <= 9; size += 1) {
      for (let index = 0; index < size; index += 1) {
        const proof = proofOf(index, size);
        expect(await leadsToRoot(proof), `${index} of ${size}`).toBe(true);
        expect(await leadsToRoot({ ...proof, body: `${proof.body} ` })).toBe(false);
        expect(await leadsToRoot({ ...proof, hashes: [...proof.hashes, "00".repeat(32)] })).toBe(false);
        if (size > 1) expect(await leadsToRoot({ ...proof, index: (index + 1) % size })).toBe(false);
      }
    }
  });

  it("is believed with the ledger's key alone", async () => {
    const text = signCheckpoint({ origin, size: 5, root: hash("sha256", "root", "buffer") }, signing);
    const key = noteKeyText({ name: origin, key: signing });
    expect(readCheckpoint(text)).toMatchObject({ origin, size: 5 });
    expect(await checkSignature(text, key)).toBe("good");
    expect(await checkSignature(text.replace("\n5\n", "\n6\n"), key)).toBe("bad");
    const other = { privateKey: generateKeyPairSync("ed25519").privateKey } as typeof signing;
    expect(await checkSignature(text, noteKeyText({ name: origin, key: other }))).toBe("bad");
  });
});
