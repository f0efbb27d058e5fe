// Finds what has a shape or is known to the letter. Pure and linear in the length of the text; it sends nothing and keeps nothing.
import type { Finding } from "../../../contract/privacy.ts";
import { type Folded, fold, originalRange } from "../fold.ts";
import { findInBase64 } from "./base64.ts";
import { findBirthDates } from "./birth-date.ts";
import { findCards } from "./card.ts";
import { documentFinders } from "./documents.ts";
import { findEmails } from "./email.ts";
import { findIbans } from "./iban.ts";
import { findAddresses } from "./ip.ts";
import { nationalIdFinders } from "./national-ids.ts";
import { findPhones } from "./phone.ts";
import { type Finder, openReading } from "./reading.ts";
import { findSecrets } from "./secret.ts";
import type { TermMatcher } from "./terms.ts";
import { unescapeText } from "./unescape.ts";
import { unite } from "./unite.ts";
import { findUrlCredentials } from "./url-credential.ts";

/** What is looked for besides shapes. */
export interface FindOptions {
  /** Exact terms, made by `compileTerms`. */
  readonly terms?: TermMatcher;
}

/**
 * Finds personal data that has a shape, and exact terms, in a text of any kind. It reads through full-width and other forms of characters, through
 * escapes of URLs, JSON and HTML, and into base64. The findings are sorted and disjoint, in places of the text as it was handed over.
 * Time is linear in the length of the text.
 */
export function findStructured(text: string, options: FindOptions = {}): readonly Finding[] {
  return look(text, { ...options, finders }, deepest);
}

/** Finds exact terms alone, through escapes and base64 as `findStructured` does. */
export function findTerms(text: string, terms: TermMatcher): readonly Finding[] {
  return look(text, { terms, finders: [] }, deepest);
}

// Base64 within base64 is read, what lies deeper is not.
const deepest = 2;

const finders: readonly Finder[] = [
  findEmails,
  findPhones,
  findCards,
  findIbans,
  findAddresses,
  findSecrets,
  findUrlCredentials,
  findBirthDates,
  ...nationalIdFinders,
  ...documentFinders,
];

interface Looking extends FindOptions {
  readonly finders: readonly Finder[];
}

function look(text: string, options: Looking, depth: number): readonly Finding[] {
  const folded = fold(text);
  const views = [folded, ...unescapeText(folded)];
  return unite(views.flatMap((view) => lookAt(view, options, depth)));
}

function lookAt(view: Folded, options: Looking, depth: number): Finding[] {
  const reading = openReading(view.text);
  const found = options.finders.flatMap((find) => find(reading));
  if (options.terms !== undefined) found.push(...options.terms(view.text));
  if (depth > 0) found.push(...findInBase64(reading, (decoded) => look(decoded, options, depth - 1)));
  if (view.origin === null) return found;
  return found.map((finding) => ({ ...finding, ...originalRange(view, finding.start, finding.end) }));
}
