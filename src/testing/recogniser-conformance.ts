import type { Cancel } from "../contract/principal.ts";
import { dataClasses, type Finding, type Recogniser } from "../contract/privacy.ts";

/** One rule of recognisers, and what it found: a sentence where the rule is broken, `null` where it holds. */
export interface RecogniserRule {
  readonly name: string;
  readonly broken: (recogniser: Recogniser) => Promise<string | null>;
}

const patient: Cancel = { isCancelled: () => false, onCancel: () => {} };
const person = "Maria Schneider";
const texts = [
  `My name is ${person}.`,
  "",
  "   ",
  `😀😀 𝒳 Regards,\n${person} 😀`,
  "the total is due in two weeks",
  `Dear ${person}, thank you. ${person} will call. \u0000 \u200b`,
  "\ud83d half of a pair",
];

/**
 * What every recogniser has to keep, whatever stands behind it: it must know the made-up person Maria Schneider. A test runs each rule and
 * expects `null`.
 * @example
 * const broken = (recogniser: Parameters<(typeof recogniserRules)[number]["broken"]>[0]) => Promise.all(recogniserRules.map((rule) => rule.broken(recogniser)));
 */
export const recogniserRules: readonly RecogniserRule[] = [
  {
    name: "names itself and its version",
    broken: async ({ name, version }) => {
      if (!/^[a-z0-9][a-z0-9_.-]{0,62}$/.test(name)) return `its name is \`${name}\``;
      return version === "" ? "it has no version" : null;
    },
  },
  {
    name: "gives one list for each text, in their order, however many there are",
    broken: async (recogniser) => {
      const many = Array.from({ length: 40 }, (_, at) =>
        at % 3 === 0 ? `My name is ${person}.` : "the total is due in two weeks",
      );
      const found = await recogniser.find(many, patient);
      if (found.length !== many.length) return `it gave ${found.length} lists for ${many.length} texts`;
      const wrong = found.findIndex((findings, at) => findings.some(({ class: one }) => one === "person") !== (at % 3 === 0));
      if (wrong >= 0) return `list ${wrong} is not that of its text`;
      return (await recogniser.find([], patient)).length === 0 ? null : "it gave lists for no text";
    },
  },
  {
    name: "gives ranges of the text in UTF-16 units, kinds in their form and canonical values",
    broken: async (recogniser) => {
      const found = await recogniser.find(texts, patient);
      const bad = found
        .flatMap((findings, at) => findings.map((finding) => fault(texts[at] ?? "", finding)))
        .find((one) => one !== null);
      return bad ?? null;
    },
  },
  {
    name: "covers a person's whole name, also behind characters of two units",
    broken: async (recogniser) => {
      for (const text of texts.filter((one) => one.includes(person))) {
        const [findings = []] = await recogniser.find([text], patient);
        const start = text.indexOf(person);
        const isFound = findings.some((one) => one.class === "person" && one.start <= start && one.end >= start + person.length);
        if (!isFound) return `it does not cover the name in ${JSON.stringify(text)}`;
      }
      return null;
    },
  },
  {
    name: "gives two spellings of one name one canonical value",
    broken: async (recogniser) => {
      const found = await recogniser.find([`My name is ${person}.`, `My name is ${person.replace(" ", "  ")}.`], patient);
      const values = found.map((findings) => findings.find(({ class: one }) => one === "person")?.canonical);
      return values[0] !== undefined && values[0] === values[1] ? null : "the two have different ones, or none";
    },
  },
  {
    name: "says the same of the same text",
    broken: async (recogniser) => {
      const [first, again] = [await recogniser.find(texts, patient), await recogniser.find(texts, patient)];
      return JSON.stringify(first) === JSON.stringify(again) ? null : "it says something else the second time";
    },
  },
  {
    name: "rejects where it was cancelled before it looked",
    broken: async (recogniser) => {
      const cancel: Cancel = { isCancelled: () => true, onCancel: (listener) => listener() };
      return recogniser.find([`My name is ${person}.`], cancel).then(
        () => "it gave lists",
        () => null,
      );
    },
  },
];

function fault(text: string, { start, end, class: one, kind, canonical }: Finding): string | null {
  if (!(Number.isInteger(start) && Number.isInteger(end) && start >= 0 && start < end && end <= text.length))
    return `it gave the range ${start} to ${end} of ${text.length}`;
  if (isInsidePair(text, start) || isInsidePair(text, end)) return "a range cuts a character in two";
  if (!dataClasses.includes(one) || !/^[a-z0-9_]+$/.test(kind)) return `it gave the class \`${one}\` and the kind \`${kind}\``;
  return canonical === "" ? "a canonical value is empty" : null;
}

function isInsidePair(text: string, at: number): boolean {
  return /[\ud800-\udbff]/.test(text[at - 1] ?? "") && /[\udc00-\udfff]/.test(text[at] ?? "");
}
