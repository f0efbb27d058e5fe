// How records of postings stand together in blocks. A block holds the documents from its first number on, up to that of the next one. Pure.
import { type DocumentRecord, splitRecords } from "./posting-bytes.ts";

/** The longest block of several records, in bytes. Filing writes the last block of each term anew, so a longer one costs more than it saves. */
export const mostOfBlock = 900;

/** How much of a block that is parted goes into the first part; a little more than half, so that there are two. */
const shareOfFirst = 0.6;

/** What one term says of one document of an audience, packed. */
export interface TermRecord extends DocumentRecord {
  readonly term: string;
  readonly audience: number;
}

/** Neighbouring records of one term and audience. */
export interface Block {
  readonly term: string;
  readonly audience: number;
  /** The number that its documents begin at. */
  readonly first: number;
  readonly records: Uint8Array;
}

/** A block that is added, and whether it is the first one of its term and audience, which an older block may take up. */
export interface AddedBlock extends Block {
  readonly isFirst: boolean;
}

/** Packs records into blocks, those of one term and audience in the order in which they come. */
export function blocksOf(records: readonly TermRecord[]): readonly AddedBlock[] {
  const groups = new Map<string, TermRecord[]>();
  for (const record of records) {
    const key = `${record.audience} ${record.term}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [record]);
    else group.push(record);
  }
  return [...groups.values()].flatMap((group) => partsOf(group).map((part, at) => ({ ...blockOf(part), isFirst: at === 0 })));
}

/** The records of a block without some documents, and what was taken; the first part is `null` where nothing is left. */
export function takeFrom(
  block: Block,
  documents: ReadonlySet<number>,
): { readonly left: Block | null; readonly taken: readonly TermRecord[] } {
  const { term, audience } = block;
  const all = splitRecords(block.records).map((record) => ({ term, audience, ...record }));
  const left = all.filter(({ document }) => !documents.has(document));
  const taken = all.filter(({ document }) => documents.has(document));
  return { left: left.length === 0 ? null : { ...blockOf(left), first: block.first }, taken };
}

/** A block with one record more; where it would be too long, as two that have room for others, or as more where records are long. */
export function addTo(block: Block, added: TermRecord): readonly Block[] {
  const { term, audience, first } = block;
  const all = splitRecords(block.records).map((record) => ({ term, audience, ...record }));
  const after = all.findIndex(({ document }) => document > added.document);
  const records = all.toSpliced(after === -1 ? all.length : after, 0, added);
  const bytes = block.records.length + added.record.length;
  const most = bytes <= mostOfBlock ? mostOfBlock : Math.min(mostOfBlock, Math.ceil(bytes * shareOfFirst));
  return partsOf(records, most).map((part, at) => ({
    ...blockOf(part),
    ...(at === 0 ? { first: Math.min(first, added.document) } : {}),
  }));
}

function blockOf(records: readonly TermRecord[]): Block {
  const [first] = records;
  if (first === undefined) throw new RangeError("a block holds a record");
  const { term, audience, document } = first;
  return { term, audience, first: document, records: Buffer.concat(records.map(({ record }) => record)) };
}

/** Parts of records of one term and audience, each as long as a block may be. */
function partsOf(records: readonly TermRecord[], most = mostOfBlock): readonly (readonly TermRecord[])[] {
  const parts: TermRecord[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const record of records) {
    bytes += record.record.length;
    if (bytes > most) {
      parts.push([]);
      bytes = record.record.length;
    }
    parts.at(-1)?.push(record);
  }
  return parts;
}
