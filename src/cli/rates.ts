import { CountersignError } from "../contract/errors.ts";
import { type RateLimits, usualRates } from "../server/rates.ts";

/** How often people may ask, by the desk's settings; the usual limits where they are left out. Throws `configuration_invalid`. */
export function rateLimits(env: NodeJS.ProcessEnv): RateLimits {
  const { account, address, proxies } = usualRates;
  return {
    account: rateOf("COUNTERSIGN_ACCOUNT_RATE", env["COUNTERSIGN_ACCOUNT_RATE"], account),
    address: rateOf("COUNTERSIGN_ADDRESS_RATE", env["COUNTERSIGN_ADDRESS_RATE"], address),
    proxies: wholeOf("COUNTERSIGN_PROXIES", env["COUNTERSIGN_PROXIES"], { usual: proxies, least: 0, most: 10 }),
  };
}

/** What is saved up keeps its proportion to what comes in a second. */
function rateOf(name: string, text: string | undefined, usual: RateLimits["account"]): RateLimits["account"] {
  const perSecond = wholeOf(name, text, { usual: usual.perSecond, least: 1, most: 100_000 });
  return { perSecond, burst: (usual.burst / usual.perSecond) * perSecond };
}

function wholeOf(
  name: string,
  text: string | undefined,
  { usual, least, most }: { usual: number; least: number; most: number },
): number {
  if (text === undefined || text === "") return usual;
  const value = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw new CountersignError("configuration_invalid", `\`${name}\` is a whole number from ${least} to ${most}`);
}
