import type { Random } from "./random.ts";

/** Letters that are looked back on. */
const reach = 3;

/** Makes words up that look like those of a list (a Markov chain of letters): names that stand in no list. */
export function openLetterChain(words: readonly string[]): (random: Random) => string {
  const followers = new Map<string, string[]>();
  for (const word of words) {
    const marked = `${"^".repeat(reach)}${word}$`;
    for (let at = reach; at < marked.length; at += 1) {
      const before = marked.slice(at - reach, at);
      const list = followers.get(before);
      if (list === undefined) followers.set(before, [marked[at] ?? "$"]);
      else list.push(marked[at] ?? "$");
    }
  }
  return (random) => {
    for (;;) {
      let word = "^".repeat(reach);
      while (!word.endsWith("$") && word.length < 16) word += random.pick(followers.get(word.slice(-reach)) ?? ["$"]);
      const made = word.slice(reach).replace("$", "");
      if (made.length >= 4 && made.length <= 12 && !/[ .-]/.test(made)) return made;
    }
  };
}
