import type { DeviceRow, Reason } from "./replacement-rule.ts";

const categoryWords: Readonly<Record<DeviceRow["category"], RegExp>> = {
  laptop: /\b(laptop|notebook)s?\b/i,
  phone: /\b(phone|mobile|smartphone)s?\b/i,
  mouse: /\b(mouse|mice)\b/i,
  keyboard: /\bkeyboards?\b/i,
  headset: /\b(headset|headphone)s?\b/i,
  monitor: /\b(monitor|display)s?\b/i,
};

const reasonWords: Readonly<Record<Reason, RegExp>> = {
  defective: /\b(broken|broke|defective|dead|cracked|faulty)\b|\bstopped working\b|\b(does not|doesn't) work\b/i,
  worn_out: /\bworn[ -]?out\b|\btoo old\b/i,
  lost: /\b(lost|stolen)\b/i,
};

/** An asset tag as it stands on a device's sticker, such as `LT-1045`. */
const assetTag = /\b[A-Z]{2}-\d{4}\b/gi;

/**
 * The one device that a request names without leaving a choice: by asset tag, else by the word of a category of which the requester
 * holds exactly one. `null` where there is a choice, or where a tag is named that is none of the requester's.
 */
export function resolveDevice<T extends Pick<DeviceRow, "asset_tag" | "category">>(
  text: string,
  devices: readonly T[],
): T | null {
  const tags = new Set((text.match(assetTag) ?? []).map((tag) => tag.toUpperCase()));
  if (tags.size > 1) return null;
  if (tags.size === 1) return devices.find((device) => tags.has(device.asset_tag)) ?? null;
  const named = Object.entries(categoryWords).filter(([, words]) => words.test(text));
  const candidates = devices.filter((device) => device.category === named[0]?.[0]);
  return named.length === 1 && candidates.length === 1 ? (candidates[0] ?? null) : null;
}

/** The one reason that a request states in plain words, or `null` where it states none or several. */
export function resolveReason(text: string): Reason | null {
  const stated = Object.entries(reasonWords).filter(([, words]) => words.test(text));
  // Keys of the table above.
  return stated.length === 1 ? ((stated[0]?.[0] as Reason | undefined) ?? null) : null;
}
