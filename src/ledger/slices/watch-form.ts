import { z } from "zod";
import type { SeenPlace } from "./read-seen.ts";
import type { ReviewWatch, ScoreWatch } from "./watch-scores.ts";

/** What was seen of a slice since it was opened, and up to which place of the settled order. */
export interface Watch extends SeenPlace {
  readonly scores: ScoreWatch | null;
  readonly reviews: ReviewWatch;
}

/** Of the form in which a watch is kept; a place in it is moved by backups (`settled-places.ts`). */
export const watchFormVersion = 1;

const kept = z.strictObject({
  version: z.literal(watchFormVersion),
  xid: z.string().regex(/^[0-9]{1,20}$/),
  n: z.string().regex(/^[0-9]{1,20}$/),
  scores: z.strictObject({ came: z.array(z.int()), lately: z.array(z.number()), wealth: z.number() }).nullable(),
  reviews: z.strictObject({ shown: z.int(), disagreed: z.int(), wealth: z.number() }),
});

/** A watch as it is kept: JSON in text. */
export function watchText(watch: Watch): string {
  return JSON.stringify({ version: watchFormVersion, ...watch });
}

/** Reads what was kept of a watch. Throws for what is not of this form and version. */
export function watchIn(text: string): Watch {
  const { version: _, ...watch } = kept.parse(JSON.parse(text));
  return watch;
}
