import type { Context } from "hono";
import { CountersignError } from "../contract/errors.ts";

type Answer = (context: Context) => Response | Promise<Response>;

/** Requests in work at once where nothing else is set: most of them wait for a model or for the database. */
export const usualMostAtOnce = 1_000;
const retryAfterSeconds = 1;

/**
 * Holds handlers to so many requests in work at once, all together. One more is refused before anything of it is looked at, with
 * `too_busy` and `Retry-After`: who waits in no queue does not come back to one that has grown. A stream counts until it has begun.
 */
export function createBound(most: number): (handler: Answer) => Answer {
  let inWork = 0;
  return (handler) => async (context) => {
    if (inWork >= most) {
      context.header("retry-after", String(retryAfterSeconds));
      const message = `${most} requests are in work, and more are not taken at once; try again in ${retryAfterSeconds} s`;
      throw new CountersignError("too_busy", message, { facts: { seconds: retryAfterSeconds } });
    }
    inWork += 1;
    try {
      return await handler(context);
    } finally {
      inWork -= 1;
    }
  };
}
