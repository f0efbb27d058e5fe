import type { DataClass, Finding } from "../../../contract/privacy.ts";
import { fold } from "../fold.ts";

/** An exact value to look for, such as a customer's name from a record or a word of a tenant's dictionary. */
export interface Term {
  readonly value: string;
  /** `term` where none is said. */
  readonly class?: DataClass;
  /** The class where none is said. */
  readonly kind?: string;
}

/** Compiled terms: finds them in a folded text, in places of that text. Where terms lie in one another the longest is named. */
export type TermMatcher = (folded: string) => readonly Finding[];

/**
 * Makes a matcher of exact terms: whole words, whatever their case, spelling of characters and white space between. It walks a text once however many
 * terms there are (A. Aho and M. Corasick, 1975, over words instead of letters). Terms without a letter or digit are left out.
 */
export function compileTerms(terms: readonly Term[]): TermMatcher {
  return compileWords(terms.map(({ value, class: of = "term", kind = of }) => ({ words: wordsOfTerm(value), class: of, kind })));
}

/** A term in its words. */
export interface TermInWords {
  readonly words: readonly string[];
  readonly class: DataClass;
  readonly kind: string;
  /** Whether it counts only on one line, and where none of its words begins with a small letter. */
  readonly isStrict?: boolean;
}

/** The words of a term as they are compared: folded, in small letters, every sign one of its own. */
export function wordsOfTerm(value: string): readonly string[] {
  return [...wordsOf(fold(value).text)].map(({ text }) => text);
}

/** As `compileTerms`, for terms whose words are known. Of terms of the same words the first counts. */
export function compileWords(terms: readonly TermInWords[]): TermMatcher {
  const nodes: Node[] = [newNode(0)];
  for (const term of terms) insert(nodes, term);
  linkFailures(nodes);
  return nodes.length === 1 ? () => [] : (folded) => match(nodes, folded);
}

interface Node {
  readonly next: Map<string, number>;
  readonly depth: number;
  term: TermInWords | null;
  /** Where to go on when no word fits: the longest end of what was read that begins a term. */
  failure: number;
  /** The nearest node on the way of failures, this one included, at which a term ends; 0 is none. */
  ending: number;
}

const newNode = (depth: number): Node => ({ next: new Map(), depth, term: null, failure: 0, ending: 0 });

interface Word {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

// Words of scripts without spaces are their single characters; every other sign is a word of its own.
const word =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]|[\p{L}\p{N}\p{M}]+|\S/gu;

function* wordsOf(folded: string): Generator<Word> {
  for (const { 0: text, index } of folded.matchAll(word))
    yield { text: text.toLowerCase(), start: index, end: index + text.length };
}

function insert(nodes: Node[], term: TermInWords): void {
  if (!term.words.some((text) => /[\p{L}\p{N}]/u.test(text))) return;
  let at = 0;
  for (const text of term.words) at = nextOrNew(nodes, at, text);
  const node = nodes[at];
  if (node !== undefined) node.term ??= term;
}

function nextOrNew(nodes: Node[], at: number, text: string): number {
  const node = nodes[at];
  const known = node?.next.get(text);
  if (known !== undefined) return known;
  node?.next.set(text, nodes.length);
  return nodes.push(newNode((node?.depth ?? 0) + 1)) - 1;
}

// Breadth first: a node's failure lies nearer to the root and is linked already.
function linkFailures(nodes: readonly Node[]): void {
  const queue = [0];
  for (const at of queue) {
    for (const [text, child] of nodes[at]?.next ?? []) {
      linkFailure(nodes, { at, text, child });
      queue.push(child);
    }
  }
}

function linkFailure(nodes: readonly Node[], link: { readonly at: number; readonly text: string; readonly child: number }): void {
  const node = nodes[link.child];
  if (node === undefined) return;
  node.failure = link.at === 0 ? 0 : step(nodes, nodes[link.at]?.failure ?? 0, link.text);
  node.ending = node.term === null ? (nodes[node.failure]?.ending ?? 0) : link.child;
}

function step(nodes: readonly Node[], from: number, text: string): number {
  for (let at = from; ; at = nodes[at]?.failure ?? 0) {
    const next = nodes[at]?.next.get(text);
    if (next !== undefined) return next;
    if (at === 0) return 0;
  }
}

function match(nodes: readonly Node[], folded: string): readonly Finding[] {
  const found: Finding[] = [];
  const starts: number[] = [];
  let at = 0;
  for (const { text, start, end } of wordsOf(folded)) {
    starts.push(start);
    at = step(nodes, at, text);
    const ending = endingAt(nodes, at, (depth) => isStrictlyWritten(folded, starts.slice(-depth), end));
    if (ending === null) continue;
    const { term, depth } = ending;
    const first = starts[starts.length - depth] ?? start;
    while ((found.at(-1)?.start ?? -1) >= first) found.pop();
    found.push({ start: first, end, class: term.class, kind: term.kind, jurisdiction: null, canonical: term.words.join(" ") });
  }
  return found;
}

/** The longest term that ends at a node and counts there; `isStrict` says so of as many words as it is handed. */
function endingAt(
  nodes: readonly Node[],
  at: number,
  isStrict: (words: number) => boolean,
): { readonly term: TermInWords; readonly depth: number } | null {
  for (let place = nodes[at]?.ending ?? 0; place !== 0; ) {
    const { term = null, depth = 0, failure = 0 } = nodes[place] ?? {};
    if (term !== null && (term.isStrict !== true || isStrict(depth))) return { term, depth };
    place = nodes[failure]?.ending ?? 0;
  }
  return null;
}

function isStrictlyWritten(folded: string, starts: readonly number[], end: number): boolean {
  if (folded.slice(starts[0], end).includes("\n")) return false;
  return !starts.some((start) => /^\p{Ll}/u.test(folded.slice(start, start + 2)));
}
