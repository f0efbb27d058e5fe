import { CountersignError } from "../../contract/errors.ts";
import { metadataNotes, readRest, withDefaults } from "./case-rest.ts";
import {
  type CaseDefaults,
  caseOrNote,
  type ExchangeNote,
  type Imported,
  idFrom,
  importedOf,
  leftOut,
  objectOf,
  plainFile,
  type ReadCase,
  refuseTooMany,
} from "./exchanged.ts";
import { isPlainText, readAsserts } from "./promptfoo-asserts.ts";
import { exportedPrompt } from "./write-promptfoo.ts";

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
/** What our own export writes beside the tests: whoever runs it names providers, and none of the three is part of a case. */
const ofExport = ["prompts", "providers", "description"];
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
    .filter((name) => name !== "tests" && name !== "defaultTest" && !(isExport(config) && ofExport.includes(name)))
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

/** A configuration with our own prompt is what our export wrote. */
function isExport({ prompts }: Readonly<Record<string, unknown>>): boolean {
  return Array.isArray(prompts) && prompts.length === 1 && prompts[0] === exportedPrompt;
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
  return { test: partsOf(members), notes: strayNotes(members, "defaultTest") };
}

/** What of a test's members has the form that it needs; of others `strayNotes` tells. */
function partsOf({ vars, assert }: Readonly<Record<string, unknown>>): Test {
  return { vars: objectOf(vars) ?? {}, assert: Array.isArray(assert) ? assert : [] };
}

/** Every member of a test that is not taken over: names of others, their metadata, and what stands in another file. */
function strayNotes(members: Readonly<Record<string, unknown>>, at: string): readonly ExchangeNote[] {
  const { vars, assert, metadata } = members;
  const strange = Object.keys(members).filter((name) => !ofTest.includes(name));
  return [
    ...strange.map((name) => leftOut(`${at}/${name}`, name, "nothing of ours says the same")),
    ...(vars === undefined || objectOf(vars) !== null ? [] : [leftOut(`${at}/vars`, "vars", "they are no object of variables")]),
    ...(assert === undefined || Array.isArray(assert) ? [] : [leftOut(`${at}/assert`, "assert", "it is no list of asserts")]),
    ...metadataNotes(metadata, `${at}/metadata`),
  ];
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
  const own = partsOf(members);
  const request = requestOf({ ...usual.vars, ...own.vars }, isOurs);
  if ("why" in request) return { one: leftOut(at, what, request.why), at, hasOwnId, notes: strayNotes(members, at) };
  const asserts = readAsserts([...usual.assert, ...own.assert], { at: `${at}/assert`, isOurs });
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
