import type { Json } from "../contract/json.ts";

/** Where a sample is put: a tenant of the run's own, and a number that no other sample of the run has. */
export interface ReleasePlace {
  readonly tenant: string;
  readonly run: number;
  /** The administrator's login of the database that the sandbox was installed into. */
  readonly adminUrl: string;
}

/** A change to try, and who asks for it: the state before is read as they may see it. */
export interface ReleaseSample {
  readonly params: Json;
  readonly askedBy: { readonly id: string; readonly roles: readonly string[] };
}

/**
 * How the release matrix gets what it tries an effect on. Everything goes through the sandbox's own administrator: none of it uses the
 * effect's hands, so that these cannot vouch for themselves.
 */
export interface ReleaseSamples {
  /** Puts a target that was not changed yet into the sandbox, and returns what would change it. */
  readonly permitted: (place: ReleasePlace) => Promise<ReleaseSample>;
  /** How often the sandbox holds the change of a sample by now. */
  readonly count: (place: ReleasePlace, params: Json) => Promise<number>;
  /** The same as `permitted`, with what the effect's own `requires` or `limits.allows` must turn away. */
  readonly denied?: (place: ReleasePlace) => Promise<ReleaseSample>;
  /** Changes the target after people have signed, as somebody else would. */
  readonly makeStale?: (place: ReleasePlace, params: Json) => Promise<void>;
  /** Brings about the state in between of that name, see `recovery.partial`. */
  readonly makePartial?: (place: ReleasePlace, partial: { readonly name: string; readonly params: Json }) => Promise<void>;
}
