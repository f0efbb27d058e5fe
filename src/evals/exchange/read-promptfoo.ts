import { CountersignError } from "../../contract/errors.ts";
import { readRest, withDefaults } from "./case-rest.ts";
import {
  type CaseDefaults,
  caseOrNote,
  type ExchangeNote,
  type Imported,
  idFrom,
  importedOf,
  objectOf,
  plainFile,
  type ReadCase,
  refuseTooMany,
} from "./exchanged.ts";
import { isPlainText, leftOut, readAsserts } from "./promptfoo-asserts.ts";

/** Members of a configuration that say nothing of what is expected: a capability has its own model and prompt. */
const aside = [
  "prompts",
  "providers",
  "targets",
  "outputPath",
  "evaluateOptions",
  "commandLineOptions",
  "sharing",
  "tags",
  "env",
  "description",
  "$schema",
];
const ofTest = ["description", "vars", "assert", "metadata"];

/**
 * Reads the tests of a promptfoo configuration (YAML or JSON, written out in the file itself) as eval cases. Asserts that say what an
 * expectation of ours says are mapped; everything else is named. Throws `bad_request` for a file that is no plain data or has no list of
 * tests. Nothing that the file names is fetched, run or rendered.
 */
export function readPromptfoo(text: string, defaults: CaseDefaults): Imported {
  const config = objectOf(plainFile(text, "yaml"));
  const tests = config?.["tests"];
  if (config === null || !Array.isArray(tests)) {
    throw new CountersignError(
      "bad_request",
      "the file is no promptfoo configuration: expected a list `tests` with the tests themselves",
    );
  }
  refuseTooMany(tests.length);
  const notes = Object.keys(config)
    .filter((name) => name !== "tests" && name !== "defaultTest")
    .map((name) =>
      leftOut(
        name,
        name,
        aside.includes(name) ? "a capability has its own; nothing is expected by it" : "nothing of ours says the same",
      ),
    );
  const usual = defaultOf(config["defaultTest"]);
  const read = tests.map((test: unknown, place) => readTest(test, { place, usual: usual.test, defaults }));
  return importedOf(read, [...notes, ...usual.notes, ...read.flatMap((each) => each.notes)]);
}

interface Test {
  readonly vars: Readonly<Record<string, unknown>>;
  readonly assert: readonly unknown[];
}
const noTest: Test = { vars: {}, assert: [] };

/** What holds for every test: its variables and its asserts. */
function defaultOf(value: unknown): { readonly test: Test; readonly notes: readonly ExchangeNote[] } {
  if (value === undefined) return { test: noTest, notes: [] };
  const members = objectOf(value);
  if (members === null) return { test: noTest, notes: [leftOut("defaultTest", "defaultTest", "it stands in another file")] };
  const { vars, assert } = members;
  return {
    test: { vars: objectOf(vars) ?? {}, assert: Array.isArray(assert) ? assert : [] },
    notes: strayNotes(members, "defaultTest"),
  };
}

function strayNotes(members: object, at: string): readonly ExchangeNote[] {
  return Object.keys(members)
    .filter((name) => !ofTest.includes(name))
    .map((name) => leftOut(`${at}/${name}`, name, "nothing of ours says the same"));
}

function readTest(
  value: unknown,
  { place, usual, defaults }: { place: number; usual: Test; defaults: CaseDefaults },
): ReadCase & { readonly notes: readonly ExchangeNote[] } {
  const at = `tests/${place}`;
  const members = objectOf(value);
  if (members === null)
    return { one: leftOut(at, "test", "it stands in another file, or is no test"), at, hasOwnId: false, notes: [] };
  const what = typeof members["description"] === "string" ? members["description"] : `test ${place + 1}`;
  const { expectations, ...rest } = readRest(members["metadata"]);
  const isOurs = Object.keys(rest).length > 0;
  const hasOwnId = rest["id"] !== undefined;
  const request = requestOf({ ...usual.vars, ...objectOf(members["vars"]) }, isOurs);
  if (typeof request === "object" && "why" in request) return { one: leftOut(at, what, request.why), at, hasOwnId, notes: [] };
  const own = members["assert"];
  const asserts = readAsserts(Array.isArray(own) || own === undefined ? [...usual.assert, ...(own ?? [])] : own, {
    at: `${at}/assert`,
    isOurs,
  });
  const { required, forbidden, refuses } = asserts;
  const expected = { ...objectOf(expectations), statements: { required, forbidden }, ...(refuses === null ? {} : { refuses }) };
  const base = withDefaults(rest, { defaults, id: idFrom(members["description"], place), source: `promptfoo: ${what}` });
  const one = caseOrNote({ ...base, request: request.request, expectations: expected }, { at, what });
  return { one, at, hasOwnId, notes: [...asserts.notes, ...strayNotes(members, at)] };
}

/** The variables as a request: a single text is what was asked, an object under `inputs` and all else are inputs by name. */
function requestOf(
  vars: Readonly<Record<string, unknown>>,
  isOurs: boolean,
): { readonly request: unknown } | { readonly why: string } {
  const names = Object.keys(vars);
  if (names.length === 0) return { why: "it has no variables, so nothing is asked" };
  const list = names.find((name) => Array.isArray(vars[name]));
  if (list !== undefined) return { why: `\`${list.slice(0, 60)}\` is a list, which stands for one test for each of its values` };
  const template = isOurs ? undefined : names.find((name) => typeof vars[name] === "string" && !isPlainText(vars[name]));
  if (template !== undefined) return { why: `\`${template.slice(0, 60)}\` is a template, or names a file or code` };
  const [only = ""] = names;
  if (names.length === 1 && typeof vars[only] === "string") return { request: vars[only] };
  if (names.length === 1 && only === "inputs" && objectOf(vars[only]) !== null) return { request: vars[only] };
  return { request: vars };
}
