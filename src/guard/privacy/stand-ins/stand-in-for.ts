import { CountersignError } from "../../../contract/errors.ts";
import { type Base, type Drawing, drawBase, fewestSigns } from "./base.ts";
import { passesCheck } from "./checks.ts";
import { diceOf, drawSigns } from "./dice.ts";
import type { Drawn } from "./drawn.ts";
import { enterCount, enterStandIn } from "./enter.ts";
import { beginningsOf, keysOfBase } from "./keys.ts";
import { spellingsOf } from "./spell.ts";

/** What stands in for a value in this spelling; drawn where there is none yet. */
export function standInFor(drawn: Drawn, value: Drawing): string {
  const known = drawn.bySurface.get(value.surface);
  if (known !== undefined) return known;
  const id = `${value.class}\0${value.canonical}`;
  const shared = drawn.bases.get(id) ?? linkedBase(drawn, value) ?? freshBase({ drawn, value, id, isOwn: false });
  drawn.bases.set(id, shared);
  const text = freeSpelling(drawn, shared, value.surface);
  if (text !== null) return enterStandIn({ drawn, base: shared, value, text });
  // Another spelling of the value looks the same in a stand-in's form. Each has to come back as it was, so this one gets its own.
  const own = freshBase({ drawn, value, id: `${id}\0${value.surface}`, isOwn: true });
  const ownText = freeSpelling(drawn, own, value.surface);
  if (ownText === null) throw new CountersignError("internal", "a stand-in that was just drawn is taken");
  return enterStandIn({ drawn, base: own, value, text: ownText });
}

/** A name of one word that is a word of just one longer name stands for the same word of that name's stand-in. */
function linkedBase({ nameWords }: Drawn, { class: of, surface }: Drawing): Base | null {
  const word = of === "person" ? nameWords.get(surface.toLowerCase()) : undefined;
  return word === undefined || word === null ? null : { kind: "name", words: [word] };
}

const mostDraws = 1_000;

function freshBase({ drawn, value, id, isOwn }: { drawn: Drawn; value: Drawing; id: string; isOwn: boolean }): Base {
  // In order, one day has one stand-in: a second one gets the form of a code.
  const isDayTaken = isOwn && drawn.shift !== null && drawn.bases.get(`${value.class}\0${value.canonical}`)?.kind === "date";
  for (let draw = isDayTaken ? 64 : 0; draw < mostDraws; draw += 1) {
    const dice = diceOf(drawn.key, `${draw}|${id}`);
    const base = drawBase({ value, dice, draw, shift: drawn.shift });
    const { wanted, takes } = keysOfBase(base, drawn.shift !== null);
    if (new Set(wanted).size < wanted.length || wanted.some((key) => drawn.taken.has(key) || drawn.foreign.has(key))) continue;
    for (const key of takes) drawn.taken.add(key);
    return base;
  }
  throw new CountersignError("internal", "no free stand-in was found");
}

function freeSpelling({ surfaces, bySurface }: Drawn, base: Base, surface: string): string | null {
  return (
    spellingsOf(base, surface).find((text) => {
      const held = surfaces.get(text);
      return held === undefined || (held === surface && bySurface.get(surface) === undefined);
    }) ?? null
  );
}

// No card begins so, and sixteen digits behind it are still exact as a number of JSON.
const countMark = "707";
const mostExact = 15;

/**
 * What stands in for a JSON number: a whole one of as many digits that passes no check, with the same sign. One that is not whole, or
 * too large to be exact, gets fifteen digits at most.
 */
export function standInForCount(drawn: Drawn, count: number): number {
  const known = drawn.counts.get(count);
  if (known !== undefined) return known;
  const written = String(Math.abs(count));
  const digits = Number.isSafeInteger(count) ? written.length : Math.min(mostExact, written.length);
  for (let draw = 0; draw < mostDraws; draw += 1) {
    const length = Math.max(digits, Math.min(mostExact, fewestSigns + Math.floor(draw / 100)));
    const drawing = diceOf(drawn.key, `${draw}|count|${written}`);
    const text = countMark + drawSigns(drawing, "0123456789", length - countMark.length);
    const beginnings = beginningsOf(text);
    const wanted = beginnings.at(-1) ?? "";
    if (passesCheck(text) || drawn.taken.has(wanted) || drawn.foreign.has(wanted)) continue;
    for (const key of beginnings) drawn.taken.add(key);
    const standIn = count < 0 ? -Number(text) : Number(text);
    enterCount({ drawn, count, standIn });
    return standIn;
  }
  throw new CountersignError("internal", "no free stand-in for a number was found");
}
