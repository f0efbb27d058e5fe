import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { evalLimits } from "./case-file.ts";
import { fileLimits } from "./plain-yaml.ts";
import { readEvalCases } from "./read-cases.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "countersign-evals-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const sample = {
  id: "close-one",
  request: "It works again",
  envelope: { principal: "emp-1", roles: ["employee"] },
  fixtures: { seed: "sandbox", records: ["tickets.byId:tkt-1"] },
  expectations: { decision: "closed" },
  label: "quality",
  kind: "single",
  slice: "all",
  source: "written by hand",
};
const yaml = `# a remark
- id: close-one
  request: It works again
  envelope: { principal: emp-1, roles: [employee] }
  fixtures: { seed: sandbox, records: ["tickets.byId:tkt-1"] }
  expectations: { decision: closed }
  label: quality
  kind: single
  slice: all
  source: written by hand
`;
const put = (name: string, text: string) => writeFile(join(folder, name), text);
const lines = (...rows: readonly unknown[]) => rows.map((row) => JSON.stringify(row)).join("\n");
const faults = async () => (await readEvalCases(folder)).flatMap((file) => file.faults);

describe("readEvalCases", () => {
  it("reads the same case from YAML and from a line of JSON, named after its capability", async () => {
    await put("close_ticket.yaml", yaml);
    await put("open_ticket.jsonl", `${lines({ ...sample, id: "other" })}\n\n`);
    const [closing, opening] = await readEvalCases(folder);
    expect(closing).toMatchObject({ file: "close_ticket.yaml", capability: "close_ticket", faults: [] });
    expect(closing?.cases).toEqual([
      {
        ...sample,
        fixtures: { seed: "sandbox", passages: [], records: ["tickets.byId:tkt-1"], facts: [] },
        expectations: {
          decision: ["closed"],
          evidence: [],
          withheld: [],
          raw: [],
          calls: [],
          statements: { required: [], forbidden: [] },
          effects: { required: [], forbidden: [] },
          state: [],
        },
      },
    ]);
    expect(opening?.cases).toEqual([{ ...closing?.cases[0], id: "other" }]);
  });

  it("reads none where there is no folder, and passes over remarks beside the cases", async () => {
    expect(await readEvalCases(join(folder, "nowhere"))).toEqual([]);
    await put("README.md", "# Cases");
    await put("gate.yaml", "repeats: 2");
    await mkdir(join(folder, "judges"));
    await put(".hidden", "");
    expect(await readEvalCases(folder)).toEqual([]);
  });

  it.each<[string, object, string, RegExp]>([
    ["an unknown label", { label: "nice" }, "line 1/label", /"quality"/],
    ["an unknown kind", { kind: "hard" }, "line 1/kind", /"boundary"/],
    ["an unknown route", { expectations: { route: "maybe" } }, "line 1/expectations/route", /./],
    ["a word that is misspelt", { expectations: { decison: "closed", refuses: true } }, "line 1/expectations", /decison/],
    ["nothing that is expected", { expectations: {} }, "line 1/expectations", /expect something/],
    [
      "expectations that are empty",
      { expectations: { statements: { required: [] } } },
      "line 1/expectations",
      /expect something/,
    ],
    ["an id with spaces", { id: "Close One" }, "line 1/id", /form of an id/],
    ["nobody who asks", { envelope: { roles: [] } }, "line 1/envelope/principal", /./],
    ["another world than the sandbox", { fixtures: { seed: "production" } }, "line 1/fixtures/seed", /sandbox/],
    ["too long a request", { request: "x".repeat(30_000) }, "line 1/request", /./],
  ])("says where and what: %s", async (_what, part, at, expected) => {
    await put("a.jsonl", lines({ ...sample, ...part }));
    const [file] = await readEvalCases(folder);
    expect(file?.cases).toEqual([]);
    expect(file?.faults).toEqual([{ file: "a.jsonl", at, expected: expect.stringMatching(expected) }]);
  });

  it("keeps the good cases beside a broken one", async () => {
    await put("a.jsonl", `${lines(sample)}\n{"id":\n${lines({ ...sample, id: "second" })}`);
    const [file] = await readEvalCases(folder);
    expect(file?.cases.map(({ id }) => id)).toEqual(["close-one", "second"]);
    expect(file?.faults).toEqual([{ file: "a.jsonl", at: "line 2", expected: "one JSON value" }]);
  });

  it.each<[string, string, string, RegExp]>([
    ["a line that is no YAML", "a.yaml", `${yaml}  kind: [single\n`, /YAML/],
    ["a key twice", "a.yaml", `${yaml}  kind: multi\n`, /YAML/],
    ["an object instead of a list", "a.yaml", "cases: []", /list of eval cases/],
    ["aliases, which may stand for anything", "a.yaml", "- &a [x]\n- [*a, *a]\n", /without aliases/],
    ["a tag that makes something else of a value", "a.yaml", "- !!js/function 'x'\n", /YAML/],
    ["a key of an object's own workings", "a.yaml", "- { constructor: { prototype: {} } }\n", /reserved/],
    ["such a key in a line", "a.jsonl", '{"id":"a","__proto__":{}}\n', /reserved/],
    ["no end of levels", "a.yaml", `- ${"[".repeat(50)}${"]".repeat(50)}\n`, /at most 32 levels/],
    ["no end of levels in a line", "a.jsonl", `${"[".repeat(50)}${"]".repeat(50)}\n`, /at most 32 levels/],
    ["a file of another kind", "a.json", "[]", /ends in .yaml, .yml, .jsonl/],
  ])("refuses a file with %s", async (_what, name, text, expected) => {
    await put(name, text);
    expect(await faults()).toEqual([expect.objectContaining({ file: name, expected: expect.stringMatching(expected) })]);
  });

  it("refuses more than a file may hold", async () => {
    await put("a.jsonl", "x".repeat(fileLimits.bytes + 1));
    await put("b.jsonl", "{}\n".repeat(evalLimits.cases + 1));
    expect((await faults()).map(({ expected }) => expected)).toEqual(["at most 2097152 bytes", "at most 2000 cases"]);
  });

  it("wants an id of its own for each case of a project", async () => {
    await put("a.jsonl", lines(sample));
    await put("b.jsonl", lines(sample));
    const files = await readEvalCases(folder);
    expect(files.map(({ cases }) => cases.length)).toEqual([1, 0]);
    expect(files[1]?.faults).toEqual([{ file: "b.jsonl", at: "", expected: "an id of its own for `close-one`" }]);
  });
});
