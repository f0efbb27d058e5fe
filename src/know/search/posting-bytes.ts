// Postings as the database keeps them: one record for each document that a term says something of, packed, and readable alone.
import { CountersignError } from "../../contract/errors.ts";
import type { PassageEntry, Posting } from "./impacts.ts";

/** The mark of an own entry, above a score of 15 bits. */
const ownMark = 32_768;

/**
 * Packs what a term says of one document. A record is the number of the document in 4 bytes, the length of the rest, and the rest: of each
 * section its number, its score and how many entries follow, and of each of those its position and score. Numbers of sections and
 * positions are differences from the one before, 7 bits in a byte, as few bytes as it takes; scores are 2 bytes. An entry that is not own
 * may stand with any section: nothing is found by it.
 */
export function packRecord(document: number, { passages, sections }: Posting): Uint8Array {
  const bytes: number[] = [];
  let section = 0;
  let position = 0;
  let at = 0;
  const pushEntry = (entry: PassageEntry): void => {
    pushNumber(bytes, entry.position - position);
    pushScore(bytes, entry.score + (entry.isOwn ? ownMark : 0));
    position = entry.position;
  };
  for (const [place, own] of sections.entries()) {
    const next = sections[place + 1]?.section ?? Number.POSITIVE_INFINITY;
    const from = at;
    while (at < passages.length && (passages[at]?.section ?? 0) < next) at += 1;
    pushNumber(bytes, own.section - section);
    pushScore(bytes, own.score);
    pushNumber(bytes, at - from);
    passages.slice(from, at).forEach(pushEntry);
    section = own.section;
  }
  if (at < passages.length) throw damaged("a term stands in passages and in no section");
  const head = [document >>> 24, (document >>> 16) & 255, (document >>> 8) & 255, document & 255];
  pushNumber(head, bytes.length);
  const record = new Uint8Array(head.length + bytes.length);
  record.set(head);
  record.set(bytes, head.length);
  return record;
}

/** Is told what stands in records, in their order. */
export interface RecordReader {
  /** Answers whether the record of this document is wanted; any other is passed over. */
  readonly document: (document: number) => boolean;
  readonly section: (section: number, score: number) => void;
  /** `section` is -1 where the term stands in the passage's window alone. */
  readonly passage: (position: number, section: number, score: number) => void;
}

/** Reads records that stand one after another. Throws `index_incomplete` where they end too early or hold what no record holds. */
export function readRecords(bytes: Uint8Array, reader: RecordReader): void {
  const cursor: Cursor = { bytes, at: 0 };
  while (cursor.at < bytes.length) {
    const document = takeDocument(cursor);
    const length = takeNumber(cursor);
    const end = cursor.at + length;
    if (end > bytes.length) throw damaged("a record of the index ends too early");
    if (reader.document(document)) readSections(cursor, end, reader);
    else cursor.at = end;
    if (cursor.at !== end) throw damaged("a record of the index has another length than it says");
  }
}

/** One record by itself. */
export interface DocumentRecord {
  readonly document: number;
  readonly record: Uint8Array;
}

/** Cuts records apart; the bytes of each stay those of `bytes`. */
export function splitRecords(bytes: Uint8Array): readonly DocumentRecord[] {
  const records: DocumentRecord[] = [];
  const cursor: Cursor = { bytes, at: 0 };
  while (cursor.at < bytes.length) {
    const from = cursor.at;
    const document = takeDocument(cursor);
    const length = takeNumber(cursor);
    cursor.at += length;
    if (cursor.at > bytes.length) throw damaged("a record of the index ends too early");
    records.push({ document, record: bytes.subarray(from, cursor.at) });
  }
  return records;
}

/** In how many passages of these records the term finds. */
export function countOwn(bytes: Uint8Array): number {
  let own = 0;
  const count = (_position: number, section: number): void => {
    if (section !== -1) own += 1;
  };
  readRecords(bytes, { document: () => true, section: () => {}, passage: count });
  return own;
}

interface Cursor {
  readonly bytes: Uint8Array;
  at: number;
}

function readSections(cursor: Cursor, end: number, reader: RecordReader): void {
  let section = 0;
  let position = 0;
  while (cursor.at < end) {
    section += takeNumber(cursor);
    reader.section(section, takeScore(cursor));
    for (let left = takeNumber(cursor); left > 0 && cursor.at < end; left -= 1) {
      position += takeNumber(cursor);
      const score = takeScore(cursor);
      if (score >= ownMark) reader.passage(position, section, score - ownMark);
      else reader.passage(position, -1, score);
    }
  }
}

function pushNumber(bytes: number[], value: number): void {
  let rest = value;
  while (rest > 127) {
    bytes.push((rest & 127) | 128);
    rest >>>= 7;
  }
  bytes.push(rest);
}

function pushScore(bytes: number[], score: number): void {
  bytes.push(score >>> 8, score & 255);
}

function takeDocument(cursor: Cursor): number {
  const { bytes, at } = cursor;
  cursor.at = at + 4;
  return ((byteAt(bytes, at) << 24) | (byteAt(bytes, at + 1) << 16) | (byteAt(bytes, at + 2) << 8) | byteAt(bytes, at + 3)) >>> 0;
}

function takeNumber(cursor: Cursor): number {
  let value = 0;
  for (let shift = 0; shift < 32; shift += 7) {
    const byte = byteAt(cursor.bytes, cursor.at);
    cursor.at += 1;
    value |= (byte & 127) << shift;
    if (byte < 128) return value >>> 0;
  }
  throw damaged("a record of the index holds a number that is none");
}

function takeScore(cursor: Cursor): number {
  const score = (byteAt(cursor.bytes, cursor.at) << 8) | byteAt(cursor.bytes, cursor.at + 1);
  cursor.at += 2;
  return score;
}

/** Beyond the end there are no bytes: what was cut off is found by its length. */
function byteAt(bytes: Uint8Array, at: number): number {
  return bytes[at] ?? 0;
}

function damaged(what: string): CountersignError {
  return new CountersignError("index_incomplete", `${what}; rebuild the index`);
}
