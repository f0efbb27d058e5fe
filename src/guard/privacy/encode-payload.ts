import { CountersignError, faultName } from "../../contract/errors.ts";
import type { Cancel } from "../../contract/principal.ts";
import type { Finding, PrivacyRule, Recogniser, Treatment } from "../../contract/privacy.ts";
import { markEncoded, type Outgoing } from "./encode.ts";
import { stricter, treatmentFor } from "./policy.ts";
import { replaceCount, replaceText } from "./replace.ts";
import { type Piece, piecesOf, settlePieces } from "./settle.ts";
import { type FindAgain, type SpreadValue, searchAgain } from "./spread.ts";
import { searchNames } from "./spread-names.ts";
import type { Drawn } from "./stand-ins/drawn.ts";
import { type Span, surveyText } from "./stand-ins/sight.ts";
import { standInFor } from "./stand-ins/stand-in-for.ts";
import { isInitial, wordsOf } from "./stand-ins/words.ts";
import { type ReplacedLeaf, tallyOf } from "./tally.ts";
import { mapLeaves, type OpenLook } from "./walk.ts";
import { yieldToWords } from "./yield-to-words.ts";

/** What is encoded, and with what. */
export interface Encoding<T> {
  readonly drawn: Drawn;
  readonly rules: readonly PrivacyRule[];
  readonly region: string;
  readonly structured: (text: string) => readonly Finding[];
  readonly recogniser: Recogniser | null;
  readonly payload: T;
  readonly cancel: Cancel;
}

/** A text of the payload, once for all its places. */
interface Text {
  readonly text: string;
  readonly look: OpenLook;
  /** Where the recogniser said something lies; empty until it has. */
  readonly named: readonly Finding[];
}

/** Replaces personal data in a payload. Throws as `Boundary.encode` says. */
export async function encodePayload<T extends object>(encoding: Encoding<T>): Promise<Outgoing<T>> {
  const { drawn, recogniser, cancel } = encoding;
  // What is sent is made of the copy that was looked through: while the recogniser works, others may change the payload.
  const { copy, texts, counts } = collect(encoding.payload);
  const named = await askRecogniser({ recogniser, texts, cancel });
  // From here on nothing waits: what is drawn for one payload is never drawn against half of another.
  const treatmentOf = treatments(encoding);
  const looked = texts.map((one, at) => lookThrough({ ...one, named: named[at] ?? [] }, encoding, treatmentOf));
  const numbers = [...counts].map((count) =>
    lookThrough({ text: String(count), look: "full", named: [] }, encoding, treatmentOf),
  );
  const values = valuesOf([...looked, ...numbers], () => true);
  const again = { all: searchAgain(values), names: searchNames(values), formed: searchAgain(valuesOf(looked, isFormed)) };
  for (const count of counts) drawn.ownCounts.add(count);
  const settled = looked.map((one) => findMore(one, again));
  drawNames(drawn, settled);
  const tally = tallyOf();
  const replaced = { full: new Map<string, ReplacedLeaf<string>>(), schema: new Map<string, ReplacedLeaf<string>>() };
  for (const one of settled) replaced[one.look].set(one.text, replaceText(drawn, one));
  const ofCounts = new Map(numbers.map((one) => [one.text, replaceCount(drawn, findMore(one, again))]));
  const mapped = mapLeaves(copy, {
    text: (text, look) => tally.add(lookedThrough(replaced[look], text)),
    count: (count, look) => (look === "schema" ? count : tally.add(lookedThrough(ofCounts, String(count)))),
  });
  return { payload: markEncoded(mapped), boundary: "on", replaced: tally.rows() };
}

/** What became of a leaf. Invariant: each leaf of the copy was looked through; one that was not must never be sent as it is. */
function lookedThrough<T>(leaves: ReadonlyMap<string, ReplacedLeaf<T>>, id: string): ReplacedLeaf<T> {
  const leaf = leaves.get(id);
  if (leaf === undefined) throw new CountersignError("internal", "the payload holds a value that was not looked through");
  return leaf;
}

interface Collected<T> {
  readonly copy: T;
  /** Each text of the payload once, and each number that may hold something. */
  readonly texts: readonly Omit<Text, "named">[];
  readonly counts: ReadonlySet<number>;
}

/** Reads the payload, once. */
function collect<T extends object>(payload: T): Collected<T> {
  // By the text itself, which is kept: a longer key would be made, and read through, for each leaf.
  const seen = { full: new Set<string>(), schema: new Set<string>() };
  const texts: Omit<Text, "named">[] = [];
  const counts = new Set<number>();
  const copy = mapLeaves(payload, {
    text: (text, look) => {
      if (seen[look].has(text)) return text;
      seen[look].add(text);
      texts.push({ text, look });
      return text;
    },
    count: (count, look) => {
      if (look === "full") counts.add(count);
      return count;
    },
  });
  return { copy, texts, counts };
}

/** One list for each text. A JSON Schema is not shown to the recogniser: its prose is a capability author's. */
async function askRecogniser({
  recogniser,
  texts,
  cancel,
}: {
  readonly recogniser: Recogniser | null;
  readonly texts: readonly Omit<Text, "named">[];
  readonly cancel: Cancel;
}): Promise<readonly (readonly Finding[])[]> {
  const shown = texts.map(({ text, look }) => look === "full" && /\p{L}/u.test(text));
  if (recogniser === null || !shown.includes(true)) return [];
  const asked = texts.filter((_, at) => shown[at]).map(({ text }) => text);
  const found = await recogniser.find(asked, cancel).catch((thrown: unknown) => {
    // Without its cause: that may quote the text which was to be looked through.
    throw noNames(recogniser, faultName(thrown));
  });
  if (found.length !== asked.length) throw noNames(recogniser, "another number of answers than of texts");
  let next = 0;
  return texts.map(({ text }, at) => {
    if (!shown[at]) return [];
    const findings = found[next] ?? [];
    next += 1;
    if (!findings.every((finding) => isInside(text, finding))) throw noNames(recogniser, "a place outside of its text");
    return findings;
  });
}

function noNames({ name }: Recogniser, why: string): CountersignError {
  const message = `the recogniser \`${name}\` could not look through the request (${why}), so nothing may be sent; see that it runs`;
  return new CountersignError("service_unavailable", message, { facts: { recogniser: name, why } });
}

function isInside(text: string, { start, end }: Span): boolean {
  return Number.isInteger(start) && Number.isInteger(end) && start >= 0 && start < end && end <= text.length;
}

/** What the rules say, asked once for each class and country. */
function treatments({ rules, region }: Pick<Encoding<unknown>, "rules" | "region">): (finding: Finding) => Treatment {
  const known = new Map<string, Treatment>();
  return ({ class: of, jurisdiction }) => {
    const id = `${of} ${jurisdiction}`;
    const treatment = known.get(id) ?? treatmentFor(rules, { class: of, jurisdiction, region });
    known.set(id, treatment);
    return treatment;
  };
}

/** A text with what is replaced in it. */
interface Looked {
  readonly text: string;
  readonly look: OpenLook;
  readonly pieces: readonly Piece[];
  readonly known: readonly Span[];
  readonly others: readonly Span[];
}

function lookThrough(
  { text, look, named }: Text,
  { drawn, structured }: Pick<Encoding<unknown>, "drawn" | "structured">,
  treatmentOf: (finding: Finding) => Treatment,
): Looked {
  const { known, others } = surveyText(drawn, text);
  const formed = structured(text).filter((finding) => isInside(text, finding));
  const pieces = [
    ...piecesOf({ text, findings: formed, treatmentOf, isNamed: false }),
    ...piecesOf({ text, findings: named, treatmentOf, isNamed: true }),
  ];
  return { text, look, known, others, pieces: settlePieces({ text, pieces, known, others }) };
}

const isFormed = ({ isNamed }: Piece): boolean => !isNamed;

function valuesOf(looked: readonly Looked[], isWanted: (piece: Piece) => boolean): ReadonlyMap<string, SpreadValue> {
  const values = new Map<string, SpreadValue>();
  for (const { text, pieces } of looked) {
    for (const piece of pieces.filter(isWanted)) {
      const surface = text.slice(piece.start, piece.end);
      const other = values.get(surface);
      // The strictest treatment that it gets anywhere.
      if (other === undefined || stricter(other.treatment, piece.treatment) !== other.treatment) values.set(surface, piece);
    }
  }
  return values;
}

interface Again {
  readonly all: FindAgain;
  readonly names: FindAgain;
  readonly formed: FindAgain;
}

/** What was found in one text is looked for in all of them; in a JSON Schema only what has a form. */
function findMore(looked: Looked, { all, names, formed }: Again): Looked {
  const { text, look } = looked;
  const spelled = look === "schema" ? [] : names(text);
  const more = look === "schema" ? formed(text) : all(text);
  if (more.length + spelled.length === 0) return looked;
  const pieces = [...yieldToWords({ text, pieces: [...looked.pieces, ...more], words: spelled }), ...spelled];
  return { ...looked, pieces: settlePieces({ ...looked, pieces }) };
}

/** Names of more words are drawn first, so that a name of one word finds the longer one that it is a part of; those with an initial last. */
function drawNames(drawn: Drawn, texts: readonly Looked[]): void {
  const names = texts.flatMap(({ text, pieces }) =>
    pieces
      .filter(({ class: of, treatment }) => of === "person" && treatment === "tokenise")
      .map((piece) => ({ ...piece, surface: text.slice(piece.start, piece.end) })),
  );
  const longer = names.map((name) => ({ name, fullness: fullnessOf(name.surface) })).filter(({ fullness }) => fullness > 0);
  for (const { name } of longer.sort((one, other) => other.fullness - one.fullness)) standInFor(drawn, name);
}

/** How many words a name has; less than two with an initial among them, and none for one word alone. */
function fullnessOf(surface: string): number {
  const words = wordsOf(surface);
  if (words.length < 2) return 0;
  return words.some(isInitial) ? 1 : words.length;
}
