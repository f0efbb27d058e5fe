import { keyMap } from "../../shell/key-map.ts";

type Keys = Readonly<Record<string, string>>;

interface Choice {
  /** The key of the map. */
  readonly name: string;
  readonly pressed: string;
}

const all: readonly string[] = keyMap.flatMap(({ rows }) => rows.map(({ key }) => key));

/** Why a key cannot stand for another; `null` where it can. One key has one meaning. */
export function refusal(keys: Keys, { name, pressed }: Choice): string | null {
  if (pressed.length !== 1 || pressed === " ") return "Only a letter or a sign.";
  if (pressed === "g") return "g goes to a page.";
  if (/^[0-9[\]]$/.test(pressed)) return `${pressed} opens evidence or turns its pages.`;
  const holder = all.find((key) => key !== name && (keys[key] ?? key) === pressed);
  if (holder === undefined) return null;
  const does = keyMap.flatMap(({ rows }) => rows).find(({ key }) => key === holder)?.does ?? holder;
  return `${pressed} is taken: ${does}.`;
}

/** The keys with one more changed; a key that stands for itself is no change. */
export function withKey(keys: Keys, { name, pressed }: Choice): Keys {
  return name === pressed ? withoutKey(keys, name) : { ...keys, [name]: pressed };
}

/** The keys with one given back. */
export function withoutKey(keys: Keys, name: string): Keys {
  return Object.fromEntries(Object.entries(keys).filter(([key]) => key !== name));
}
