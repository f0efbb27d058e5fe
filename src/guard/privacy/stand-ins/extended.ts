import { isAlphanumeric } from "../detect/reading.ts";
import { unescapedText } from "../detect/unescape.ts";
import { endsEscape, kindOf, type StandInKind } from "./marks.ts";

interface Edges {
  /** What right behind a stand-in makes another value of it. */
  readonly after: RegExp;
  /** What right before it does. */
  readonly before: RegExp;
}

// Scripts without spaces may run into an address; letters of all others would be a part of it.
const letter = "(?![\\u0e00-\\u0eff\\u1000-\\u109f\\u1780-\\u17ff\\u2e80-\\uffef])[\\p{L}\\p{N}_]";

// Dots of domain names (UTS 46) count, and what shows nothing, since it hides what comes behind it.
const mail: Edges = {
  after: new RegExp(`^(?:[-.@\\u3002\\uff0e\\uff61]{0,4}${letter}|\\p{Default_Ignorable_Code_Point})`, "u"),
  before: new RegExp(`(?:${letter}[.%+_-]{0,4}|\\p{Default_Ignorable_Code_Point})$`, "u"),
};
// With a name behind it, an address of a machine is the name of somebody else's.
const v4: Edges = { after: /^(?:\.?\d|[.-][a-z])/i, before: /(?:\d|[a-z\d][.-])$/i };
const v6: Edges = { after: /^:[0-9a-f:]/i, before: /(?:^|[^0-9a-z])[0-9a-f]{1,4}:$/i };
const hardware: Edges = { after: /^[:-][0-9a-f]{2}(?![0-9a-z])/i, before: /(?:^|[^0-9a-z])[0-9a-f]{2}[:-]$/i };
// `Jane Doe-Smith` is somebody else; `Jane-related` is not.
const name: Edges = {
  after: /^(?:[-\u2010\u2011]\p{Lu}|[\u00c0-\u024f])/u,
  before: /(?:\p{Lu}[\p{L}\p{M}]{0,40}[-\u2010\u2011]|[\u00c0-\u024f])$/u,
};
const digits: Edges = { after: /^[-.]\d/, before: /\d[-.]$/ };
const code: Edges = { after: /^(?:[-_][\p{L}\p{N}]|\.\d)/u, before: /\d[-_]$/ };

const edges: Readonly<Record<StandInKind, Edges>> = { mail, v4, v6, hardware, code, name, digits };

/** So many signs before a stand-in may belong to it, and so many behind it: four dots and a letter, each escaped. */
const reach = 48;

/**
 * Whether a stand-in runs on into something longer of its kind: `x@example.invalid.attacker.example` is the address of somebody else, and
 * must not come back with a value in it. What is escaped for a URL, for JSON or for HTML is read as whoever unpacks it will read it.
 */
export function isExtended(text: string, start: number, end: number): boolean {
  const [isFollowed, isPreceded] = [runsOn(text.charCodeAt(end)), runsOn(text.charCodeAt(start - 1))];
  if (!isFollowed && !isPreceded) return false;
  const { after, before } = edges[kindOf(text.slice(start, end))];
  if (isFollowed && readings(text.slice(end, end + reach)).some((behind) => after.test(behind))) return true;
  if (!isPreceded) return false;
  const ahead = text.slice(Math.max(0, start - reach), start);
  if (mayEscape.test(ahead) && before.test(unescapedText(ahead))) return true;
  if (!before.test(ahead)) return false;
  // The letter or digit of an escape in JSON or a URL, such as `\n` and `%20`, is none of a word.
  const word = ahead.replace(/[.%+_-]+$/, "");
  return !endsEscape(text, start - ahead.length + word.length) && !/%[0-9A-Fa-f]{2}$/.test(word);
}

/** What may be another reading of it: an escape, or a form of a sign or letter that folds to one of ASCII. */
const mayEscape = /[%\\&\u0080-\uffff]/;

/** A text as it is written, and as it is read. */
const readings = (behind: string): readonly string[] => (mayEscape.test(behind) ? [behind, unescapedText(behind)] : [behind]);

// Whether a sign may join what stands on both sides of it; most stand-ins have a space or a comma there, or nothing.
const joining = new Set([..."-._@%+:&\\;"].map((sign) => sign.charCodeAt(0)));
const runsOn = (unit: number): boolean => unit >= 0x80 || isAlphanumeric(unit) || joining.has(unit);
