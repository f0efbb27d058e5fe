/**
 * The exact McNemar test (McNemar, Psychometrika 12, 1947; exact by the binomial distribution, as in Fagerland, Lydersen and Laake, BMC
 * Medical Research Methodology 13:91, 2013), one-sided: how likely it is that at least `lost` of the pairs that changed got worse, where
 * better and worse are equally likely. 1 where nothing changed.
 * @param lost pairs that passed before and fail now
 * @param won pairs that failed before and pass now
 */
export function mcnemarWorse(lost: number, won: number): number {
  const changed = lost + won;
  let sum = 0;
  for (let count = lost; count <= changed; count += 1) sum += Math.exp(logChoose(changed, count) - changed * Math.LN2);
  return Math.min(1, sum);
}

/** The same test of both directions: how likely a change at least so one-sided is, whichever way it goes. */
export function mcnemarExact(lost: number, won: number): number {
  return Math.min(1, 2 * mcnemarWorse(Math.max(lost, won), Math.min(lost, won)));
}

function logChoose(all: number, some: number): number {
  let log = 0;
  for (let place = 1; place <= some; place += 1) log += Math.log(all - some + place) - Math.log(place);
  return log;
}
