// What the words of a document say of its passages: BM25 before the rarity of the word, for a passage, its window and its section. Pure.
import type { CollectionSettings, FiledPassage } from "../../contract/knowledge.ts";
import { analyse } from "./analyse.ts";

/** Scores are kept as whole thousandths. */
const scale = 1_000;
/** What fits beside the mark of an own entry. */
const mostOfScore = 32_767;

/** What a term says of one passage: `score` is that of passage and window before the rarity of the term, in whole thousandths. */
export interface PassageEntry {
  /** Counted from 1. */
  readonly position: number;
  /** The number of its parent section, counted from 0. */
  readonly section: number;
  readonly score: number;
  /** Whether the term finds the passage; else it stands in its window alone. */
  readonly isOwn: boolean;
}

/** What a term says of one section, likewise. */
export interface SectionEntry {
  readonly section: number;
  readonly score: number;
}

/** What one term says of one document: each list in the order of its passages. A section that holds a passage of its own is always there. */
export interface Posting {
  readonly passages: readonly PassageEntry[];
  readonly sections: readonly SectionEntry[];
}

/** A document as the index holds it. */
export interface IndexedDocument {
  /** By term. */
  readonly postings: ReadonlyMap<string, Posting>;
  /** In how many passages each term occurs. */
  readonly passagesOfTerm: ReadonlyMap<string, number>;
  /** Of each passage: its section's number, counted from 0, and its length in terms. */
  readonly places: readonly { readonly section: number; readonly length: number }[];
}

/**
 * Makes the postings of one document. The words of the headings above a passage, and of the document's title, count for its section.
 * Where headings find, they make a passage findable, and still add nothing to its own score: a long section is not one heading many times.
 */
export function indexDocument({
  title,
  passages,
  settings,
}: {
  title: string;
  passages: readonly FiledPassage[];
  settings: CollectionSettings;
}): IndexedDocument {
  const sections = sectionsOf({ title, passages });
  const places = passages.map((passage, at) => placeOf(passage, sections.of[at] ?? 0));
  const index: Index = { postings: new Map(), passagesOfTerm: new Map() };
  for (let at = 0; at < places.length; at += 1)
    addPassage(index, {
      places,
      at,
      settings,
      heading: settings.headingsFind ? sections.headings[places[at]?.section ?? 0] : undefined,
    });
  for (const [number, section] of gatherSections(places, sections.counts).entries())
    addSection(index, { number, section, settings });
  return { ...index, places };
}

type Counts = ReadonlyMap<string, number>;

interface Place {
  readonly section: number;
  readonly counts: Counts;
  readonly length: number;
}

interface Index {
  readonly postings: Map<string, { readonly passages: PassageEntry[]; readonly sections: SectionEntry[] }>;
  readonly passagesOfTerm: Map<string, number>;
}

function sectionsOf({ title, passages }: { title: string; passages: readonly FiledPassage[] }) {
  const of: number[] = [];
  const headings: ReadonlySet<string>[] = [];
  const counts: Map<string, number>[] = [];
  let before: string | null = null;
  for (const { sectionPath } of passages) {
    const path = JSON.stringify(sectionPath);
    if (path !== before) {
      headings.push(new Set(analyse(sectionPath.join("\n")).flat()));
      counts.push(countTerms(`${title}\n${sectionPath.join("\n")}`).counts);
    }
    before = path;
    of.push(headings.length - 1);
  }
  return { of, headings, counts };
}

function placeOf({ text, contextLine = "" }: FiledPassage, section: number): Place {
  return { section, ...countTerms(`${contextLine}\n${text}`) };
}

function countTerms(text: string): { counts: Map<string, number>; length: number } {
  const counts = new Map<string, number>();
  const tokens = analyse(text);
  for (const terms of tokens) for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return { counts, length: tokens.length };
}

interface Adding {
  readonly places: readonly Place[];
  readonly at: number;
  readonly settings: CollectionSettings;
  /** Words that find the passage though it does not hold them. */
  readonly heading: ReadonlySet<string> | undefined;
}

function addPassage(index: Index, { places, at, settings, heading = new Set() }: Adding): void {
  const own = places[at];
  if (own === undefined) return;
  const { windowReach, windowWeight, passageTerms } = settings;
  const window = places.slice(Math.max(0, at - windowReach), at + windowReach + 1);
  const around = sum(window.map(({ counts }) => counts));
  const length = window.reduce((total, place) => total + place.length, 0);
  for (const term of new Set([...around.keys(), ...heading])) {
    const count = own.counts.get(term) ?? 0;
    const isOwn = count > 0 || heading.has(term);
    const ownScore = saturate({ count, length: own.length, usual: passageTerms, settings });
    const usual = passageTerms * (2 * windowReach + 1);
    const score = ownScore + windowWeight * saturate({ count: around.get(term) ?? 0, length, usual, settings });
    postingOf(index, term).passages.push({ position: at + 1, section: own.section, score: thousandths(score), isOwn });
    if (isOwn) index.passagesOfTerm.set(term, (index.passagesOfTerm.get(term) ?? 0) + 1);
  }
}

/** How much a word says that occurs so often in a text of this length: BM25 without the rarity of the word. */
function saturate({
  count,
  length,
  usual,
  settings: { k1, b },
}: {
  count: number;
  length: number;
  usual: number;
  settings: CollectionSettings;
}): number {
  return count === 0 ? 0 : (count * (k1 + 1)) / (count + k1 * (1 - b + (b * length) / usual));
}

function sum(parts: readonly Counts[]): Counts {
  if (parts.length === 1 && parts[0] !== undefined) return parts[0];
  const all = new Map<string, number>();
  for (const part of parts) for (const [term, count] of part) all.set(term, (all.get(term) ?? 0) + count);
  return all;
}

interface Section {
  readonly counts: Counts;
  readonly length: number;
}

function gatherSections(places: readonly Place[], headings: readonly Map<string, number>[]): readonly Section[] {
  const sections = headings.map((counts) => ({ counts, length: 0 }));
  for (const place of places) {
    const section = sections[place.section];
    if (section === undefined) continue;
    section.length += place.length;
    for (const [term, count] of place.counts) section.counts.set(term, (section.counts.get(term) ?? 0) + count);
  }
  return sections;
}

function addSection(
  index: Index,
  { number, section, settings }: { number: number; section: Section; settings: CollectionSettings },
): void {
  for (const [term, count] of section.counts) {
    const score = settings.sectionWeight * saturate({ count, length: section.length, usual: settings.sectionTerms, settings });
    postingOf(index, term).sections.push({ section: number, score: thousandths(score) });
  }
}

function postingOf({ postings }: Index, term: string): { passages: PassageEntry[]; sections: SectionEntry[] } {
  const kept = postings.get(term);
  if (kept !== undefined) return kept;
  const made = { passages: [], sections: [] };
  postings.set(term, made);
  return made;
}

function thousandths(score: number): number {
  return Math.min(Math.round(score * scale), mostOfScore);
}
