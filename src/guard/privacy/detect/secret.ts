import type { DataClass, Finding } from "../../../contract/privacy.ts";
import { endOfMatch } from "./pattern-row.ts";
import { type Finder, isAlphanumeric, type Reading } from "./reading.ts";

// Forms that issuers publish so that they can be found. None may begin within a longer word.
const keys =
  /(?<![\w-])(?:sk-[\w-]{16,}|(?:sk|pk|rk)_(?:live|test)_\w{10,}|gh[pousr]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|(?:AKIA|ASIA|AROA|AIDA)[A-Z0-9]{16}|AIza[\w-]{30,}|ya29\.[\w-]{20,}|xox[abeoprs]-[\w-]{10,}|npm_\w{30,}|hf_\w{20,}|SG\.[\w-]{16,64}\.[\w-]{16,}|eyJ[\w-]{8,4096}\.[\w-]{8,8192}\.[\w-]{0,8192}|AGE-SECRET-KEY-1\w{20,}|pypi-[\w-]{20,}|dop_v1_\w{32,}|shpat_\w{20,}|sq0[a-z]{3}-[\w-]{20,})/y;

const authorisation = /(?<![\w-])(?:bearer|basic) {1,4}([\w.~+/=-]{16,8192})/iy;

const assigned =
  /(?<![A-Za-z])((?:pass(?:word|wort|wd|phrase|code)|pwd|kennwort|contraseña|mot de passe|secret|token|api[_ -]?key|(?:access|auth|private|secret|client)[_ -]?(?:key|token|secret)))["']?(?:[ \t]{0,3}[:=]>?[ \t]{0,3}|[ \t]{1,3}(?:is|ist|es|est)[ \t:]{1,3})["'`]?([^\s"'`,;<>(){}[\]\\]{4,4096})/iy;

const pem = /-----BEGIN ([A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?)-----/g;
const longestPem = 16_384;

/**
 * Finds keys and passwords: private keys in PEM, keys in the forms of well-known issuers, JSON Web Tokens, what follows `Bearer`, and what a word such
 * as `password` or `api_key` names. The canonical form is the value as it stands.
 */
export const findSecrets: Finder = (reading) => [
  ...findPem(reading.text),
  ...findKeys(reading),
  ...findAuthorisations(reading),
  ...findAssigned(reading),
];

const asFinding = (text: string, start: number, end: number): Finding =>
  finding(text, { start, end, class: "secret", kind: "key" });

const finding = (
  text: string,
  { start, end, ...named }: { readonly start: number; readonly end: number; readonly class: DataClass; readonly kind: string },
): Finding => ({ start, end, ...named, jurisdiction: null, canonical: text.slice(start, end) });

function findKeys({ text, runs }: Reading): Finding[] {
  const found: Finding[] = [];
  const { starts, ends } = runs();
  let last = 0;
  for (const [at, runStart] of starts.entries()) {
    for (const start of beginnings(text, runStart, ends[at] ?? runStart)) {
      const end = start < last ? null : endOfMatch(keys, text, start);
      if (end === null) continue;
      found.push(asFinding(text, start, end));
      last = end;
    }
  }
  return found;
}

const longestHead = 4;

// A key is a long run, or the one behind a short one and a full stop. `+` and `/`, which base64 has, are in none: one may begin behind them.
function beginnings(text: string, runStart: number, runEnd: number): readonly number[] {
  const places: number[] = [];
  if (text.charCodeAt(runStart - 1) === 0x2e) {
    let head = runStart - 1;
    while (runStart - 1 - head < longestHead && isAlphanumeric(text.charCodeAt(head - 1))) head -= 1;
    places.push(head);
  }
  places.push(runStart);
  for (let at = runStart; at < runEnd; at += 1) {
    if (text.charCodeAt(at) === 0x2b || text.charCodeAt(at) === 0x2f) places.push(at + 1);
  }
  return places;
}

function findAuthorisations({ text, cues }: Reading): Finding[] {
  return cues().secrets.flatMap((start) => {
    authorisation.lastIndex = start;
    const [whole = "", value = ""] = authorisation.exec(text) ?? [];
    return value === "" ? [] : [asFinding(text, start + whole.length - value.length, start + whole.length)];
  });
}

function findPem(text: string): Finding[] {
  const found: Finding[] = [];
  let last = 0;
  for (const { 0: head, 1: label, index } of text.matchAll(pem)) {
    if (index < last) continue;
    const foot = `-----END ${label}-----`;
    const within = text.slice(index, index + longestPem);
    const at = within.indexOf(foot);
    last = at < 0 ? index + head.length + bodyLength(within.slice(head.length)) : index + at + foot.length;
    found.push(finding(text, { start: index, end: last, class: "secret", kind: "private_key" }));
  }
  return found;
}

// Of a key that was cut off: lines of base64, escaped or not.
function bodyLength(text: string): number {
  const blank = text.indexOf("\n\n");
  const body = blank < 0 ? text : text.slice(0, blank);
  return /^[A-Za-z0-9+/=\s\\]*/.exec(body)?.[0].trimEnd().length ?? 0;
}

// Words of sentences about passwords, and names of places where one is kept.
const noValue =
  /^(?:required|optional|missing|wrong|invalid|incorrect|expired|string|null|none|undefined|true|false|passwords?|await|new|https?:.*|this|self|process\.env.*|\$.*|\*+|x+|<.*|%.*)$/i;

// Parameters of URLs are `url_credential`, and end where the next one begins.
const isParameter = /[?&#;][\w-]{0,24}$/;

function findAssigned({ text, cues }: Reading): Finding[] {
  const found: Finding[] = [];
  let last = 0;
  for (const index of cues().secrets) {
    assigned.lastIndex = index;
    const [whole = "", name = "", rest = ""] = (index < last ? null : assigned.exec(text)) ?? [];
    if (whole === "") continue;
    last = index + whole.length;
    const value = rest.replace(/[.!?]+$/, "");
    const start = index + whole.length - rest.length;
    const isCall = text.charAt(index + whole.length) === "(";
    if (isCall || isParameter.test(text.slice(Math.max(0, index - 26), index)) || !isValue(value)) continue;
    if (!isKeyLike(value) && !isTyped(whole, name, rest)) continue;
    const kind = /^(?:pass|pwd|kennwort|contra|mot)/i.test(name) ? "password" : "key";
    found.push(finding(text, { start, end: start + value.length, class: "secret", kind }));
  }
  return found;
}

const isValue = (value: string): boolean => value.length >= 4 && !noValue.test(value) && !isName(value);

// `SMTP_PASSWORD` names where a secret is kept.
const isName = (value: string): boolean => /^[A-Z][A-Z0-9]{0,40}_[A-Z0-9_]{1,80}$/.test(value);

// A letter beside a digit or a sign: no word of prose.
const isKeyLike = (value: string): boolean => value.length >= 6 && /[A-Za-z]/.test(value) && /[^A-Za-z.'-]/.test(value);

// A password may be a plain word where a sign of assignment stands before it.
const isTyped = (whole: string, name: string, rest: string): boolean =>
  /^(?:pass|pwd|kennwort|contra|mot)/i.test(name) && /[:=]/.test(whole.slice(name.length, whole.length - rest.length));
