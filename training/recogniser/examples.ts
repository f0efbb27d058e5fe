import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { fold } from "../../src/guard/privacy/fold.ts";
import { tags } from "../../src/guard/privacy/recogniser/name-model.ts";
import { type Tokens, tokensOf } from "../../src/guard/privacy/recogniser/tokens.ts";
import { hashWord } from "../../src/guard/privacy/recogniser/word-filter.ts";
import { fillTemplate, type LabelledText } from "./fill-template.ts";
import type { Random } from "./random.ts";
import { openSlots } from "./slots.ts";
import { joinTexts, openVariation } from "./vary-text.ts";
import type { WordLists } from "./word-lists.ts";

const folder = fileURLToPath(new URL("templates/", import.meta.url));

/** All templates, in a fixed order: a line each, `\n` for the end of a line. */
export function readTemplates(): readonly string[] {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith(".txt"))
    .sort();
  const lines = files.flatMap((name) => readFileSync(`${folder}${name}`, "utf8").split("\n"));
  return [...new Set(lines.filter((line) => line.trim() !== "" && !/^# [A-Z][^{}]*$/.test(line)))];
}

/** Whether a template is kept from training, for the score card: about one of ten, by its own hash. */
export function isKeptBack(template: string): boolean {
  return hashWord(template).first % 10 === 7;
}

/** Makes texts of templates: each template `times` times, mixed, some joined to longer texts. */
export function makeTexts(templates: readonly string[], { times, random, lists }: Making): readonly LabelledText[] {
  const slots = openSlots(random, lists);
  const vary = openVariation(random, lists);
  const one = () => vary(fillTemplate(random.pick(templates), { slots, random }));
  const texts: LabelledText[] = [];
  for (const template of templates)
    for (let time = 0; time < times; time += 1) {
      const filled = vary(fillTemplate(template, { slots, random }));
      const others = random.isLucky(0.25) ? Array.from({ length: 1 + random.below(3) }, one) : [];
      texts.push(joinTexts([...others, filled], random.pick([" ", "\n", "\n", "\n\n"])));
    }
  return shuffled(texts, random);
}

export interface Making {
  readonly times: number;
  readonly random: Random;
  readonly lists: WordLists;
}

/** A text's tokens with the tags that they should get. */
export interface Example {
  readonly tokens: Tokens;
  readonly gold: Uint8Array;
}

/** Folds and cuts a text; `null` where folding moved letters, so that labels would not fit. */
export function exampleOf({ text, spans }: LabelledText): Example | null {
  const folded = fold(text).text;
  if (folded.length !== text.length) return null;
  const tokens = tokensOf(folded);
  const gold = new Uint8Array(tokens.count);
  for (const { kind, start, end } of spans) {
    let tag: number = tags.indexOf(`B-${kind}`);
    for (let at = 0; at < tokens.count; at += 1) {
      if ((tokens.starts[at] ?? 0) < start || (tokens.ends[at] ?? 0) > end) continue;
      gold[at] = tag;
      tag = tags.indexOf(`I-${kind}`);
    }
  }
  return { tokens, gold };
}

function shuffled<T>(list: readonly T[], random: Random): readonly T[] {
  const copy = [...list];
  for (let at = copy.length - 1; at > 0; at -= 1) {
    const other = random.below(at + 1);
    [copy[at], copy[other]] = [copy[other] as T, copy[at] as T];
  }
  return copy;
}
