import type { AnyEffect, Snapshot } from "../../contract/effect.ts";
import type { Json } from "../../contract/json.ts";
import type { Project } from "../../define/project.ts";
import type { ReleasePlace, ReleaseSample, ReleaseSamples } from "../../define/release.ts";
import type { DecisionStory } from "../../ledger/story.ts";
import type { Hands } from "../hands.ts";

/** A change that was proposed on a bench. */
export interface Proposed {
  readonly tenant: string;
  readonly decisionId: string;
  readonly environment: string;
}

/** What is wrong while a change is carried out. */
export interface Working extends Proposed {
  readonly hands: Hands;
  /** The writing credential is one that the target does not take. */
  readonly isCredentialSpoilt: boolean;
}

/**
 * A house of its own in which an effect is tried: a scratch database with all roles, a desk with made-up people, the real acting half.
 * Time is the store's and can be put forward.
 */
export interface Bench {
  readonly project: Project;
  readonly effect: AnyEffect;
  /** The project's own hands. */
  readonly hands: Hands;
  readonly samples: ReleaseSamples;
  /** Two tenants that share nothing. */
  readonly tenants: { readonly home: string; readonly other: string };
  /** A place that nothing was put to before. */
  readonly newPlace: (tenant: string) => ReleasePlace;
  /** Writes the proposal as the deciding half would. Throws `definition_invalid` where the effect's own functions fail on it. */
  readonly propose: (change: {
    readonly tenant: string;
    readonly environment: string;
    readonly effect: AnyEffect;
    readonly sample: ReleaseSample;
  }) => Promise<Proposed>;
  /** As many people sign as it takes. Throws what the desk refuses with. */
  readonly sign: (proposed: Proposed) => Promise<void>;
  /** Puts the clock forward, in milliseconds. */
  readonly pass: (ms: number) => void;
  /** Works until nothing of these is left to do, passing time where they wait for it. */
  readonly work: (working: Working) => Promise<void>;
  readonly story: (proposed: Proposed) => Promise<DecisionStory>;
  /** Whom the notices of a decision are for, as `kind to`. */
  readonly told: (proposed: Proposed) => Promise<readonly string[]>;
  /** One look through the effect's observing hand. */
  readonly look: (target: { readonly tenant: string; readonly params: Json }) => Promise<Snapshot>;
}
