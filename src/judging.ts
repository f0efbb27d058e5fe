/**
 * Builds the door through which judges are asked: the project's own providers behind the privacy boundary, and a budget. It opens no
 * system of record and no database; nothing that acts or signs can be reached from here.
 */
import type { Vault } from "./contract/ports.ts";
import type { PrivacyFiles } from "./contract/privacy.ts";
import type { DecidingParts } from "./define/deciding.ts";
import type { Score } from "./evals/eval-run.ts";
import { judgePlayed } from "./evals/judges/judge-played.ts";
import type { Rubric } from "./evals/judges/rubric.ts";
import type { Played, PlayTask } from "./evals/played.ts";
import { openModels } from "./gateway/open-models.ts";
import { openPrices } from "./guard/budget/prices.ts";
import { openRunMeter, uncapped } from "./guard/budget/run-meter.ts";
import { systemClock, systemDeadline } from "./store/clock.ts";
import { readPublicKeys, signedUnder } from "./store/signature.ts";

/** What judges are opened from. */
export interface JudgingOptions {
  /** The project's name, for which exemptions from the privacy boundary are signed. */
  readonly project: string;
  /** The default export of the project's `decide.ts`. */
  readonly parts: Pick<DecidingParts, "providers" | "recogniser" | "modelTimes">;
  readonly rubrics: readonly Rubric[];
  readonly vault: Vault;
  readonly privacy: PrivacyFiles;
  /** The text of a file of prices that goes before the shipped ones. */
  readonly prices?: string | null;
  /** Most that all judges of a run may cost together, in millionths; left out, money is not capped. */
  readonly costMicros?: number;
}

/** Scores one repeat by every rubric of its capability. */
export type ScoreByJudges = (task: PlayTask, played: Pick<Played, "outcome" | "items">) => Promise<readonly Score[]>;

/** A run asks judges as often as it has repeats, so these stop only what has run wild. */
const caps = { turns: 50_000, toolCalls: 0, tokens: 500_000_000, ms: 24 * 60 * 60 * 1000, children: 0 } as const;

/** Opens the judges of a run. Throws what `openModels` throws: a judge whose model cannot be asked is told before anything is run. */
export function openJudging({
  project,
  parts,
  rubrics,
  vault,
  privacy,
  prices = null,
  costMicros = uncapped,
}: JudgingOptions): ScoreByJudges {
  const model = openModels({
    ...{ listed: parts.providers, vault, project, privacy, recogniser: parts.recogniser },
    ...{ clock: systemClock, deadline: systemDeadline, random: Math.random, ...parts.modelTimes },
    models: rubrics.map(({ name, model: choice }) => ({ of: `judge ${name}`, model: choice })),
    isSigned: signedUnder(readPublicKeys(privacy.publicKeys)),
  });
  const meter = openRunMeter({
    caps: { ...caps, costMicros },
    prices: openPrices({ override: prices, now: systemClock.now }),
    clock: systemClock,
  });
  return (task, played) => judgePlayed(task, played, { rubrics, parts: { model, meter } });
}
