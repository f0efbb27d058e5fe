import type { ModelChoice } from "./capability.ts";

/** How far a migration of a capability from one model to another is; in this order, but that it may be rolled back from any. */
export const migrationStages = ["planned", "shadow", "canary_share", "rolled_back", "retired"] as const;
export type MigrationStage = (typeof migrationStages)[number];

/** A migration as the deciding half goes by it: in shadow, or with a share that the new model decides. */
export interface RunningMigration {
  readonly id: string;
  readonly tenant: string;
  readonly capability: string;
  readonly from: Pick<ModelChoice, "provider" | "id">;
  readonly to: Pick<ModelChoice, "provider" | "id"> & Partial<ModelChoice>;
  readonly stage: "shadow" | "canary_share";
  /** In shadow the part of decisions that is tried; else the part that the new model decides. */
  readonly sharePpm: number;
  /** What the old model's replies look like, by path. */
  readonly usual: ReadonlyMap<string, ReadonlySet<string>>;
  /** What a person signed so that the new model decides; `null` in shadow. */
  readonly grant: { readonly text: string; readonly keyId: string; readonly signature: string } | null;
}

/** What a contract of a reply can break by; prose is no part of a contract. */
export const contractBreaks = [
  /** A reply did not fit the schema, where the other model's did. */
  "schema",
  /** Another tool, or another effect. */
  "name",
  /** A member that the other model gives is not there, or one is there that it never gives. */
  "missing",
  "added",
  /** A value of another type: a text for a number, a list for one. */
  "type",
  /** A text of another form: a date written otherwise, an id in upper case, an amount with its currency. */
  "form",
] as const;
export type ContractBreak = (typeof contractBreaks)[number];

/** One break: where, by a path into the decision, an effect's params or a tool's arguments. Holds no value of either. */
export interface ContractDifference {
  readonly kind: ContractBreak;
  readonly path: string;
}

/** What one model's walk of one request took. Times in milliseconds, cost in millionths of a currency unit. */
export interface WalkFigures {
  readonly ms: number;
  readonly costMicros: number;
  readonly requests: number;
  readonly inputTokens: number;
  readonly cachedTokens: number;
  readonly cacheWriteTokens: number;
  readonly outputTokens: number;
  readonly reasoningTokens: number;
}

/** What became of one request under both models. It holds words of closed lists, paths and figures, and nothing that was decided. */
export interface TrialResult {
  readonly differences: readonly ContractDifference[];
  /** No reply came, or nothing was decided for want of one: of the old model, of the new one. */
  readonly oldFailed: boolean;
  readonly newFailed: boolean;
  /** The same decision: label, stop and effects with their params. */
  readonly agrees: boolean;
  /** How alike the prose is, in parts per million; never counted as a contract. */
  readonly prosePpm: number;
  readonly old: WalkFigures;
  readonly new: WalkFigures;
}

/** A trial as it is recorded: the decision that both models walked, and how the two compare. */
export interface MigrationTrial {
  readonly migration: RunningMigration;
  readonly decisionId: string;
  readonly result: TrialResult;
}

/** What a deciding process reads and records of migrations. */
export interface ModelMigrations {
  /** The migrations of one tenant that go on. */
  readonly running: (tenant: string) => Promise<readonly RunningMigration[]>;
  /** Records one trial; gives the stage in which the migration is then, rolled back where a bound is broken. */
  readonly record: (trial: MigrationTrial) => Promise<MigrationStage | null>;
  /** Whether a person signed that the new model decides, for this very migration and share. */
  readonly isGranted: (migration: RunningMigration) => boolean;
}

/** When a canary by share is rolled back by itself, besides the first break of a contract. Parts per million of its trials. */
export interface MigrationBounds {
  /** Fewer trials say nothing of a share. */
  readonly leastTrials: number;
  readonly mostFailedPpm: number;
  readonly mostDisagreePpm: number;
}
