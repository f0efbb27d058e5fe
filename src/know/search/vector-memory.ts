// The vectors of documents in the memory of the process that decides. Who may see them is asked of the database at every search.
import { sql } from "kysely";
import type { Tx } from "../../store/database.ts";
import { valuesOfBytes } from "./vector-bytes.ts";

/** The vectors of one document: of each passage that has one its number, and its values one after another. */
export interface DocumentVectors {
  readonly passages: readonly string[];
  readonly values: Float32Array;
}

/** A document whose vectors are wanted. */
export interface Wanted {
  /** Never used again for another document or another text: a version that is filed anew gets a new number. */
  readonly number: number;
  /** How many passages it has; while fewer have a vector it is read anew each time. */
  readonly passages: number;
}

/** Vectors that were read before. */
export interface VectorMemory {
  /** Hands over the vectors of each document that has any, in the order of `wanted`; what is not here is read, a part at a time. */
  readonly visit: (
    of: { readonly tx: Tx; readonly tenant: string; readonly vectors: string; readonly dimensions: number },
    wanted: readonly Wanted[],
    visit: (found: DocumentVectors) => void,
  ) => Promise<void>;
  /** How much is held, and how many documents were here of those that were asked for. */
  readonly stats: () => { readonly bytes: number; readonly documents: number; readonly hits: number; readonly asked: number };
}

interface Kept extends DocumentVectors {
  usedAt: number;
}

/** Documents that are read at once. */
const readAtOnce = 200;
/** What a passage takes beside its values, in bytes, roughly. */
const bytesBeside = 40;

/**
 * Opens a memory of at most `mostBytes`; what was used longest ago goes first, and what nobody asked for within `idleMs` goes with the
 * next search, so that what was removed from the index does not stay.
 */
export function openVectorMemory({
  mostBytes = 256 * 1024 * 1024,
  idleMs = 10 * 60_000,
  monotonic,
}: {
  mostBytes?: number;
  idleMs?: number;
  monotonic: () => number;
}): VectorMemory {
  const memory: Memory = { kept: new Map(), bytes: 0, mostBytes, idleMs, sweptAt: monotonic() };
  let hits = 0;
  let asked = 0;
  return {
    visit: async (of, wanted, visit) => {
      const now = monotonic();
      forgetIdle(memory, now);
      const key = (number: number) => `${of.tenant} ${of.vectors} ${number}`;
      const missing: Wanted[] = [];
      for (const one of wanted) {
        const found = memory.kept.get(key(one.number));
        if (found === undefined) {
          missing.push(one);
          continue;
        }
        found.usedAt = now;
        hits += 1;
        visit(found);
      }
      asked += wanted.length;
      for (let at = 0; at < missing.length; at += readAtOnce) {
        const part = missing.slice(at, at + readAtOnce);
        const passagesOf = new Map(part.map(({ number, passages }) => [number, passages]));
        for (const { document, ...found } of await readVectors(of, part)) {
          visit(found);
          if (found.passages.length === passagesOf.get(document)) keep(memory, key(document), { ...found, usedAt: now });
        }
      }
    },
    stats: () => ({ bytes: memory.bytes, documents: memory.kept.size, hits, asked }),
  };
}

interface Memory {
  readonly kept: Map<string, Kept>;
  bytes: number;
  readonly mostBytes: number;
  readonly idleMs: number;
  sweptAt: number;
}

function keep(memory: Memory, key: string, found: Kept): void {
  const bytes = bytesOf(found);
  if (bytes > memory.mostBytes) return;
  if (memory.bytes + bytes > memory.mostBytes) makeRoom(memory, bytes);
  forget(memory, key);
  memory.kept.set(key, found);
  memory.bytes += bytes;
}

/** Makes a tenth of the memory free at once, so that not every document that comes in looks through all. */
function makeRoom(memory: Memory, bytes: number): void {
  const oldest = [...memory.kept].sort(([, a], [, b]) => a.usedAt - b.usedAt);
  const target = Math.max(0, Math.min(memory.mostBytes * 0.9, memory.mostBytes - bytes));
  for (const [key] of oldest) {
    if (memory.bytes <= target) return;
    forget(memory, key);
  }
}

function forgetIdle(memory: Memory, now: number): void {
  if (now - memory.sweptAt < memory.idleMs / 10) return;
  memory.sweptAt = now;
  for (const [key, { usedAt }] of memory.kept) if (now - usedAt > memory.idleMs) forget(memory, key);
}

function forget(memory: Memory, key: string): void {
  const found = memory.kept.get(key);
  if (found === undefined) return;
  memory.kept.delete(key);
  memory.bytes -= bytesOf(found);
}

function bytesOf({ values, passages }: DocumentVectors): number {
  return values.byteLength + passages.length * bytesBeside;
}

interface ReadVectors extends DocumentVectors {
  readonly document: number;
}

async function readVectors(
  { tx, tenant, vectors, dimensions }: Parameters<VectorMemory["visit"]>[0],
  wanted: readonly Wanted[],
): Promise<readonly ReadVectors[]> {
  // One row for a document: a row for each passage would take several times as long to read. A vector of another length is none.
  const { rows } = await sql<{ document: number; passages: string[]; bytes: Buffer }>`
    select passage.document, array_agg(passage.number::text order by passage.position) as passages,
      string_agg(vector, ''::bytea order by passage.position) as bytes
    from countersign.passage
    join countersign.passage_vector as kept on kept.tenant = passage.tenant and kept.passage = passage.number and kept.embedder = ${vectors}
    where passage.tenant = ${tenant} and passage.document = any (${wanted.map(({ number }) => number)}::integer[])
      and octet_length(kept.vector) = ${dimensions * 4}
    group by passage.document order by passage.document`.execute(tx);
  return rows.map(({ document, passages, bytes }) => ({ document, passages, values: valuesOfBytes(bytes) }));
}
