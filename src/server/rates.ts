import type { Context } from "hono";
import { z } from "zod";
import { CountersignError } from "../contract/errors.ts";
import type { Identity } from "../contract/identity.ts";
import { createBuckets, type Rate } from "./buckets.ts";

/** How often one account may ask, and how often one address may be wrong about who it is. */
export interface RateLimits {
  readonly account: Rate;
  /** For credentials that are unknown, and for beginning to sign in. */
  readonly address: Rate;
  /** How many proxies stand before this process, each of which writes down whom it speaks for. */
  readonly proxies: number;
}

/** What holds where nothing else is set. */
export const usualRates: RateLimits = {
  account: { perSecond: 200, burst: 2_000 },
  address: { perSecond: 1, burst: 60 },
  proxies: 0,
};

/** Holds callers to the limits. Each method throws `too_many_requests` and says in `Retry-After` how long to wait. */
export interface Rates {
  /** Counts that an address was wrong about who it is, or begins to sign in. */
  readonly countAddress: (context: Context) => void;
  /** Counts a request of an account. */
  readonly countAccount: (context: Context, identity: Identity) => void;
}

/** Opens the limits of one process; each counts for itself, in memory that is bounded. */
export function createRates({ account, address, proxies }: RateLimits, now: () => number = Date.now): Rates {
  const accounts = createBuckets(account, now);
  const addresses = createBuckets(address, now);
  const held = (context: Context, waitMs: number): void => {
    if (waitMs === 0) return;
    const seconds = Math.ceil(waitMs / 1000);
    context.header("retry-after", String(seconds));
    throw new CountersignError("too_many_requests", `that is too often; try again in ${seconds} s`, { facts: { seconds } });
  };
  return {
    countAddress: (context) => held(context, addresses.take(addressOf(context, proxies))),
    countAccount: (context, { principal: { tenant, id } }) => held(context, accounts.take(`${tenant}/${id}`)),
  };
}

const connectionForm = z.object({ incoming: z.object({ socket: z.object({ remoteAddress: z.string() }) }) });

/**
 * The address that a request came from: the connection's, or what the outermost of our own proxies wrote of it. What stands further left
 * in `X-Forwarded-For` is the caller's own word and counts for nothing.
 */
function addressOf(context: Context, proxies: number): string {
  const direct = connectionForm.safeParse(context.env).data?.incoming.socket.remoteAddress ?? "unknown";
  if (proxies === 0) return direct;
  const told = (context.req.header("x-forwarded-for") ?? "").split(",").map((one) => one.trim());
  return told.at(-proxies)?.slice(0, 45) || direct;
}
