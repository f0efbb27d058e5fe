import { usualMostAtOnce } from "../server/bound.ts";
import { type RateLimits, usualRates } from "../server/rates.ts";
import { wholeOf } from "./whole-setting.ts";

/** How often people may ask, by the desk's settings; the usual limits where they are left out. Throws `configuration_invalid`. */
export function rateLimits(env: NodeJS.ProcessEnv): RateLimits {
  const { account, address, proxies } = usualRates;
  return {
    account: rateOf("COUNTERSIGN_ACCOUNT_RATE", env["COUNTERSIGN_ACCOUNT_RATE"], account),
    address: rateOf("COUNTERSIGN_ADDRESS_RATE", env["COUNTERSIGN_ADDRESS_RATE"], address),
    proxies: wholeOf("COUNTERSIGN_PROXIES", env["COUNTERSIGN_PROXIES"], { usual: proxies, least: 0, most: 10 }),
  };
}

/** How many requests a process takes at once, by its settings. Throws `configuration_invalid`. */
export function mostAtOnce(env: NodeJS.ProcessEnv): number {
  const range = { usual: usualMostAtOnce, least: 1, most: 100_000 };
  return wholeOf("COUNTERSIGN_MOST_AT_ONCE", env["COUNTERSIGN_MOST_AT_ONCE"], range);
}

/** What is saved up keeps its proportion to what comes in a second. */
function rateOf(name: string, text: string | undefined, usual: RateLimits["account"]): RateLimits["account"] {
  const perSecond = wholeOf(name, text, { usual: usual.perSecond, least: 1, most: 100_000 });
  return { perSecond, burst: (usual.burst / usual.perSecond) * perSecond };
}
