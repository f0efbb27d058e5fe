import { CountersignError } from "../contract/errors.ts";

/** A setting that is a whole number within a range; what is usual where it is left out. Throws `configuration_invalid`. */
export function wholeOf(
  name: string,
  text: string | undefined,
  { usual, least, most }: { usual: number; least: number; most: number },
): number {
  if (text === undefined || text === "") return usual;
  const value = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw new CountersignError("configuration_invalid", `\`${name}\` is a whole number from ${least} to ${most}`);
}
