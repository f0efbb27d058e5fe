import type { LabelledCase } from "./read-set.ts";

/** A range that a finder would mask, with its class in our words; `null` where it names none of them. */
export interface Masked {
  readonly start: number;
  readonly end: number;
  readonly class: string | null;
}

/** Of one type of the set. Shares from 0 to 1, rounded to four places; `null` where there is nothing to divide by. */
export interface TypeScore {
  readonly spans: number;
  /** Spans that are covered whole by findings of the right class. */
  readonly recall: number | null;
  /** Spans that are covered whole by findings of any class. */
  readonly maskedByAnyClass: number | null;
  /** Spans of which a character is left. */
  readonly leaks: number;
  /** Of the characters found as this class: how many stand in spans that are of it. */
  readonly precision: number | null;
  /** Of recall and precision, where recall counts four times. */
  readonly f2: number | null;
}

export interface Scores {
  readonly types: Readonly<Record<string, TypeScore>>;
  /** The types that have a form (`structured`), those of them that are personal, and the rest: masked by any class, leaks. */
  readonly groups: Readonly<
    Record<string, { readonly spans: number; readonly maskedByAnyClass: number | null; readonly leaks: number }>
  >;
  /** F2 of all spans in the set's scope against all masked characters. */
  readonly f2: number | null;
  /** Share of the characters outside of all spans that were masked. */
  readonly overRedaction: number;
  /** As `overRedaction`, for those whom the shipped policy masks: organisations are let through by it. */
  readonly overRedactionByDefault: number;
  /** Persons and addresses that stay covered when findings of organisations are let through. */
  readonly maskedByDefault: Readonly<Record<string, number | null>>;
}

/** Types of the set that have a form, as its README groups them. */
export const structuredTypes = [
  "EMAIL_ADDRESS",
  "CREDIT_CARD",
  "IBAN_CODE",
  "US_SSN",
  "IP_ADDRESS",
  "PHONE_NUMBER",
  "DOMAIN_NAME",
  "ZIP_CODE",
];
/** Of these, what is looked for by its form. A web address is nobody's, and five digits alone are no address. */
const personalTypes = structuredTypes.slice(0, 6);

/** Class that each type should be found as, and the types in which characters of that class are rightly found. */
const classOf: Readonly<Record<string, { readonly class: string; readonly right: readonly string[] }>> = {
  PERSON: { class: "person", right: ["PERSON", "TITLE"] },
  ORGANIZATION: { class: "organisation", right: ["ORGANIZATION"] },
  // A city, country or code in an address belongs to it, though the set labels it apart.
  STREET_ADDRESS: { class: "address", right: ["STREET_ADDRESS", "GPE", "ZIP_CODE"] },
  EMAIL_ADDRESS: { class: "email", right: ["EMAIL_ADDRESS"] },
  CREDIT_CARD: { class: "card", right: ["CREDIT_CARD"] },
  IBAN_CODE: { class: "iban", right: ["IBAN_CODE"] },
  US_SSN: { class: "national_id", right: ["US_SSN", "US_DRIVER_LICENSE"] },
  US_DRIVER_LICENSE: { class: "national_id", right: ["US_SSN", "US_DRIVER_LICENSE"] },
  IP_ADDRESS: { class: "ip", right: ["IP_ADDRESS"] },
  PHONE_NUMBER: { class: "phone", right: ["PHONE_NUMBER"] },
};

/** Scores what a finder masked in each text. */
export function scoresOf(cases: readonly LabelledCase[], masked: readonly (readonly Masked[])[]): Scores {
  const pages = cases.map((one, at) => pageOf(one, masked[at] ?? []));
  const types = [...new Set(cases.flatMap(({ spans }) => spans.map(({ type }) => type)))].sort();
  const group = (named: readonly string[]) => {
    const spans = pages.flatMap(({ spans }) => spans.filter(({ type }) => named.includes(type)));
    return {
      spans: spans.length,
      maskedByAnyClass: share(spans.filter((one) => one.isMasked).length, spans.length),
      leaks: spans.filter((one) => !one.isMasked).length,
    };
  };
  const clean = pages.reduce((sum, page) => sum + page.clean, 0);
  const byDefault = ["PERSON", "STREET_ADDRESS"].map((type) => {
    const spans = pages.flatMap(({ spans }) => spans.filter((one) => one.type === type));
    return [type, share(spans.filter((one) => one.isMaskedByDefault).length, spans.length)] as const;
  });
  const personal = group(types.filter((type) => type in classOf));
  const characters = pages.reduce((sum, page) => ({ all: sum.all + page.masked, right: sum.right + page.masked - page.over }), {
    all: 0,
    right: 0,
  });
  return {
    types: Object.fromEntries(types.map((type) => [type, typeScore(type, pages)])),
    groups: {
      structured: group(structuredTypes),
      structuredAndPersonal: group(personalTypes),
      others: group(types.filter((type) => !structuredTypes.includes(type))),
    },
    f2: f2Of(personal.maskedByAnyClass, share(characters.right, characters.all)),
    overRedaction:
      share(
        pages.reduce((sum, page) => sum + page.over, 0),
        clean,
      ) ?? 0,
    overRedactionByDefault:
      share(
        pages.reduce((sum, page) => sum + page.overByDefault, 0),
        clean,
      ) ?? 0,
    maskedByDefault: Object.fromEntries(byDefault),
  };
}

interface Page {
  readonly spans: readonly {
    readonly type: string;
    readonly isFound: boolean;
    readonly isMasked: boolean;
    readonly isMaskedByDefault: boolean;
  }[];
  readonly clean: number;
  readonly masked: number;
  readonly over: number;
  readonly overByDefault: number;
  readonly found: ReadonlyMap<string, { readonly all: number; readonly right: number }>;
}

function pageOf({ text, spans }: LabelledCase, masked: readonly Masked[]): Page {
  const marks = (ranges: readonly { readonly start: number; readonly end: number }[]) => {
    const page = new Uint8Array(text.length);
    for (const { start, end } of ranges) page.fill(1, start, end);
    return page;
  };
  const labelled = marks(spans);
  const any = marks(masked);
  const byDefault = marks(masked.filter((one) => one.class !== "organisation"));
  const classes = new Map(Object.values(classOf).map(({ class: name, right }) => [name, right]));
  const found = new Map(
    [...classes].map(([name, right]) => {
      const own = marks(masked.filter((one) => one.class === name));
      const good = marks(spans.filter(({ type }) => right.includes(type)));
      return [name, { all: count(own, () => true), right: count(own, (at) => good[at] === 1) }] as const;
    }),
  );
  return {
    spans: spans.map(({ type, start, end }) => {
      const own = marks(masked.filter((one) => one.class === classOf[type]?.class));
      const isWhole = (page: Uint8Array) => !page.subarray(start, end).includes(0);
      return { type, isFound: type in classOf && isWhole(own), isMasked: isWhole(any), isMaskedByDefault: isWhole(byDefault) };
    }),
    ...{ clean: text.length - count(labelled, () => true), masked: count(any, () => true), found },
    over: count(any, (at) => labelled[at] === 0),
    overByDefault: count(byDefault, (at) => labelled[at] === 0),
  };
}

function count(page: Uint8Array, isCounted: (at: number) => boolean): number {
  return page.reduce((sum, mark, at) => (mark === 1 && isCounted(at) ? sum + 1 : sum), 0);
}

function typeScore(type: string, pages: readonly Page[]): TypeScore {
  const spans = pages.flatMap((page) => page.spans.filter((one) => one.type === type));
  const masked = spans.filter(({ isMasked }) => isMasked).length;
  const name = classOf[type]?.class;
  const found = pages.reduce(
    (sum, page) => ({
      all: sum.all + (page.found.get(name ?? "")?.all ?? 0),
      right: sum.right + (page.found.get(name ?? "")?.right ?? 0),
    }),
    { all: 0, right: 0 },
  );
  const recall = name === undefined ? null : share(spans.filter(({ isFound }) => isFound).length, spans.length);
  const precision = share(found.right, found.all);
  return {
    spans: spans.length,
    recall,
    maskedByAnyClass: share(masked, spans.length),
    leaks: spans.length - masked,
    precision,
    f2: f2Of(recall, precision),
  };
}

function f2Of(recall: number | null, precision: number | null): number | null {
  if (recall === null || precision === null || recall + precision === 0) return null;
  return rounded((5 * precision * recall) / (4 * precision + recall));
}

function share(part: number, whole: number): number | null {
  return whole === 0 ? null : rounded(part / whole);
}

function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
