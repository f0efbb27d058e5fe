import { usualAutonomy } from "../../contract/autonomy.ts";
import type { Capability } from "../../contract/capability.ts";
import { CountersignError } from "../../contract/errors.ts";
import { type Breach, onePpm } from "../../contract/words.ts";
import { numberAt, textAt } from "../../ledger/fields.ts";
import { isByConfidence } from "../../ledger/slices/by-confidence.ts";
import { orderedScore } from "../../ledger/slices/ordered-score.ts";
import { readSeen, type SeenEntry } from "../../ledger/slices/read-seen.ts";
import { type Watch, watchFormVersion, watchIn, watchText } from "../../ledger/slices/watch-form.ts";
import {
  doReviewsDisagree,
  haveScoresDrifted,
  unreviewed,
  unwatched,
  watchReview,
  watchScore,
} from "../../ledger/slices/watch-scores.ts";
import { keepWatch } from "../../ledger/slices/write.ts";
import type { StandingSlice } from "../../ledger/slices.ts";
import type { Tx } from "../../store/database.ts";
import { sha256Digest } from "../../store/digest.ts";

/** What a slice is watched under. */
interface Watching extends Pick<Capability, "autonomy"> {
  readonly environment: string;
  /** Told where what was kept cannot be read. */
  readonly onError: (thrown: unknown) => void;
}

/**
 * Looks at the decisions of an open slice that came since the last look, and at what people said of those that were drawn for them, and
 * keeps what was seen. Where what was kept cannot be read that is told, and the watch begins anew with what comes from then on. Returns the breach
 * with the entry by which it was plain; `null` where there is none.
 */
export async function watchSlice(
  tx: Tx,
  slice: StandingSlice,
  { autonomy = usualAutonomy, environment, onError }: Watching,
): Promise<{ readonly breach: Breach; readonly cause: string } | null> {
  const known = slice.watch === null ? null : readWatch(slice, slice.watch, onError);
  const before = known ?? freshWatch(slice);
  const { entries, place } = await readSeen(tx, { slice, after: before });
  let watch: Watch = { ...before, ...place };
  for (const entry of entries) {
    watch = withEntry(watch, { entry, slice, environment, barPpm: autonomy.leastAgreementPpm });
    if (watch.scores !== null && haveScoresDrifted(watch.scores)) return { breach: "scores_drifted", cause: entry.id };
    if (doReviewsDisagree(watch.reviews)) return { breach: "reviews_disagree", cause: entry.id };
  }
  // A place that moved a little and showed nothing is not worth a write each second.
  const isFar = BigInt(place.xid) - BigInt(before.xid) > 1_000n;
  if (known === null || entries.length > 0 || isFar) await keepWatch(tx, { ...slice, watch: watchText(watch) });
  return null;
}

function freshWatch({ evidence }: StandingSlice): Watch {
  const reference = evidence?.reference ?? null;
  return { xid: "0", n: "0", reviews: unreviewed, scores: reference === null ? null : unwatched(reference) };
}

/** Nobody but the acting role writes it: what cannot be read was spoilt, or kept by another version of this program. */
function readWatch({ tenant, capability, slice }: StandingSlice, text: string, onError: Watching["onError"]): Watch | null {
  try {
    return watchIn(text);
  } catch (cause) {
    const what = `what was seen of the slice \`${slice}\` of \`${capability}\``;
    const problem = `${what} was not kept in the form of version ${watchFormVersion}; it is watched anew, by what comes from now on`;
    onError(new CountersignError("payload_unreadable", problem, { cause, facts: { tenant, capability, slice } }));
    return null;
  }
}

function withEntry(
  watch: Watch,
  { entry, slice, environment, barPpm }: { entry: SeenEntry; slice: StandingSlice; environment: string; barPpm: number },
): Watch {
  const { kind, decisionId, body, decided } = entry;
  const isOurs = (one: SeenEntry["body"]) => isOf(one, slice) && isByConfidence(one, { ...slice, environment });
  if (kind === "decided") {
    const ppm = numberAt(body, "confidencePpm");
    const reference = slice.evidence?.reference ?? null;
    if (!isOurs(body) || ppm === null || ppm > onePpm || reference === null || watch.scores === null) return watch;
    return { ...watch, scores: watchScore(watch.scores, orderedScore({ ppm, decisionId }, sha256Digest), reference) };
  }
  // The first effect's signature stands for all of them: a person signs them together.
  const isAnswer = kind !== "approved" || (numberAt(body, "effectIndex") ?? 0) === 0;
  if (decided === null || !isAnswer || !isOurs(decided) || textAt(decided, "rule") !== "audit_sample") return watch;
  return { ...watch, reviews: watchReview(watch.reviews, kind === "approved", barPpm) };
}

function isOf(body: SeenEntry["body"], { slice, basis, calibration }: StandingSlice): boolean {
  return textAt(body, "slice") === slice && textAt(body, "basis") === basis && textAt(body, "calibration") === calibration;
}
