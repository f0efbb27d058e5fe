import type { Json } from "./json.ts";
import type { EntryKind, WriterRole } from "./words.ts";

/** Whether a tenant's ledger holds, by the check that goes on in the acting half; what the badge of every page tells. */
export interface LedgerState {
  /** The last place in the chain; 0 where nothing is sealed. */
  readonly head: number;
  /** The hash of the last seal, in hex; `null` where there is none. */
  readonly headHash: string | null;
  /**
   * `verified`: checked to the head. `checking`: checked to `verifiedTo`, and the rest is being checked. `unverified`: no check said anything of
   * late, or none goes on. `tampered`: an entry or the chain is not what was sealed.
   */
  readonly state: "verified" | "checking" | "unverified" | "tampered";
  readonly verifiedTo: number;
  /** When the check last looked, and when it last began at the first entry; milliseconds since the epoch. */
  readonly verifiedAt: number | null;
  readonly begunAt: number | null;
  readonly unsealed: { readonly count: number; readonly isOver: boolean; readonly oldestMs: number | null };
  readonly break: LedgerBreak | null;
  readonly checkpoint: CheckpointLine | null;
}

/** The first thing that was found to be wrong. */
interface LedgerBreak {
  /** `null` where no place says which. */
  readonly seq: number | null;
  readonly entryId: string | null;
  /** A word of docs/proofs.md or docs/errors.md. */
  readonly fault: string;
  readonly detail: string;
  readonly foundAt: number;
}

/** The newest checkpoint that was signed. */
interface CheckpointLine {
  /** The name under which it was signed. */
  readonly origin: string;
  /** How many entries it covers. */
  readonly size: number;
  readonly at: number;
  readonly keyId: string;
  /** Whether a witness outside took it: `none` where none is named. */
  readonly witness: "taken" | "refused" | "none";
  /** Entries after it: whoever owns the database and the key could still exchange those. */
  readonly uncovered: number;
}

/** The newest signed checkpoint as it was published, with the key that checks it. */
export interface CheckpointView extends CheckpointLine {
  /** The text of C2SP tlog-checkpoint. */
  readonly text: string;
  /** As `--key` of the verifiers takes it; take it from elsewhere than from here. */
  readonly noteKey: string;
}

/** One entry as a list tells it. */
export interface LedgerLine {
  readonly id: string;
  /** Its place in the chain; `null` until it is sealed. */
  readonly seq: number | null;
  readonly kind: EntryKind;
  /** When it was written, and when it was sealed; milliseconds since the epoch. */
  readonly ts: number;
  readonly sealedAt: number | null;
  readonly writer: WriterRole | "owner";
  readonly decisionId: string | null;
  readonly capability: string | null;
  /** The word that says more than the kind: a route, a verdict, a code, a reason for a stop; `null` where there is none. */
  readonly word: string | null;
  /** What it is about in a sentence, as far as this reader may see it. */
  readonly what: string | null;
  readonly effectIndex: number | null;
  /** SHA-256 over its bytes, in hex. */
  readonly hash: string;
}

/** One entry with its place in the chain, its bytes and what of its payload this reader may see. */
export interface LedgerEntryView extends LedgerLine {
  readonly cause: string | null;
  /** The canonical bytes that are hashed. */
  readonly bytes: string;
  readonly body: Json;
  /** Decrypted, by their names; `null` where none is kept, or none is open to this reader. */
  readonly payload: { readonly [name: string]: Json } | null;
  readonly payloadState: "none" | "kept" | "erased" | "unreadable";
  /** The seal's own hash and that of the one before, in hex; `null` until it is sealed. */
  readonly sealHash: string | null;
  readonly prevHash: string | null;
}

/** A proof that an entry stands in the tree of a checkpoint, in the form that the stand-alone verifiers read. */
export interface InclusionProof {
  readonly kind: "inclusion";
  readonly v: 1;
  readonly tenant: string;
  readonly entryId: string;
  readonly body: string;
  /** Counted from 0. */
  readonly index: number;
  readonly hashes: readonly string[];
  readonly checkpoint: string;
}
