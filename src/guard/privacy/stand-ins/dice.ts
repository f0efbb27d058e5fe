import type { StandInKey } from "../../../contract/ports.ts";

/** Draws a whole number from 0 to below `sides`, each as likely as the others; `sides` is at most 10,000. */
export type Dice = (sides: number) => number;

/** Dice whose throws follow from the key and the text alone: the same text under the same key draws the same numbers. */
export function diceOf(key: StandInKey, text: string): Dice {
  let block = 0;
  let bytes = key.mac(`0|${text}`);
  let at = 0;
  const nextByte = (): number => {
    if (at === bytes.length) {
      block += 1;
      bytes = key.mac(`${block}|${text}`);
      at = 0;
    }
    at += 1;
    return bytes[at - 1] ?? 0; // within the bounds of the block
  };
  return (sides) => {
    // What lies above the last whole multiple would make small numbers likelier; it is thrown again.
    const fair = 65_536 - (65_536 % sides);
    for (;;) {
      const thrown = nextByte() * 256 + nextByte();
      if (thrown < fair) return thrown % sides;
    }
  };
}

/** One sign of a list, drawn. */
export function drawSign(dice: Dice, signs: string): string {
  return signs.charAt(dice(signs.length));
}

/** So many signs of a list, drawn one by one. */
export function drawSigns(dice: Dice, signs: string, count: number): string {
  let text = "";
  for (let i = 0; i < count; i += 1) text += drawSign(dice, signs);
  return text;
}
