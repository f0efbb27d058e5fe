import { z } from "zod";
import { usualAutonomy } from "../../contract/autonomy.ts";
import type { Capability } from "../../contract/capability.ts";
import { type Breach, onePpm } from "../../contract/words.ts";
import { editorIn } from "../../ledger/asker.ts";
import { numberAt, textAt } from "../../ledger/fields.ts";
import { readSeen, type SeenEntry, type SeenPlace } from "../../ledger/slices/read-seen.ts";
import {
  doReviewsDisagree,
  haveScoresDrifted,
  type ReviewWatch,
  type ScoreWatch,
  unreviewed,
  unwatched,
  watchReview,
  watchScore,
} from "../../ledger/slices/watch-scores.ts";
import { keepWatch } from "../../ledger/slices/write.ts";
import type { StandingSlice } from "../../ledger/slices.ts";
import type { Tx } from "../../store/database.ts";

/** What was seen of a slice since it was opened, and up to which place of the settled order. */
interface Watch extends SeenPlace {
  readonly scores: ScoreWatch | null;
  readonly reviews: ReviewWatch;
}

const kept = z.strictObject({
  xid: z.string().regex(/^[0-9]{1,20}$/),
  n: z.string().regex(/^[0-9]{1,20}$/),
  scores: z.strictObject({ seen: z.int(), lately: z.array(z.number()), wealth: z.number() }).nullable(),
  reviews: z.strictObject({ shown: z.int(), disagreed: z.int(), wealth: z.number() }),
});

/**
 * Looks at the decisions of an open slice that came since the last look, and at what people said of those that were drawn for them, and
 * keeps what was seen. Returns the breach with the entry by which it was plain; `null` where there is none.
 */
export async function watchSlice(
  tx: Tx,
  slice: StandingSlice,
  { autonomy = usualAutonomy }: Pick<Capability, "autonomy">,
): Promise<{ readonly breach: Breach; readonly cause: string } | null> {
  const before = watchOf(slice);
  const { entries, place } = await readSeen(tx, { slice, after: before });
  let watch: Watch = { ...before, ...place };
  for (const entry of entries) {
    watch = withEntry(watch, { entry, slice, barPpm: autonomy.leastAgreementPpm });
    if (watch.scores !== null && haveScoresDrifted(watch.scores)) return { breach: "scores_drifted", cause: entry.id };
    if (doReviewsDisagree(watch.reviews)) return { breach: "reviews_disagree", cause: entry.id };
  }
  // A place that moved a little and showed nothing is not worth a write each second.
  const isFar = BigInt(place.xid) - BigInt(before.xid) > 1_000n;
  if (slice.watch === null || entries.length > 0 || isFar) await keepWatch(tx, { ...slice, watch: JSON.stringify(watch) });
  return null;
}

function watchOf({ watch, evidence }: StandingSlice): Watch {
  const reference = evidence?.reference ?? null;
  const fresh: Watch = {
    ...{ xid: "0", n: "0", reviews: unreviewed },
    scores: reference === null ? null : unwatched(reference),
  };
  if (watch === null) return fresh;
  try {
    return kept.parse(JSON.parse(watch));
  } catch {
    // Nobody but the acting role writes it; what cannot be read is begun anew.
    return fresh;
  }
}

function withEntry(
  watch: Watch,
  { entry: { kind, body, decided }, slice, barPpm }: { entry: SeenEntry; slice: StandingSlice; barPpm: number },
): Watch {
  if (kind === "decided") {
    const ppm = numberAt(body, "confidencePpm");
    const reference = slice.evidence?.reference ?? null;
    const isOurs = isOf(body, slice) && editorIn(body) === null && body["verified"] === true;
    if (!isOurs || ppm === null || ppm > onePpm || reference === null || watch.scores === null) return watch;
    return { ...watch, scores: watchScore(watch.scores, ppm, reference) };
  }
  // The first effect's signature stands for all of them: a person signs them together.
  const isAnswer = kind !== "approved" || (numberAt(body, "effectIndex") ?? 0) === 0;
  if (decided === null || !isAnswer || !isOf(decided, slice) || textAt(decided, "rule") !== "audit_sample") return watch;
  return { ...watch, reviews: watchReview(watch.reviews, kind === "approved", barPpm) };
}

function isOf(body: SeenEntry["body"], { capabilityVersion, slice, basis, calibration }: StandingSlice): boolean {
  return (
    textAt(body, "capabilityVersion") === capabilityVersion &&
    textAt(body, "slice") === slice &&
    textAt(body, "basis") === basis &&
    textAt(body, "calibration") === calibration
  );
}
