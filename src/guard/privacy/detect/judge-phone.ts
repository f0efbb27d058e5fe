// Whether groups of digits are a telephone number. Each rule is a shape that other numbers rarely have; what has none needs a word beside it.
import { isAlphanumeric, isDigit } from "./reading.ts";

/** Groups of digits that may be one number; a plus sign or a bracket before the first group is in the range. */
export interface PhoneCandidate {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly groups: readonly string[];
  /** What stands between the groups, one fewer than they are. */
  readonly gaps: readonly string[];
  readonly cues: {
    /** A word of telephoning is the nearest one before, or right behind. */
    readonly isAnnounced: boolean;
    /** Such a word is a few characters away. */
    readonly isNear: boolean;
    /** A word says that the number is an order, a price or the like. */
    readonly isPlain: boolean;
    /** A letter stands right before it. */
    readonly isGlued: boolean;
  };
}

/** Whether a candidate is taken for a telephone number. */
export function judgePhone(candidate: PhoneCandidate): boolean {
  const { groups, gaps, cues } = candidate;
  const size = groups.join("").length;
  if (gaps.filter((gap) => gap.includes("/")).length > 1) return false;
  if (hasOtherBefore(candidate) || hasOtherAfter(candidate) || isDate(candidate)) return false;
  if (candidate.text.charAt(candidate.start) === "+" || candidate.text.startsWith("(+", candidate.start))
    return isInternational(candidate, size);
  if (cues.isGlued || (isGluedSign(candidate) && !cues.isAnnounced)) return false;
  if (cues.isAnnounced) return isPlausible(candidate, size);
  if (size < 7 || cues.isPlain || groups.length === 1 || isPartOfLonger(candidate)) return false;
  const dialled = groups[0] === "1" ? groups.slice(1) : groups;
  return (
    isBracketed(candidate, size) || isAmerican(dialled, gaps) || isNational(candidate, size) || isDialledAbroad(groups, size)
  );
}

function isInternational({ text, start, groups }: PhoneCandidate, size: number): boolean {
  return size >= 8 && size <= 16 && groups[0]?.startsWith("0") !== true && !isAlphanumeric(text.charCodeAt(start - 1));
}

const isPlausible = ({ groups, gaps, cues }: PhoneCandidate, size: number): boolean =>
  (size >= 7 || (cues.isNear && gaps.every((gap) => gap === " "))) &&
  size <= 16 &&
  groups.length <= 6 &&
  !gaps.some((gap) => gap.includes("\n")) &&
  !isFraction(groups, gaps) &&
  !isYears(groups);

// `12345678.9` is an amount; `555.1234` is none.
const isFraction = (groups: readonly string[], gaps: readonly string[]): boolean =>
  (groups.length === 2 && gaps[0] === "." && (groups[1]?.length ?? 0) < 4) ||
  (gaps.includes(".") && gaps.includes(" ") && groups.length < 5);

const isYear = (group: string | undefined): boolean => /^(?:19|20)\d\d$/.test(group ?? "");
const isYears = (groups: readonly string[]): boolean => groups.length === 2 && isYear(groups[0]) && isYear(groups[1]);

function isBracketed({ text, start, groups, gaps }: PhoneCandidate, size: number): boolean {
  const [area = "", next = ""] = groups;
  if (text.charAt(start) !== "(" || gaps[0]?.startsWith(")") !== true || isYear(area)) return false;
  return area.length >= 2 && area.length <= 5 && next.length >= 2 && size >= 8 && size <= 12;
}

const isTight = (gap: string | undefined): boolean => gap === "-" || gap === ".";

function isAmerican(dialled: readonly string[], gaps: readonly string[]): boolean {
  const between = gaps.slice(1 - dialled.length);
  const isShaped = dialled.map((group) => group.length).join(" ") === "3 3 4";
  return isShaped && (between.every(isTight) || (between.every((gap) => gap === " ") && /^[2-9]/.test(dialled[0] ?? "")));
}

// `0490 75 40 81`, `0171/1234567`, `01.84.17.61.18`: a leading zero is dialled within a country.
function isNational({ groups, gaps }: PhoneCandidate, size: number): boolean {
  const [area = "", ...others] = groups;
  if (
    !/^0[1-9]/.test(area) ||
    size < (others.length === 1 && gaps[0] === " " ? 10 : 9) ||
    size > 12 ||
    gaps.some((gap) => gap.includes("\n"))
  )
    return false;
  return area.length <= 6 && others.length <= 5 && others.every((group) => group.length >= 2 && group.length <= 8);
}

// `001-518-640-0854`, `0041 44 668 18 00`.
const isDialledAbroad = (groups: readonly string[], size: number): boolean =>
  /^00[1-9]/.test(groups[0] ?? "") &&
  groups.length >= 3 &&
  size >= 10 &&
  size <= 17 &&
  !(groups[0] === "001" && /^[01]/.test(groups[1] ?? "")) &&
  groups.slice(1).every((group) => group.length >= 2);

function hasOtherBefore({ text, start, cues }: PhoneCandidate): boolean {
  const before = text.charAt(start - 1);
  if ("$€£¥%_&".includes(before) && before !== "") return true;
  // `ORD-555-123-4567`, `12,345-6789`, `3.14`: something begins further left.
  if (text.charAt(start) === "+") return isDigit(text.charCodeAt(start - 1));
  const isJoined = before === "-" || before === "." || before === "," || before === "/";
  const beyond = text.charCodeAt(start - 2);
  return isJoined && (isDigit(beyond) || (before === "-" && isAlphanumeric(beyond) && !cues.isAnnounced));
}

const isGluedSign = ({ text, start }: PhoneCandidate): boolean => "#=/@\\".includes(text.charAt(start - 1)) && start > 0;

function hasOtherAfter({ text, end }: PhoneCandidate): boolean {
  const after = text.charAt(end);
  if (after === "%" || after === "_" || after === "@" || after === "€") return true;
  const beyond = text.charCodeAt(end + 1);
  if ((after === ":" || after === ",") && isDigit(beyond)) return true;
  return isAlphanumeric(text.charCodeAt(end)) && !/^(?:x\d|ext)/i.test(text.slice(end, end + 4));
}

// The same separator goes on to either side: a longer number in groups, of which this would be a piece.
function isPartOfLonger({ text, start, end, gaps }: PhoneCandidate): boolean {
  const before = text.charAt(start - 1);
  const after = text.charAt(end);
  const goesOn = (sign: string, place: number): boolean =>
    (isTight(sign) || (sign === " " && gaps.includes(" "))) && isDigit(text.charCodeAt(place));
  return goesOn(before, start - 2) || (goesOn(after, end + 1) && !"0(+".includes(text.charAt(end + 1)));
}

const date =
  /^(?:(?:19|20)\d\d([-./])(?:0?[1-9]|1[0-2])\1(?:0?[1-9]|[12]\d|3[01])|(?:0?[1-9]|[12]\d|3[01])([-./])(?:0?[1-9]|[12]\d|3[01])\2(?:19|20)\d\d)(?!\d)/;

const isDate = ({ text, start }: PhoneCandidate): boolean => date.test(text.slice(start, start + 11));
