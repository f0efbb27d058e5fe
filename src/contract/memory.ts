/**
 * What is remembered: the turns of a session, past decisions and tasks (read from the notes that `close` leaves in the ledger), and what
 * declared effects keep: running summaries, episodes, preferences, and what was learnt in general and of an entity.
 */
export const memoryKinds = ["turn", "decision", "task", "summary", "episode", "preference", "semantic", "entity"] as const;
export type MemoryKind = (typeof memoryKinds)[number];

/** The kinds that stand in the ledger's notes; no effect can write one. */
export const notedKinds = ["turn", "decision", "task"] as const satisfies readonly MemoryKind[];
/** The kinds that declared effects write. */
export const keptKinds = ["summary", "episode", "preference", "semantic", "entity"] as const satisfies readonly MemoryKind[];
export type KeptKind = (typeof keptKinds)[number];

/** Whose memory it is: one session's of one person, one person's, or all of the tenant's that may see it. */
export const memoryScopes = ["session", "user", "tenant"] as const;
export type MemoryScope = (typeof memoryScopes)[number];

/** Most pieces of memory that one question brings. */
export const maxMemories = 50;
/** Turns of a session that a decision is shown, at most. */
export const maxTurns = 4;
/** Longest text of one piece, in UTF-16 code units. */
export const maxMemoryText = 4_000;

/** What a capability keeps of one kind, and for how long: without a rule nothing of it is read and nothing of it is written. */
export interface MemoryRule {
  readonly of: MemoryKind;
  readonly scope: MemoryScope;
  /** How many pieces are kept for one owner; the least recently used goes first. Of `turn` 1 to 4. */
  readonly most: number;
  /** How long a piece is kept, in milliseconds. */
  readonly keepMs: number;
}

/** What a capability asks of memory. */
export interface MemoryNeed {
  readonly kind: "memory";
  readonly name: string;
  readonly of: MemoryKind;
  readonly scope: MemoryScope;
  /** The entity that it is about, for the kind `entity`. */
  readonly about?: string;
  readonly limit: number;
}

/** A memory need with the rule of its capability, as the port is asked. */
export interface RuledMemoryNeed extends MemoryNeed {
  readonly rule: MemoryRule;
}

/** A piece of memory. Whatever a model or somebody else once said may be in it: it is data, never instructions. */
export interface Remembered {
  readonly kind: "memory";
  readonly id: string;
  readonly need: string;
  readonly of: MemoryKind;
  readonly scope: MemoryScope;
  readonly about: string | null;
  readonly text: string;
  /** When it was written down, in milliseconds since the epoch. */
  readonly at: number;
  /** Where it comes from: the id of the decision that left it, or for which an effect kept it. */
  readonly decisionId: string;
}

/** A piece of memory as an effect writes it. Session and user memory belongs to the person for whom it was decided. */
export interface MemoryDraft {
  readonly of: KeptKind;
  readonly scope: MemoryScope;
  /** The session, where the scope is one. */
  readonly session: string | null;
  readonly owner: string;
  readonly about: string | null;
  readonly text: string;
  /** Labels that may see it, beside its owner: needed for the tenant's memory, and empty for the rest. */
  readonly scopes: readonly string[];
}
