import type { Json, JsonObject } from "./json.ts";
import type { ValueType } from "./plan.ts";
import type { Schema } from "./schema.ts";
import type { Dedupe, ParamClass, Risk, SideEffect, SourceKind } from "./words.ts";

/** The state of one thing in the world as an effect sees it; `null` where the thing does not exist. */
export type Snapshot = JsonObject | null;

/** What one top-level param of an effect is for, and which sources are good enough for it without a person. */
export interface ParamRule {
  readonly class: ParamClass;
  readonly sources: readonly SourceKind[];
  /** What a span of the request must look like to fill it, where plans may propose the effect; plain text where it is left out. */
  readonly type?: ValueType;
  /** A list of values whose order means nothing. */
  readonly many?: boolean;
  /** May be left out of a plan and of what is proposed. */
  readonly optional?: boolean;
  /** Values that are good enough whatever the request says, such as the words of a closed list. */
  readonly constants?: readonly Json[];
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
    /** Numbers that may have moved since they were approved, and by how much; every other field must be as it was. */
    readonly tolerance?: { readonly [field: string]: Tolerance };
  };
  /** The exact state after, by the names of the fields; other fields must stay unless listed in `mayChange`. */
  readonly expect: {
    readonly state: (params: P, before: Snapshot) => JsonObject;
    readonly mayChange: readonly string[];
    readonly deadlineMs: number;
  };
  /** How what went wrong is undone; without it a person is called. */
  readonly compensate?: Compensation<P>;
  readonly recovery?: Recovery<P>;
  readonly limits?: EffectLimits<P>;
  readonly environments: readonly string[];
}

/** How far a number may have moved since it was approved: a share of the approved number, in parts per million. */
export interface Tolerance {
  readonly ppm: number;
}

/** What went wrong, as its compensation is given it. */
export interface Wrong<P> {
  readonly params: P;
  readonly before: Snapshot;
  /** What was last seen; `null` where the thing is not there. */
  readonly observed: Snapshot;
}

/** Another effect that undoes this one: with a contract and hands of its own, proposed anew and signed for itself. */
export interface Compensation<P = Json> {
  readonly effect: AnyEffect;
  readonly params: (wrong: Wrong<P>) => Json;
}

/** What is done when the first send did not bring the expected state. */
export interface Recovery<P = Json> {
  /** Most sends of one operation, the first included; counted in the operation's row before each. */
  readonly maxSends: number;
  /** States in between that are known by name, tried in order; where none holds, a partial change is waited for until the deadline. */
  readonly partial: readonly PartialState<P>[];
}

/** A state between before and after, and what it means. */
export interface PartialState<P = Json> {
  readonly name: string;
  readonly holds: (observed: Snapshot, params: P) => boolean;
  readonly means: "wait" | "compensate" | "escalate";
}

/** What holds for an effect whoever asks and whoever signs. */
export interface EffectLimits<P = Json> {
  /** Most operations of this effect that a tenant may begin within an hour; what is over it waits. */
  readonly perHour?: number;
  /** Says whether a target is one that this effect may be used on. */
  readonly allows?: (params: P) => boolean;
}

/** An effect whose params type is not known where it is used; made by `defineEffect`, which keeps the parts consistent. */
export type AnyEffect = Effect<Json>;
