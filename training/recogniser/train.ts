/**
 * Trains the tagger that recognises names: `npm run train:recogniser`. Reads the templates of this folder and lists of words from packages,
 * writes `src/guard/privacy/recogniser/model.bin` and `model.json`. The same inputs give the same bytes.
 */
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { featureCount, openFeatures } from "../../src/guard/privacy/recogniser/features.ts";
import { openNameModel } from "../../src/guard/privacy/recogniser/name-model.ts";
import type { Lexicon } from "../../src/guard/privacy/recogniser/word-reading.ts";
import { exampleOf, isKeptBack, makeTexts, readTemplates } from "./examples.ts";
import { compileLexicon, lexiconOf, withHoles } from "./lexicon-files.ts";
import { type Leanings, modelFile } from "./model-file.ts";
import { type Lesson, learn } from "./perceptron.ts";
import { openRandom } from "./random.ts";
import { scoreOn } from "./score.ts";
import { readWordLists } from "./word-lists.ts";

/** What a run is made of. Change it, train, and look at the score card. */
export interface Plan {
  readonly seed: number;
  /** A power of two. */
  readonly buckets: number;
  readonly textsOfTemplate: number;
  readonly rounds: number;
  readonly margin: number;
  readonly dropped: number;
  readonly leanings: Leanings;
}

export const plan: Plan = {
  ...{ seed: 20_261_130, buckets: 65_536, textsOfTemplate: 40, rounds: 6, margin: 100, dropped: 5 },
  leanings: { O: -60, "B-organisation": -150, "I-organisation": -150, "B-place": -60 },
};

const outputFolder = fileURLToPath(new URL("../../src/guard/privacy/recogniser/", import.meta.url));

/** Trains by a plan; gives the file's bytes and what it scores on texts of templates that it has not seen. */
export function train({ seed, buckets, textsOfTemplate, leanings, ...learning }: Plan, notice: (line: string) => void) {
  const lists = readWordLists();
  const templates = readTemplates();
  const [seen, unseen] = [templates.filter((one) => !isKeptBack(one)), templates.filter(isKeptBack)];
  const bytes = compileLexicon(lists, seen);
  const lexicon = lexiconOf(bytes);
  const texts = makeTexts(seen, { times: textsOfTemplate, random: openRandom(seed), lists });
  const lessons = texts.flatMap((text) => lessonOf(text, { lexicon: withHoles(lexicon), buckets }));
  notice(`${seen.length} templates, ${texts.length} texts; ${unseen.length} templates are kept back`);
  const learnt = learn(lessons, { buckets, ...learning, random: openRandom(seed + 1), notice });
  const file = modelFile(learnt, { buckets, lexicon: bytes, leanings });
  const held = makeTexts(unseen, { times: 15, random: openRandom(seed + 2), lists });
  return {
    file,
    scores: scoreOn(held, openNameModel(file)),
    templates: { seen: seen.length, unseen: unseen.length },
    texts: texts.length,
  };
}

function lessonOf(
  text: Parameters<typeof exampleOf>[0],
  { lexicon, buckets }: { lexicon: Lexicon; buckets: number },
): readonly Lesson[] {
  const example = exampleOf(text);
  if (example === null || example.tokens.count === 0) return [];
  const { tokens, gold } = example;
  const reader = openFeatures(tokens, { lexicon, buckets });
  const features = new Int32Array(tokens.count * featureCount);
  for (let at = 0; at < tokens.count; at += 1) reader.read(at, features.subarray(at * featureCount, (at + 1) * featureCount));
  return [{ features, gold }];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const notice = (line: string) => void process.stderr.write(`${line}\n`);
  const { file, scores, templates, texts } = train(plan, notice);
  const sha256 = createHash("sha256").update(file).digest("hex");
  writeFileSync(`${outputFolder}model.bin`, file);
  const card = { version: 1, bytes: file.length, sha256, plan, templates, texts, unseen: scores };
  writeFileSync(`${outputFolder}model.json`, `${JSON.stringify(card, null, 2)}\n`);
  notice(JSON.stringify(scores, null, 2));
}
