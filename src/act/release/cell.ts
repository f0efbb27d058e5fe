import type { CellResult } from "../../contract/release.ts";
import type { Bench } from "./bench.ts";
import type { Trial } from "./trial.ts";

/** What running a cell says; its name is added by the matrix. */
export type Said = Omit<CellResult, "cell">;
/** One cell of the matrix. */
export type Cell = (bench: Bench) => Promise<Said>;

/** One thing that must hold, with what is said where it does not. */
export type Demand = readonly [holds: boolean, otherwise: string];

/** Passes where all demands hold; else fails with the first that does not, and with what was seen. */
export function judged(trials: readonly Trial[], demands: readonly Demand[], says: string): Said {
  const broken = demands.find(([holds]) => !holds);
  if (broken === undefined) return { state: "passed", says };
  return { state: "failed", says: `${broken[1]} (${trials.map(seen).join("; ")})` };
}

/** The cell does not apply to this effect, for this reason. */
export function notApplicable(says: string): Said {
  return { state: "not_applicable", says };
}

/** The cell applies and nothing was given to try it on. */
export function noSample(member: string): Said {
  return { state: "no_sample", says: `\`sandbox.ts\` gives no \`${member}\` for this effect` };
}

function seen({ end, count, reached }: Trial): string {
  return `ended ${end}, the hand was called ${times(reached)}, the target holds it ${times(count)}`;
}

function times(count: number): string {
  return count === 1 ? "once" : `${count} times`;
}
