import type { Json, JsonObject } from "./json.ts";
import type { Schema } from "./schema.ts";
import type { Dedupe, ParamClass, Risk, SideEffect, SourceKind } from "./words.ts";

/** The state of one thing in the world as an effect sees it; `null` where the thing does not exist. */
export type Snapshot = JsonObject | null;

/** What one top-level param of an effect is for, and which sources are good enough for it without a person. */
export interface ParamRule {
  readonly class: ParamClass;
  readonly sources: readonly SourceKind[];
}

/** A precondition in code: `holds` over params and the state before. */
export interface Requirement<P = Json> {
  readonly name: string;
  readonly holds: (params: P, before: Snapshot) => boolean;
}

/**
 * A pure contract for one change: what may change, and what must be true afterwards. Its hands are separate code.
 * Made by `defineEffect`; imported by both halves.
 */
export interface Effect<P = Json> {
  readonly name: string;
  readonly version: string;
  /** Who is called when it goes wrong. */
  readonly owner: string;
  readonly params: Schema<P>;
  /** One rule per top-level param; an undeclared param counts as a `target` that no source but the principal's own may fill. */
  readonly paramRules: { readonly [param: string]: ParamRule };
  readonly sideEffect: SideEffect;
  readonly risk: (params: P) => Risk;
  readonly reversible: boolean;
  /** One sentence for the person who signs, such as "Order a replacement for laptop LT-1042". */
  readonly describe: (params: P) => string;
  /** The business key, without version and without personal data in clear. */
  readonly key: (params: P) => string;
  readonly dedupe: Dedupe;
  /** How long after the last possible send "not there" is not yet proof, in milliseconds. */
  readonly settleMs: number;
  /** How long one call of `apply` may take before its outcome counts as unknown, in milliseconds. */
  readonly timeoutMs: number;
  readonly requires: readonly Requirement<P>[];
  /** The state before: a named record query, run by each half under its own reading credential, and a projection. */
  readonly before: {
    readonly query: string;
    readonly params: (params: P) => JsonObject;
    readonly project: (rows: readonly JsonObject[]) => Snapshot;
  };
  /** The exact state after, by the names of the fields; other fields must stay unless listed in `mayChange`. */
  readonly expect: {
    readonly state: (params: P, before: Snapshot) => JsonObject;
    readonly mayChange: readonly string[];
    readonly deadlineMs: number;
  };
  readonly environments: readonly string[];
}

/** An effect whose params type is not known where it is used; made by `defineEffect`, which keeps the parts consistent. */
export type AnyEffect = Effect<Json>;
