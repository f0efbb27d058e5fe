import { assertNever } from "../../../contract/errors.ts";
import type { Base, Drawing } from "./base.ts";
import { rewritingsOf } from "./dates.ts";
import type { Drawn } from "./drawn.ts";
import { casedLike, isInitial, wordsOf } from "./words.ts";

interface Entering {
  readonly drawn: Drawn;
  readonly base: Base;
  readonly value: Drawing;
  readonly text: string;
}

/** Enters what stands in for a value in one spelling, and returns it. */
export function enterStandIn({ drawn, base, value: { surface }, text }: Entering): string {
  drawn.shapes.add(base.kind);
  drawn.bySurface.set(surface, text);
  switch (base.kind) {
    case "phone":
    case "number":
    case "code":
      enterGrouped({ drawn, key: base.signs.toLowerCase(), text, surface, hasPlus: base.kind === "phone" });
      break;
    case "name":
      enterName({ drawn, words: base.words, text, surface });
      break;
    case "email":
    case "address":
      enterAnchored({ drawn, anchor: base.word, text, surface });
      break;
    case "ip":
      enterAnchored({ drawn, anchor: base.text, text, surface });
      break;
    case "mac":
      enterAnchored({ drawn, anchor: base.bytes.join(":"), text, surface });
      break;
    case "date":
      enterDate({ drawn, day: base.day, own: base.own, text, surface });
      break;
    default:
      assertNever(base);
  }
  return text;
}

/** A model that writes the day in another way, such as `2931-11-07` for `07.11.2931`, has said it rightly. */
function enterDate({
  drawn,
  day,
  own,
  text,
  surface,
}: Record<"day" | "own" | "text" | "surface", string> & { drawn: Drawn }): void {
  const anchor = day.slice(0, 4);
  enterAnchored({ drawn, anchor, text, surface });
  for (const other of rewritingsOf(day, own)) {
    if (!drawn.surfaces.has(other.text)) enterAnchored({ drawn, anchor, text: other.text, surface: other.surface });
  }
}

function enterName({
  drawn,
  words,
  text,
  surface,
}: {
  drawn: Drawn;
  words: readonly string[];
  text: string;
  surface: string;
}): void {
  enterAnchored({ drawn, anchor: words[0] ?? "", text, surface });
  const originals = wordsOf(surface);
  if (words.length < 2 || originals.length !== words.length) return;
  // A model that says only the first name has said it rightly.
  words.forEach((word, at) => {
    const original = originals[at] ?? "";
    const part = casedLike(word, original);
    if (!drawn.surfaces.has(part)) enterAnchored({ drawn, anchor: word, text: part, surface: original });
    const name = original.toLowerCase();
    const held = drawn.nameWords.get(name);
    // Whose initial it is nobody knows: the family name behind it stays the one of the whole name.
    if (held === undefined || !originals.some(isInitial))
      drawn.nameWords.set(name, held === undefined || held === word ? word : null);
  });
}

function enterAnchored({ drawn, anchor, text, surface }: { drawn: Drawn; anchor: string; text: string; surface: string }): void {
  if (drawn.surfaces.get(text) === surface) return;
  drawn.surfaces.set(text, surface);
  const lower = text.toLowerCase();
  const one = { offset: Math.max(0, lower.indexOf(anchor)), text, lower, surface };
  const others = drawn.anchored.get(anchor);
  if (others === undefined) drawn.anchored.set(anchor, [one]);
  else {
    const at = others.findIndex((other) => other.text.length < text.length);
    others.splice(at === -1 ? others.length : at, 0, one);
  }
}

function enterGrouped({
  drawn,
  key,
  text,
  surface,
  hasPlus,
}: {
  readonly drawn: Drawn;
  readonly key: string;
  readonly text: string;
  readonly surface: string;
  readonly hasPlus: boolean;
}): void {
  drawn.surfaces.set(text, surface);
  const group = drawn.grouped.get(key) ?? { bySpelling: new Map<string, string>(), first: surface, hasPlus };
  group.bySpelling.set(text, surface);
  drawn.grouped.set(key, group);
  if (drawn.lengths.includes(key.length)) return;
  drawn.lengths.push(key.length);
  drawn.lengths.sort((one, other) => other - one);
}

/** Enters what stands in for a JSON number, as a number and as the digits that a model may say in prose. */
export function enterCount({ drawn, count, standIn }: { drawn: Drawn; count: number; standIn: number }): void {
  drawn.counts.set(count, standIn);
  drawn.countOf.set(standIn, count);
  drawn.shapes.add("count");
  const digits = String(Math.abs(standIn));
  enterGrouped({ drawn, key: digits, text: digits, surface: String(Math.abs(count)), hasPlus: false });
}
