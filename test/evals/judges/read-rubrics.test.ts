import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { readRubrics } from "../../../src/evals/judges/read-rubrics.ts";
import { sampleRubric } from "./sample-rubric.ts";

let project: string;
beforeEach(async () => {
  project = await mkdtemp(join(tmpdir(), "countersign-rubrics-"));
});
afterEach(() => rm(project, { recursive: true, force: true }));

async function put(text: string, name = "helpful_answer.yaml"): Promise<void> {
  await mkdir(join(project, "evals", "judges"), { recursive: true });
  await writeFile(join(project, "evals", "judges", name), text);
}
const [first, ...others] = sampleRubric.criteria;
const anchors = first?.anchors ?? [];

describe("readRubrics", () => {
  it("reads a rubric with what may be left out, and none where there is no folder", async () => {
    expect(await readRubrics(project)).toEqual([]);
    await put(stringify(sampleRubric, { aliasDuplicateObjects: false }));
    expect(await readRubrics(project)).toEqual([sampleRubric]);
    expect(sampleRubric.trust).toEqual({ kappa: 0.6, labels: 30 });
  });

  it.each<[string, object, RegExp]>([
    ["a weight of nothing", { criteria: [{ ...first, weight: 0 }] }, /criteria\/0\/weight/],
    ["anchors that fall", { criteria: [{ ...first, anchors: anchors.toReversed() }] }, /rise in worth/],
    ["one anchor alone", { criteria: [{ ...first, anchors: anchors.slice(1, 2) }] }, /criteria\/0\/anchors/],
    [
      "a reading twice",
      { criteria: [{ ...first, anchors: anchors.map((one) => ({ ...one, reading: "right" })) }] },
      /reading of its own/,
    ],
    ["a criterion twice", { criteria: [first, first, ...others] }, /id of its own/],
    ["no criteria", { criteria: [] }, /criteria/],
    ["a floor above one", { floor: 1.2 }, /floor/],
    ["a word that is misspelt", { florr: 1 }, /florr/],
    ["the name of another file", { name: "other" }, /name.*file's own name/],
    [
      "an anchor by the name of what does not apply",
      { criteria: [{ ...first, anchors: [{ reading: "not_applicable", worth: 0, means: "x" }, ...anchors.slice(1)] }] },
      /mayNotApply/,
    ],
  ])("says where and what: %s", async (_what, part, expected) => {
    await put(stringify({ ...sampleRubric, ...part }, { aliasDuplicateObjects: false }));
    await expect(readRubrics(project)).rejects.toMatchObject({
      code: "definition_invalid",
      message: expect.stringMatching(expected),
    });
  });

  it.each<[string, string, RegExp]>([
    ["aliases", "name: &a x\ntask: *a\n", /without aliases/],
    ["a key that is reserved", "constructor: 1\n", /reserved/],
    ["a prototype", "__proto__: { floor: 0 }\n", /reserved/],
    ["no YAML", "name: [\n", /YAML/],
  ])("refuses a file with %s", async (_what, text, expected) => {
    await put(text);
    await expect(readRubrics(project)).rejects.toMatchObject({
      code: "definition_invalid",
      message: expect.stringMatching(expected),
    });
  });
});
