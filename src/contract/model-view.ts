import type { ContractBreak, MigrationBounds, MigrationStage } from "./migration.ts";

/** What a definition asks a model for. `embedder`: vectors of passages; the collection is `of`. */
export const modelRoles = ["decides", "second", "judge", "retrieval", "intake", "embedder"] as const;

/** A model that something of the project names, with how it stands with its provider as the deciding half last found it. */
export interface ModelView {
  /** As it is booked, such as `openai/gpt-4.1-2025-04-14`. */
  readonly model: string;
  readonly provider: string;
  readonly id: string;
  /** Where it is named, and for what. `of` is a capability, or `null` for intake and embedders. */
  readonly uses: readonly { readonly of: string | null; readonly role: (typeof modelRoles)[number] }[];
  /** Its owners, by the definitions that name it. */
  readonly owners: readonly string[];
  /** Its id says one fixed version; `null` where nobody has looked. */
  readonly isPinned: boolean | null;
  /** `unknown` is not `active`: nobody was asked, or nobody says a thing of it. */
  readonly state: "unknown" | "active" | "deprecated" | "retired";
  /** Days, as `YYYY-MM-DD`; `null` where nobody says. */
  readonly shutdownOn: string | null;
  readonly daysLeft: number | null;
  /** The last day on which a fine-tuned one can be trained anew. */
  readonly lastTrainingOn: string | null;
  /** Where that is said. */
  readonly source: string | null;
  /** Its end is near or over: another one has to be tried. */
  readonly isDue: boolean;
  /** When that was looked up, in milliseconds since the epoch; `null` where it never was. */
  readonly checkedAt: number | null;
}

/** What the newest 2,000 trials of a migration came to, by its stage. Means in milliseconds and millionths of a currency unit. */
interface TrialFigures {
  readonly stage: "shadow" | "canary_share";
  readonly trials: number;
  readonly broken: number;
  readonly newFailed: number;
  readonly oldFailed: number;
  readonly disagreed: number;
  readonly meanProsePpm: number;
  readonly old: { readonly ms: number; readonly costMicros: number };
  readonly new: { readonly ms: number; readonly costMicros: number };
}

/** A capability's move from one model to another. */
export interface MigrationView {
  readonly id: string;
  readonly capability: string;
  readonly from: string;
  readonly to: string;
  readonly stage: MigrationStage;
  /** In shadow the part of decisions that is tried; else the part that the new model decides. */
  readonly sharePpm: number;
  readonly bounds: MigrationBounds;
  readonly rolledBackBy: "contract" | "failures" | "disagreement" | "person" | null;
  readonly madeAt: number;
  readonly stageAt: number;
  /** A person's signature that the new model decides is kept. */
  readonly isSigned: boolean;
  readonly trials: readonly TrialFigures[];
  /** What contracts broke by, the most frequent first, at most twenty. */
  readonly breaks: readonly { readonly kind: ContractBreak; readonly path: string; readonly trials: number }[];
}

/** The models of a project and the migrations of a tenant, those that go on first, then the newest; at most twenty. */
export interface ModelsView {
  readonly models: readonly ModelView[];
  readonly migrations: readonly MigrationView[];
}
