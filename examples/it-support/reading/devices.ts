/** The words by which people name devices. */
import { holdsWord } from "./words.ts";

const named: Readonly<Record<string, readonly string[]>> = {
  laptop: ["laptop", "notebook", "computer", "thing"],
  phone: ["phone", "mobile", "handy"],
  mouse: ["mouse", "maus", "mose", "mice"],
  keyboard: ["keyboard", "tastatur"],
  headset: ["headset", "headphones"],
  monitor: ["monitor", "screen", "display"],
};

/** The categories of devices that a text names, in any spelling that the script knows. */
export function categoriesIn(text: string): readonly string[] {
  return Object.entries(named).flatMap(([category, words]) => (holdsWord(text, ...words) ? [category] : []));
}
