import type { Json, JsonObject } from "./json.ts";
import type { EntryKind, WriterRole } from "./words.ts";

/** An entry before it is written: what happened, to which decision, following which entry. No personal data, no floats. */
export interface EntryDraft {
  /** Made by the caller, so that a lost commit outcome can be looked up before writing again. */
  readonly id: string;
  readonly tenant: string;
  readonly kind: EntryKind;
  /** Milliseconds since the epoch. */
  readonly ts: number;
  /** The role that writes it; `owner` where whoever runs the installation does, as in a restore. */
  readonly writer: WriterRole | "owner";
  /** The decision it belongs to; `null` for what concerns the tenant, such as a slice that was opened. */
  readonly decisionId: string | null;
  /** The entry that it follows. */
  readonly cause: string | null;
  /** Facts of this kind of entry; ids, words, integers and digests. */
  readonly facts: JsonObject;
  /** Bodies that are too long or too personal for the entry: kept encrypted in the payload, committed to here. */
  readonly bodies: { readonly [name: string]: Json };
}

/** The stored form: canonical bytes (RFC 8785) and SHA-256 over them in hex. */
export interface WrittenEntry {
  readonly id: string;
  readonly bytes: string;
  readonly hash: string;
}
