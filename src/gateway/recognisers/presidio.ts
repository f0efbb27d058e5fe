import * as z from "zod";
import { CountersignError } from "../../contract/errors.ts";
import type { Cancel } from "../../contract/principal.ts";
import type { Finding, Recogniser } from "../../contract/privacy.ts";
import { canonicalName } from "../../guard/privacy/recogniser/canonical-name.ts";
import { insideAddress } from "../inside/address.ts";
import { askJson, unavailable } from "../inside/ask-json.ts";
import { checkModelName } from "../inside/check-name.ts";
import { entityKind } from "./entity-kinds.ts";
import { cancelled } from "./recogniser-fault.ts";

/** How a Presidio analyzer is reached. */
export interface PresidioOptions {
  readonly name: string;
  /** The address that has `/analyze`. This machine, or a host of `insideHosts`: texts are sent to it as they are. */
  readonly baseUrl: string;
  /** Hosts that stand inside the boundary, though they are not this machine. */
  readonly insideHosts?: readonly string[];
  /** The language that texts are read in, as the analyzer names it; `en` unless given. */
  readonly language?: string;
  /** From 0 to 1: what the analyzer is less sure of is not taken. 0.4 unless given. */
  readonly minScore?: number;
  /** For one text. 10,000 unless given. */
  readonly timeoutMs?: number;
}

/** Texts that are asked about at the same time. */
const atOnce = 4;
const mostFindings = 100_000;

/**
 * A recogniser behind Microsoft Presidio's analyzer, by its `POST /analyze`. Throws `definition_invalid` for a name, an address or a score
 * that cannot be; `find` rejects with `model_unavailable` for every text that was not answered in full, so that nothing is sent.
 * @example
 * presidioAnalyzer({ name: "presidio", baseUrl: "http://127.0.0.1:5002" });
 */
export function presidioAnalyzer(options: PresidioOptions): Recogniser {
  const { name, language = "en", minScore = 0.4, timeoutMs = 10_000 } = options;
  checkModelName("a recogniser", name);
  if (!(minScore >= 0 && minScore <= 1)) throw invalid(`the recogniser \`${name}\` needs a least score from 0 to 1`);
  if (!/^[a-z]{2,3}(?:[-_][A-Za-z]{2,8})?$/.test(language))
    throw invalid(`the recogniser \`${name}\` needs a language such as \`en\``);
  const url = `${insideAddress(name, options)}/analyze`;
  const findOne = async (text: string, cancel: Cancel): Promise<readonly Finding[]> => {
    if (text.trim() === "") return [];
    const body = { text, language, score_threshold: minScore };
    return findingsOf({ name, text, minScore }, await askJson({ name, url, key: null, body, timeoutMs, cancel }));
  };
  return Object.freeze<Recogniser>({
    ...{ name, version: `presidio-${language}-${minScore}` },
    find: async (texts, cancel) => {
      const found: (readonly Finding[])[] = [];
      for (let at = 0; at < texts.length; at += atOnce) {
        if (cancel.isCancelled()) throw cancelled(name);
        found.push(...(await Promise.all(texts.slice(at, at + atOnce).map((text) => findOne(text, cancel)))));
      }
      return found;
    },
  });
}

const answerForm = z
  .array(
    z.object({
      start: z.number().int().min(0),
      end: z.number().int().min(1),
      score: z.number().min(0).max(1),
      entity_type: z.string().min(1).max(100),
    }),
  )
  .max(mostFindings);

interface Asked {
  readonly name: string;
  readonly text: string;
  readonly minScore: number;
}

function findingsOf({ name, text, minScore }: Asked, answer: unknown): readonly Finding[] {
  const read = answerForm.safeParse(answer);
  if (!read.success) throw unavailable(name, "answered in another form than that of an analyzer");
  const places = unitsOf(text);
  return read.data.flatMap(({ start, end, score, entity_type: type }) => {
    if (start >= end || end >= places.length) throw unavailable(name, "answered with a range that lies outside of the text");
    const kind = entityKind(type);
    if (kind === null || score < minScore) return [];
    const range = { start: places[start] ?? 0, end: places[end] ?? 0 };
    return [{ ...range, ...kind, canonical: canonicalName(text.slice(range.start, range.end)) }];
  });
}

/** Where each character begins in UTF-16 units, and the end of the text: Python counts characters. */
function unitsOf(text: string): readonly number[] {
  const places: number[] = [];
  let unit = 0;
  for (const character of text) {
    places.push(unit);
    unit += character.length;
  }
  return [...places, unit];
}

function invalid(message: string): CountersignError {
  return new CountersignError("definition_invalid", message);
}
