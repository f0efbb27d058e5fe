// What single characters are folded to. The tables name code points; `fold.ts` walks the text.

/** Says that a character shows nothing and is left out. */
export const invisible = -1;

// Zeros of the scripts that have decimal digits (Unicode 16, general category Nd); each is followed by its nine others.
const zeros: ReadonlySet<number> = new Set([
  ...[0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xde6, 0xe50, 0xed0, 0xf20],
  ...[0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90, 0x1b50, 0x1bb0, 0x1c40, 0x1c50, 0xa620, 0xa8d0],
  ...[0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0, 0xff10, 0x104a0, 0x10d30, 0x10d40, 0x11066, 0x110f0, 0x11136, 0x111d0],
  ...[0x112f0, 0x11450, 0x114d0, 0x11650, 0x116c0, 0x116d0, 0x116da, 0x11730, 0x118e0, 0x11950, 0x11bf0, 0x11c50],
  ...[0x11d50, 0x11da0, 0x11de0, 0x11f50, 0x16130, 0x16a60, 0x16ac0, 0x16b50, 0x16d70, 0x1ccf0, 0x1d7ce, 0x1d7d8],
  ...[0x1d7e2, 0x1d7ec, 0x1d7f6, 0x1e140, 0x1e2f0, 0x1e4f0, 0x1e5f1, 0x1e950, 0x1fbf0],
]);

// Default_Ignorable_Code_Point: soft hyphen, zero-width characters, marks of direction, variation selectors, tags.
const ignorable = /^\p{Default_Ignorable_Code_Point}$/u;

const spaces = /^\p{Zs}$/u;

const others: ReadonlyMap<number, string> = new Map([
  ...[0x2028, 0x2029, 0x85].map((point) => [point, "\n"] as const),
  ...[0x2010, 0x2011, 0x2012, 0x2013, 0x2014, 0x2015, 0x2212, 0xfe58, 0xfe63, 0x2d7].map((point) => [point, "-"] as const),
  ...[0x2018, 0x2019, 0x201b, 0x2bc].map((point) => [point, "'"] as const),
  ...[0x201c, 0x201d, 0x201f].map((point) => [point, '"'] as const),
  ...([
    [0xfe52, "."],
    [0xff61, "."],
    [0xfe6b, "@"],
    [0x212a, "K"],
  ] as const),
]);

const looksLike = (foreign: string, latin: string): readonly (readonly [number, number])[] =>
  [...foreign].map((letter, at) => [letter.charCodeAt(0), latin.charCodeAt(at)] as const);

const latinTwins: ReadonlyMap<number, number> = new Map([
  ...looksLike("АВЕКМНОРСТУХІЈЅӀԚԜ", "ABEKMHOPCTYXIJSIQW"),
  ...looksLike("аеорсухіјѕһӏԁԛԝкѵ", "aeopcyxijshldqwkv"),
  ...looksLike("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ABEZHIKMNOPTYX"),
  ...looksLike("αινορυκχϲϳ", "aivopukxcj"),
]);

/** The Latin letter that a Cyrillic or Greek one looks like, as a UTF-16 code unit; `undefined` for all others. */
export function latinTwin(unit: number): number | undefined {
  return unit < 0x370 || unit > 0x52f ? undefined : latinTwins.get(unit);
}

/** What a character outside ASCII is folded to whatever stands beside it: a UTF-16 code unit, the point itself, or `invisible`. */
export function foldPoint(point: number): number {
  if (isLetterOfEurope(point)) return point;
  const known = others.get(point);
  if (known !== undefined) return known.charCodeAt(0);
  if (isFullWidth(point)) return point - 0xfee0;
  const value = digitValue(point);
  if (value !== null) return 0x30 + value;
  const text = String.fromCodePoint(point);
  if (ignorable.test(text)) return invisible;
  if (spaces.test(text)) return 0x20;
  return isMathematical(point) ? plainLetter(text) : point;
}

// Latin, Greek and Cyrillic letters are by far the most frequent and stay as they are; the tables need not be asked.
const isLetterOfEurope = (point: number): boolean =>
  (point >= 0xc0 && point <= 0x2af) || (point >= 0x370 && point <= 0x52f) || (point >= 0x4e00 && point <= 0x9fff);
const isFullWidth = (point: number): boolean => point >= 0xff01 && point <= 0xff5e;
const isMathematical = (point: number): boolean => point >= 0x1d400 && point <= 0x1d7ff;

function digitValue(point: number): number | null {
  if (point < 0x660) return null;
  for (let value = 0; value <= 9; value += 1) if (zeros.has(point - value)) return value;
  return null;
}

function plainLetter(text: string): number {
  const plain = text.normalize("NFKC");
  return plain.length === 1 ? plain.charCodeAt(0) : (text.codePointAt(0) ?? invisible);
}
