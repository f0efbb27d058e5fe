/** A figure of a run: the mean of a metric, of all cases or of one capability or slice. Times in milliseconds, shares from 0 to 1. */
interface EvalFigure {
  readonly capability: string | null;
  readonly slice: string | null;
  readonly metric: string;
  readonly value: number | null;
  readonly cases: number;
}

/** One run of the project's eval sets, as it was kept. Times are milliseconds since the epoch. */
export interface EvalRunView {
  readonly id: string;
  readonly project: string;
  readonly startedAt: number;
  readonly endedAt: number;
  /** SHA-256 over the cases, in hex: runs are compared over the same ones. */
  readonly setDigest: string;
  readonly repeats: number;
  readonly cases: number;
  readonly passedCases: number;
  /** Some case was left out by choice. */
  readonly isSelection: boolean;
  /** `null` where no gate was asked. */
  readonly gatePassed: boolean | null;
  readonly capabilities: {
    readonly [name: string]: { readonly version: string; readonly prompt: string | null; readonly model: string | null };
  };
  readonly figures: readonly EvalFigure[];
}

/** One run with the cases that failed, by name, and what the gate did not let pass. */
export interface EvalRunDetail extends EvalRunView {
  readonly failing: readonly {
    readonly id: string;
    readonly capability: string | null;
    readonly slice: string | null;
    readonly label: string;
    readonly metrics: readonly string[];
  }[];
  readonly findings: readonly {
    readonly rule: string;
    readonly metric: string | null;
    readonly capability: string | null;
    readonly slice: string | null;
    readonly value: number | null;
    readonly floor: number | null;
  }[];
}
