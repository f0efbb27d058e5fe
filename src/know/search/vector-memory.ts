// The vectors of documents in the memory of the process that decides. Who may see them is asked of the database at every search.
import { sql } from "kysely";
import type { Tx } from "../../store/database.ts";
import { valuesOf } from "./vector-bytes.ts";

/** The vectors of one document, by its number: of each passage that has one its position, and the values one after another. */
export interface DocumentVectors {
  readonly document: number;
  readonly positions: readonly number[];
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
  const memory: Memory = { shelves: new Map(), bytes: 0, mostBytes, idleMs, sweptAt: monotonic() };
  let hits = 0;
  let asked = 0;
  return {
    visit: async (of, wanted, visit) => {
      const now = monotonic();
      forgetIdle(memory, now);
      const shelf = shelfOf(memory, of);
      const missing: Wanted[] = [];
      for (const one of wanted) {
        const found = shelf.get(one.number);
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
        for (const found of await readVectors(of, part)) {
          visit(found);
          if (found.positions.length === passagesOf.get(found.document)) keep(memory, shelf, { ...found, usedAt: now });
        }
      }
    },
    stats: () => ({
      ...{ bytes: memory.bytes, hits, asked },
      documents: [...memory.shelves.values()].reduce((sum, { size }) => sum + size, 0),
    }),
  };
}

/** Documents by their numbers. */
type Shelf = Map<number, Kept>;

interface Memory {
  /** One for each tenant and embedder: what a search looks up in it are numbers alone. */
  readonly shelves: Map<string, Shelf>;
  bytes: number;
  readonly mostBytes: number;
  readonly idleMs: number;
  sweptAt: number;
}

function shelfOf({ shelves }: Memory, { tenant, vectors }: { readonly tenant: string; readonly vectors: string }): Shelf {
  const key = `${tenant} ${vectors}`;
  const shelf = shelves.get(key) ?? new Map<number, Kept>();
  shelves.set(key, shelf);
  return shelf;
}

function keep(memory: Memory, shelf: Shelf, found: Kept): void {
  const bytes = bytesOf(found);
  if (bytes > memory.mostBytes) return;
  if (memory.bytes + bytes > memory.mostBytes) makeRoom(memory, bytes);
  forget(memory, shelf, found.document);
  shelf.set(found.document, found);
  memory.bytes += bytes;
}

/** Makes a tenth of the memory free at once, so that not every document that comes in looks through all. */
function makeRoom(memory: Memory, bytes: number): void {
  const all = [...memory.shelves.values()].flatMap((shelf) => [...shelf.values()].map((kept) => ({ shelf, kept })));
  const target = Math.max(0, Math.min(memory.mostBytes * 0.9, memory.mostBytes - bytes));
  for (const { shelf, kept } of all.sort((a, b) => a.kept.usedAt - b.kept.usedAt)) {
    if (memory.bytes <= target) return;
    forget(memory, shelf, kept.document);
  }
}

function forgetIdle(memory: Memory, now: number): void {
  if (now - memory.sweptAt < memory.idleMs / 10) return;
  memory.sweptAt = now;
  for (const shelf of memory.shelves.values())
    for (const [document, { usedAt }] of shelf) if (now - usedAt > memory.idleMs) forget(memory, shelf, document);
}

function forget(memory: Memory, shelf: Shelf, document: number): void {
  const found = shelf.get(document);
  if (found === undefined) return;
  shelf.delete(document);
  memory.bytes -= bytesOf(found);
}

function bytesOf({ values, positions }: DocumentVectors): number {
  return values.byteLength + positions.length * bytesBeside;
}

async function readVectors(
  { tx, tenant, vectors, dimensions }: Parameters<VectorMemory["visit"]>[0],
  wanted: readonly Wanted[],
): Promise<readonly DocumentVectors[]> {
  // One row for a document: a row for each passage would take several times as long to read. In base64, which is a third shorter on its way
  // than the form of `bytea`. A vector of another length is none.
  const { rows } = await sql<{ document: number; positions: number[]; bytes: string }>`
    select passage.document, array_agg(passage.position order by passage.position) as positions,
      encode(string_agg(vector, ''::bytea order by passage.position), 'base64') as bytes
    from countersign.passage
    join countersign.passage_vector as kept on kept.tenant = passage.tenant and kept.passage = passage.number and kept.embedder = ${vectors}
    where passage.tenant = ${tenant} and passage.document = any (${wanted.map(({ number }) => number)}::integer[])
      and octet_length(kept.vector) = ${dimensions * 4}
    group by passage.document order by passage.document`.execute(tx);
  return rows.map(({ document, positions, bytes }) => ({
    document,
    positions,
    values: valuesOf(bytes, positions.length * dimensions),
  }));
}
