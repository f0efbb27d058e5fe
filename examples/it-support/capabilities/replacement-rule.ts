import type { JsonObject } from "countersign";
import { z } from "zod";

/** What a device that may be replaced must look like in the help desk's record. */
export const deviceRow = z.object({
  id: z.string(),
  asset_tag: z.string(),
  category: z.enum(["laptop", "phone", "mouse", "keyboard", "headset", "monitor"]),
  model: z.string(),
  bought_on: z.iso.date(),
  state: z.string(),
  depot: z.string(),
  replacements: z.int().min(0),
  replacement_model: z.string(),
});
export type DeviceRow = z.infer<typeof deviceRow>;

export const reasons = ["defective", "worn_out", "lost"] as const;
export type Reason = (typeof reasons)[number];

const accessories: readonly string[] = ["mouse", "keyboard", "headset"];
/** Device policy 3.1: the age in months from which a worn-out device is replaced. A test compares it with the document. */
export const wornOutMonths = { mouse: 12, keyboard: 12, headset: 12, laptop: 36, phone: 30, monitor: 60 } as const;

/** Whether a replacement is allowed, by which rule, and the sentence that a person reads. */
export interface Allowance {
  readonly allowed: boolean;
  readonly rule: string;
  readonly because: string;
}

/**
 * Device policy 3.1 in code: says whether a device may be replaced for a reason at a time (milliseconds since the epoch).
 * `warranty` is the row of its warranty, where it has one.
 */
export function allowReplacement({
  device,
  reason,
  warranty,
  at,
}: {
  device: DeviceRow;
  reason: Reason;
  warranty: JsonObject | null;
  at: number;
}): Allowance {
  if (device.state !== "in_use") return refuse("not_in_use", `The device is not in use but \`${device.state}\`.`);
  switch (reason) {
    case "worn_out":
      return allowByAge(device, at);
    case "defective":
      return isAccessory(device.category)
        ? allow("accessory_defective", "A defective accessory is replaced at any time.")
        : allowDefect(warranty, at);
    case "lost":
      return isAccessory(device.category)
        ? allowByAge(device, at)
        : refuse("lost_device", "A lost device is reported to the security desk first.");
  }
}

/** Accessories are cheap, and policy replaces them without a manager. */
export function isAccessory(category: string): boolean {
  return accessories.includes(category);
}

/** Whole months between a day and a moment, both in UTC. */
export function monthsBetween(day: string, at: number): number {
  const [start, end] = [new Date(`${day}T00:00:00Z`), new Date(at)];
  const months = (end.getUTCFullYear() - start.getUTCFullYear()) * 12 + end.getUTCMonth() - start.getUTCMonth();
  return end.getUTCDate() < start.getUTCDate() && !isLastOfMonth(end) ? months - 1 : months;
}

/** A device bought on the 31st has its month on the 30th of a shorter one. */
function isLastOfMonth(date: Date): boolean {
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate() + 1)).getUTCDate() === 1;
}

function allowByAge({ category, bought_on }: DeviceRow, at: number): Allowance {
  const [age, needed] = [monthsBetween(bought_on, at), wornOutMonths[category]];
  return age >= needed
    ? allow("old_enough", `The ${category} is ${age} months old; the policy asks for ${needed}.`)
    : refuse("too_young", `The ${category} is ${age} months old; the policy asks for ${needed}.`);
}

function allowDefect(warranty: JsonObject | null, at: number): Allowance {
  const ends = warranty?.["ends_on"];
  if (typeof ends !== "string") return allow("no_warranty", "The device is defective and has no warranty.");
  // The last day of the warranty counts in full.
  return at < Date.parse(`${ends}T00:00:00Z`) + 86_400_000
    ? refuse("under_warranty", `The device is under warranty until ${ends} and is repaired instead.`)
    : allow("after_warranty", `The device is defective and its warranty ended on ${ends}.`);
}

function allow(rule: string, because: string): Allowance {
  return { allowed: true, rule, because };
}

function refuse(rule: string, because: string): Allowance {
  return { allowed: false, rule, because };
}
