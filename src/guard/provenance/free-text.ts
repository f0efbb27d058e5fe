/**
 * What free text may not bring in: addresses, links and account numbers that the principal did not write, and secrets. A text that says
 * them in a roundabout way (look-alike letters, invisible characters, `dot`, percent escapes) counts as saying them. Pure.
 */

/** Names what stands in a text and neither in the request nor in what the caller allows beside it; empty where nothing does. */
export function strangersIn(text: string, { request, secrets }: { request: string; secrets: readonly string[] }): string[] {
  const folded = fold(text);
  const named = namedIn(fold(request));
  const found: string[] = [];
  let rest = folded;
  for (const { name, pattern, isMeant, form } of patterns) {
    // What was read as one thing is not read again as a part of it.
    const forms = new Set(named.map(form));
    rest = rest.replace(pattern, (one) => {
      if (!isMeant(one)) return one;
      if (!forms.has(form(one))) found.push(name);
      return " ";
    });
  }
  const plain = packed(folded);
  const told = secrets.some((secret) => packed(fold(secret)).length >= shortestSecret && plain.includes(packed(fold(secret))));
  return [...new Set([...found, ...(told ? ["a secret"] : [])])];
}

/** Shorter ones stand in texts by chance. */
const shortestSecret = 4;

/** Groups as people write them: a space or two, a comma, a dash between. */
const digitRun = /\d(?:[ \-./,_]{0,2}\d){6,40}/gu;
const lettersAndDigits = /[A-Z]{2}\d{2}(?:[ -]{0,2}[A-Z0-9]{2,5}){2,8}/giu;

const patterns: readonly {
  readonly name: string;
  readonly pattern: RegExp;
  readonly isMeant: (found: string) => boolean;
  readonly form: (found: string) => string;
}[] = [
  { name: "an address of mail", pattern: /[^\s@,;:<>"'()[\]]{1,64}@[^\s@,;:<>"'()[\]]{1,253}/gu, isMeant: always, form: trimmed },
  { name: "a link", pattern: /[a-z][a-z0-9+.-]{1,20}:\/\/[^\s<>"']+/giu, isMeant: always, form: trimmed },
  {
    name: "a link",
    pattern: /(?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}{2,24}(?::\d+)?(?:\/[^\s<>"']*)?/gu,
    isMeant: always,
    form: trimmed,
  },
  { name: "a link", pattern: /(?:\d{1,3}\.){3}\d{1,3}(?:\/[^\s<>"']*)?/gu, isMeant: always, form: trimmed },
  { name: "an account number", pattern: lettersAndDigits, isMeant: hasManyDigits, form: packed },
  { name: "an account number", pattern: digitRun, isMeant: (found) => !isTime(found), form: packed },
];

function always(): boolean {
  return true;
}

function hasManyDigits(found: string): boolean {
  return (found.match(/\d/g) ?? []).length >= 6;
}

/** A day, also with an hour behind it; no other groups of digits are. */
function isTime(found: string): boolean {
  const [, year, month, day, hour = "0"] = /^(\d{4})-(\d{1,2})-(\d{1,2})(?: (\d{1,2}))?$/.exec(found) ?? [];
  if (year !== undefined) return Number(month) <= 12 && Number(day) <= 31 && Number(hour) <= 24;
  const [, first, second] = /^(\d{1,2})[./](\d{1,2})[./]\d{4}$/.exec(found) ?? [];
  return first !== undefined && Number(first) <= 31 && Number(second) <= 31;
}

/** What the request names, each as a whole: a piece of a longer address is another address. */
function namedIn(known: string): readonly string[] {
  return known.split(/[\s<>"'(),;]+/).concat(known.match(lettersAndDigits) ?? [], known.match(digitRun) ?? []);
}

/** Hosts are the same in any case; what stands behind them is not. */
function trimmed(found: string): string {
  const bare = found.replace(/^[.:!?]+|[.:!?/]+$/g, "");
  const [host = ""] = /^(?:[a-z][a-z0-9+.-]*:\/\/)?[^/?#]*/i.exec(bare) ?? [];
  return host.toLowerCase() + bare.slice(host.length);
}

function packed(text: string): string {
  return text.toLowerCase().replace(/[\s\-./,_:]/g, "");
}

/** One form for what reads alike: compatibility forms, no invisible characters, no escapes, and the usual ways around a dot and an at. */
function fold(text: string): string {
  // Escapes of escapes: each pass takes one layer off, and who needs more than three is not read by people either.
  const plain = unescaped(unescaped(unescaped(text.normalize("NFKC"))))
    .replace(/[\p{Cf}\p{M}\u115f\u1160\u3164]/gu, "")
    .replace(/\p{Nd}/gu, asciiDigit);
  return plain
    .replace(/h(?:xx|\*\*)p(s?):/gi, "http$1:")
    .replace(/\s{0,3}[[({<]\s{0,3}(?:dot|\.|punkt)\s{0,3}[\])}>]\s{0,3}|\s{1,3}dot\s{1,3}/gi, ".")
    .replace(/\s{0,3}[[({<]\s{0,3}(?:at|@)\s{0,3}[\])}>]\s{0,3}/giu, "@")
    .replace(/(?<=\p{L}|\p{N})\s{0,3}[。．｡․]\s{0,3}(?=\p{L}|\p{N})/gu, ".")
    .replace(/(?<=\p{L}|\p{N})(?:\s{1,3}|\\)\.(?=\p{L}|\p{N})/gu, ".");
}

/** Digits of all scripts stand in runs of ten, from zero on (Unicode Standard, section 4.6). */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  if (code < 128) return digit;
  let zero = code;
  while (zero > code - 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return String((code - zero) % 10);
}

/** Percent escapes and numbered entities as what they stand for; what is none stays as it is. */
function unescaped(text: string): string {
  return text
    .replace(/(?:%[0-9a-f]{2})+/gi, (escapes) => {
      try {
        return decodeURIComponent(escapes);
      } catch {
        return escapes;
      }
    })
    .replace(/&#(?:x([0-9a-f]{1,6})|(\d{1,7}));/gi, (entity, hex?: string, decimal?: string) => {
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return code <= 0x10ffff ? String.fromCodePoint(code) : entity;
    });
}
