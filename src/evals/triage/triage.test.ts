import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { advise } from "./advise.ts";
import { labelPath, readTriageLabels, setLabel } from "./label-file.ts";
import { type FailureTrace, noTrace, suggestLabel } from "./suggest.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "countersign-triage-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe("suggestLabel", () => {
  it.each<[string, Partial<FailureTrace>, string]>([
    ["nothing at the bar", { stop: "not_in_sources" }, "not_in_corpus"],
    ["it declined over nothing", { refused: true, loaded: 0 }, "not_in_corpus"],
    ["no reply fitted", { stop: "non_conforming_output", misfits: 3 }, "form"],
    ["a person was left with it for its form", { rule: "non_conforming_output" }, "form"],
    ["replies fitted at last", { misfits: 1, loaded: 4 }, "form"],
    ["a word outside the list", { failedChecks: ["in_enum"], loaded: 4 }, "form"],
    ["a loop without an end", { rule: "loop_cap_hit", misfits: 1 }, "multi_hop"],
    ["a loop that a case expects", { metrics: ["loops.recovery"] }, "multi_hop"],
    ["evidence that did not come", { metrics: ["retrieval.required_evidence", "answers.exact_match"] }, "missing"],
    ["a record that was not there", { stop: "record_unavailable" }, "missing"],
    ["claims that do not trace", { droppedClaims: 1, loaded: 3 }, "missing"],
    ["it had everything", { loaded: 5 }, "unspecified"],
    ["nothing is known", {}, "unspecified"],
  ])("goes by the trace: %s", (_what, trace, label) => {
    expect(suggestLabel({ ...noTrace, ...trace }).label).toBe(label);
  });
});

describe("advise", () => {
  it("names the layer that mends the largest bucket, and of two of one size the cheaper one", () => {
    expect(advise(["form", "missing", "missing", null])).toMatchObject({
      counts: { form: 1, missing: 2, unspecified: 0, multi_hop: 0, not_in_corpus: 0 },
      ...{ unlabelled: 1, largest: "missing", layer: expect.stringContaining("retrieval") },
    });
    expect(advise(["multi_hop", "unspecified"])).toMatchObject({ largest: "unspecified" });
    expect(advise(["not_in_corpus"])).toMatchObject({ layer: expect.stringContaining("say so") });
  });

  it("gives no advice on what nobody has labelled", () => {
    expect(advise([null, null])).toMatchObject({ unlabelled: 2, largest: null, layer: null });
  });
});

describe("the labels of a project", () => {
  it("are kept at once, and the last one holds", async () => {
    expect(await readTriageLabels(folder)).toEqual(new Map());
    await setLabel(folder, { failure: "d1", label: "form", at: 0 });
    await setLabel(folder, { failure: "case vpn", label: "missing", note: "the title is not searched", at: 1 });
    await setLabel(folder, { failure: "d1", label: "unspecified", at: 2 });
    const labels = await readTriageLabels(folder);
    expect([...labels.values()].map(({ failure, label }) => [failure, label])).toEqual([
      ["d1", "unspecified"],
      ["case vpn", "missing"],
    ]);
    expect((await readFile(labelPath(folder), "utf8")).trim().split("\n")).toHaveLength(3);
  });

  it("refuses a word that is no label, and writes nothing", async () => {
    await expect(setLabel(folder, { failure: "d1", label: "wrong", at: 0 })).rejects.toMatchObject({ code: "bad_request" });
    expect(await readTriageLabels(folder)).toEqual(new Map());
  });
});
