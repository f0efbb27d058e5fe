import { CountersignError } from "../../contract/errors.ts";
import type { Finding, Recogniser } from "../../contract/privacy.ts";
import { canonicalName } from "../../guard/privacy/recogniser/canonical-name.ts";
import { unavailable } from "../inside/ask-json.ts";
import { checkModelName } from "../inside/check-name.ts";
import { type OnnxFolder, type OnnxModel, openOnnxModel } from "../inside/onnx-model.ts";
import { entityKind } from "./entity-kinds.ts";
import { cancelled } from "./recogniser-fault.ts";
import { labelSpans, type Word, wordsOf } from "./word-labels.ts";

/** A model that labels tokens, in a folder. */
export interface OnnxClassifierOptions extends OnnxFolder {
  /** What the model's outputs mean, in their order, as its page says: `O`, `B-PER`, `I-PER`, … */
  readonly labels: readonly string[];
}

/** Words that a window shares with the one before it, so that a name at its edge is seen with its neighbours. */
const overlap = 24;

/**
 * A recogniser that runs in this process: a BERT model for token classification in ONNX form. Long texts are read in windows that overlap,
 * to their end. Throws `definition_invalid` for a name or labels that cannot be; `find` rejects with `configuration_invalid` where the model
 * cannot be opened, `model_unavailable` where it fails.
 * @example
 * const runtime = () => Promise.reject(new Error("() => import('onnxruntime-node') in a project that installed it"));
 * onnxTokenClassifier({ name: "bert-ner", folder: "/models/bert-base-NER", labels: ["O", "B-PER", "I-PER"], version: "1", runtime });
 */
export function onnxTokenClassifier(options: OnnxClassifierOptions & { readonly version: string }): Recogniser {
  const { name, labels, version } = options;
  checkModelName("a recogniser", name);
  if (!/^[\x21-\x7e]{1,100}$/.test(version)) throw invalid(`the recogniser \`${name}\` needs a version of visible characters`);
  if (!labels.includes("O") || new Set(labels).size !== labels.length)
    throw invalid(`the recogniser \`${name}\` needs its labels, each once, with \`O\` among them`);
  let opening: Promise<OnnxModel> | null = null;
  return Object.freeze<Recogniser>({
    ...{ name, version },
    find: async (texts, cancel) => {
      opening ??= openOnnxModel(options);
      const model = await opening;
      const found: (readonly Finding[])[] = [];
      for (const text of texts) {
        if (cancel.isCancelled()) throw cancelled(name);
        found.push(await findIn(text, { options, model }));
      }
      return found;
    },
  });
}

async function findIn(
  text: string,
  { options, model }: { options: OnnxClassifierOptions; model: OnnxModel },
): Promise<readonly Finding[]> {
  const words = wordsOf(text, model.tokenizer);
  const labels: string[] = Array.from({ length: words.length }, () => "O");
  for (const { from, to, keep } of windowsOf(words, (options.mostTokens ?? 512) - 2)) {
    const said = await labelWindow(words.slice(from, to), { options, model });
    for (let at = keep; at < to; at += 1) labels[at] = said[at - from] ?? "O";
  }
  return labelSpans(words, labels).flatMap(({ type, start, end }) => {
    const kind = entityKind(type);
    return kind === null ? [] : [{ start, end, ...kind, canonical: canonicalName(text.slice(start, end)) }];
  });
}

interface Window {
  readonly from: number;
  readonly to: number;
  /** From here on its labels count; what stands before was seen better by the window before. */
  readonly keep: number;
}

function windowsOf(words: readonly Word[], room: number): readonly Window[] {
  const windows: Window[] = [];
  let from = 0;
  let keep = 0;
  while (keep < words.length) {
    // Where what is shared fills a window by itself, nothing is shared. A word that is longer than a window is labelled by its beginning.
    if (reach(words, from, room) <= keep) from = keep;
    const to = Math.max(reach(words, from, room), keep + 1);
    windows.push({ from, to, keep });
    const shared = Math.min(overlap, (to - from) >> 1);
    keep = to === words.length ? to : Math.max(keep + 1, to - (shared >> 1));
    from = Math.min(to - shared, keep);
  }
  return windows;
}

/** The first word after those that fit into a window. */
function reach(words: readonly Word[], from: number, room: number): number {
  let pieces = 0;
  for (let at = from; at < words.length; at += 1) {
    pieces += words[at]?.ids.length ?? 0;
    if (pieces > room) return at;
  }
  return words.length;
}

async function labelWindow(
  words: readonly Word[],
  { options, model }: { options: OnnxClassifierOptions; model: OnnxModel },
): Promise<readonly string[]> {
  const { name, labels } = options;
  const [first = 0, last = 0] = model.tokenizer.encode("").ids;
  const ids = [first, ...words.flatMap((word) => word.ids), last].slice(0, options.mostTokens ?? 512);
  const { output, dims } = await model.run([{ ids, types: ids.map(() => 0) }]);
  const [, tokens = 0, width = 0] = dims;
  if (width !== labels.length || tokens < ids.length || output.length < ids.length * width)
    throw unavailable(name, `gives ${width} scores a token, but ${labels.length} labels are named`);
  let at = 1;
  return words.map((word) => {
    const label = labels[bestOf(output.subarray(at * width, (at + 1) * width))] ?? "O";
    at += word.ids.length;
    return label;
  });
}

function bestOf(scores: Float32Array): number {
  let best = 0;
  for (let at = 1; at < scores.length; at += 1) if ((scores[at] ?? 0) > (scores[best] ?? 0)) best = at;
  return best;
}

function invalid(message: string): CountersignError {
  return new CountersignError("definition_invalid", message);
}
